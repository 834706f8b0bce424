import { absolute, parentOf } from "../../words/text/paths.ts"
import type { ToolRequest } from "../../policy/ToolRequest.ts"
import type { Dialog } from "../../words/session/Screen.ts"
import { requestKey } from "./asks.ts"
import type { PendingPermissions } from "./PendingPermissions.ts"

/** Whether a dialog shows a request, so that no dialog gets the answer to another's request. */

/** A text without line breaks, blanks and frames, for comparison: terminals wrap, CLIs indent. */
const squeeze = (text: string): string => text.normalize("NFC").replace(/[\s\p{Cf}\u2500-\u259f]+/gu, "")

/** A cut text must show at least this many letters: shorter starts fit many texts. */
const fewestLetters = 24

/** The shown text is this one, complete or with parts left out at `…`. */
const isText = (shown: string, text: string): boolean => {
  const wanted = squeeze(text)
  if (wanted === "") return false
  if (squeeze(shown) === wanted) return true
  const parts = squeeze(shown.replace(/\.{3}/g, "…")).split("…")
  if (parts.length < 2) return false
  const head = parts[0] ?? ""
  const tail = parts.at(-1) ?? ""
  return (
    head.length + tail.length >= fewestLetters &&
    head.length + tail.length <= wanted.length &&
    wanted.startsWith(head) &&
    wanted.endsWith(tail)
  )
}

/** The shown path is one of the request's, or the directory of one that it does not write to. */
const isPath = (shown: string, { cwd, kind, paths, realPaths = [] }: ToolRequest): boolean => {
  const bare = (/\((.+)\)$/s.exec(shown.trim())?.[1] ?? shown).trim()
  const files = [...paths, ...realPaths].map((path) => absolute(cwd, path))
  const named = kind === "edit" ? files : [...files, ...files.map(parentOf)]
  // The home directory is not known here, nor every CLI's own, so the rest of the path is compared.
  if (bare.startsWith("~/")) return named.some((path) => squeeze(path).endsWith(squeeze(bare.slice(1))))
  if (cwd === "" && !bare.startsWith("/")) return named.some((path) => squeeze(path).endsWith(squeeze(`/${bare}`)))
  return named.some((path) => isText(absolute(cwd, bare), path)) || named.some((path) => isText(bare, path))
}

const alphanumeric = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** The shown text has each part of the tool's name: `mcp__github__create_issue` as `github - create_issue (MCP)`. */
const isTool = (shown: string, tool: string): boolean => {
  const parts = tool
    .replace(/^mcp_+/, "")
    .split(/__|-/)
    .map(alphanumeric)
    .filter((part) => part !== "")
  const text = alphanumeric(shown)
  return parts.length > 0 && parts.every((part) => text.includes(part))
}

/** False if the dialog does not show what it is for. */
export const showsRequest = ({ subject, title }: Dialog, request: ToolRequest): boolean => {
  const { command, kind, paths, tool, url } = request
  if (kind === "mcp" || (command === null && url === null && paths.length === 0))
    return isTool(`${title} ${subject ?? ""}`, tool)
  if (subject === undefined) return false
  if (command !== null) return isText(subject, command)
  return url === null ? isPath(subject, request) : isText(subject, url)
}

/** The request that a dialog certainly shows, among those that hooks reported; null for none or several. */
export const dialogRequest = ({ list, overflowed }: PendingPermissions, dialog: Dialog): ToolRequest | null => {
  if (dialog.kind !== "permission" || overflowed) return null
  const [first, ...others] = list.flatMap(({ request }) => (showsRequest(dialog, request) ? [request] : []))
  if (first === undefined) return null
  return others.every((one) => requestKey(one) === requestKey(first)) ? first : null
}
