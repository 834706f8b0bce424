import type { ToolRequest } from "../../rules/policy/ToolRequest.ts"
import type { AuditEntry } from "./AuditEntry.ts"

/** A request that its user was asked about. */
export interface Ask {
  /** ISO 8601. */
  readonly at: string
  readonly tag: string
  readonly cli: string
  readonly request: ToolRequest
  /** What the user answered, as far as leap has seen it. */
  readonly answer: "allow" | "deny" | null
}

/** What makes two requests the same, apart from where links led and who asked when. */
export const requestKey = ({ agent, command, cwd, globs, kind, paths, tool, url }: ToolRequest): string =>
  JSON.stringify([tool, kind, command, paths, globs ?? [], url, agent, cwd])

/** Keys that answer a dialog come no later than this after its request, in milliseconds. */
const patience = 24 * 60 * 60 * 1_000

/**
 * The requests that went to the user, oldest first. What leap wrote down when it left one to them, and what it wrote
 * down of their answer, are one ask.
 */
export const asksIn = (entries: ReadonlyArray<AuditEntry>): ReadonlyArray<Ask> => {
  const asks: Array<Ask> = []
  /** Where the last ask of a request stands in `asks`, while it has no answer yet. */
  const open = new Map<string, number>()
  for (const { at, by, cli, request, tag, verdict } of entries) {
    if (request === null || request.kind === "question" || request.kind === "plan" || request.kind === "elicitation")
      continue
    const key = `${tag}\n${requestKey(request)}`
    if (by === "user" && verdict !== "ask") {
      const before = open.get(key)
      const asked = before === undefined ? undefined : asks[before]
      open.delete(key)
      if (before !== undefined && asked !== undefined && Date.parse(at) - Date.parse(asked.at) <= patience)
        asks[before] = { ...asked, answer: verdict }
      else asks.push({ at, tag, cli, request, answer: verdict })
    } else if (verdict === "ask") {
      open.set(key, asks.length)
      asks.push({ at, tag, cli, request, answer: null })
    }
  }
  return asks
}
