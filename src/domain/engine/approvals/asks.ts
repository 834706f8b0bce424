import { type ToolRequest, urlsOf } from "../../policy/ToolRequest.ts"
import type { AuditEntry } from "./AuditEntry.ts"

/** A request that the user was asked about. */
export interface Ask {
  /** ISO 8601. */
  readonly at: string
  readonly tag: string
  readonly cli: string
  readonly request: ToolRequest
  readonly answer: "allow" | "deny" | null
}

/** The identity of a request, without the targets of its links, its time and its session. */
export const requestKey = (request: ToolRequest): string => {
  const { agent, carried = [], command, cwd, globs = [], kind, paths, tool, unread = [] } = request
  return JSON.stringify([tool, kind, command, paths, globs, urlsOf(request), carried, unread, agent, cwd])
}

/** Milliseconds after a request in which an answer through leap counts as its answer. */
const answerWindow = 24 * 60 * 60 * 1_000

/** The requests that went to the user, oldest first. leap's entries of a request and of its answer are one ask. */
export const asksIn = (entries: ReadonlyArray<AuditEntry>): ReadonlyArray<Ask> => {
  const asks: Array<Ask> = []
  const open = new Map<string, number>()
  for (const { at, by, cli, request, tag, verdict } of entries) {
    if (request === null || request.kind === "question" || request.kind === "plan" || request.kind === "elicitation")
      continue
    const key = `${tag}\n${requestKey(request)}`
    if (by === "user" && verdict !== "ask") {
      const before = open.get(key)
      const asked = before === undefined ? undefined : asks[before]
      open.delete(key)
      if (before !== undefined && asked !== undefined && Date.parse(at) - Date.parse(asked.at) <= answerWindow)
        asks[before] = { ...asked, answer: verdict }
      else asks.push({ at, tag, cli, request, answer: verdict })
    } else if (verdict === "ask") {
      open.set(key, asks.length)
      asks.push({ at, tag, cli, request, answer: null })
    }
  }
  return asks
}
