import { maskSecrets } from "../words/text/Secrets.ts"
import { oneLine } from "../words/text/printable.ts"
import type { ToolRequest } from "./ToolRequest.ts"

/** A request without its tool, for people: the command, the files or the address. Secrets are masked. */
export const subjectText = ({ command, paths, url }: ToolRequest, limit = 160): string => {
  const text = command ?? url
  if (text !== null) return oneLine(maskSecrets(text.slice(0, 4 * limit)), limit)
  const [first] = paths
  if (first === undefined) return ""
  return oneLine(first.slice(0, 4 * limit), limit) + (paths.length > 1 ? ` and ${paths.length - 1} more` : "")
}

/** One line for people: `Bash: npm test`, `Edit: /app/a.ts and 2 more (agent Explore)`. Secrets are masked. */
export const summary = (request: ToolRequest, limit = 160): string => {
  const subject = subjectText(request, limit)
  const agent = request.agent === null ? "" : ` (agent ${oneLine(request.agent, 40)})`
  return `${oneLine(request.tool, 80)}${subject === "" ? "" : `: ${subject}`}${agent}`
}
