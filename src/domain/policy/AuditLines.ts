import { Option, Schema } from "effect"
import { maskSecrets } from "../Secrets.ts"
import { AuditEntry } from "./AuditEntry.ts"
import type { ToolRequest } from "./ToolRequest.ts"

/** Longest command that is kept, in UTF-16 units; other texts are kept shorter. */
export const longestCommand = 4_096
const mostPaths = 50
/** What of a text is looked at for secrets: far more than is kept of it. */
const looked = 65_536

/** The beginning of a text, with a mark that says how much is not there. */
const bounded = (text: string, limit: number, length = text.length): string =>
  text.length <= limit && length === text.length ? text : `${text.slice(0, limit)}… [${length} characters in all]`

const masked = (text: string, limit: number): string => {
  const clean = maskSecrets(text.slice(0, looked))
  return text.length <= looked ? bounded(clean, limit) : bounded(clean, limit, text.length)
}

const files = (paths: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...paths.slice(0, mostPaths).map((path) => bounded(path, 1_024)),
  ...(paths.length > mostPaths ? [`… [${paths.length} paths in all]`] : [])
]

const requestFor = (request: ToolRequest): ToolRequest => ({
  ...request,
  tool: bounded(request.tool, 200),
  command: request.command === null ? null : masked(request.command, longestCommand),
  paths: files(request.paths),
  ...(request.realPaths === undefined ? {} : { realPaths: files(request.realPaths) }),
  url: request.url === null ? null : masked(request.url, 2_048),
  agent: request.agent === null ? null : bounded(request.agent, 200),
  cwd: bounded(request.cwd, 1_024)
})

/** An entry as it may be kept: secrets masked, no text without a bound. */
export const keptEntry = (entry: AuditEntry): AuditEntry => ({
  ...entry,
  at: bounded(entry.at, 40),
  tag: bounded(entry.tag, 200),
  cli: bounded(entry.cli, 200),
  sessionId: entry.sessionId === null ? null : bounded(entry.sessionId, 200),
  event: bounded(entry.event, 200),
  request: entry.request === null ? null : requestFor(entry.request),
  rule: entry.rule === null ? null : bounded(entry.rule, 500),
  why: masked(entry.why, 1_000)
})

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(AuditEntry))

/** One line of the log, with its end. */
export const auditLine = (entry: AuditEntry): string => `${JSON.stringify(keptEntry(entry))}\n`

/** The entries of a log's text, in its order. Lines that cannot be read are passed over. */
export const auditEntries = (text: string): ReadonlyArray<AuditEntry> =>
  text.split("\n").flatMap((line) => line === "" ? [] : Option.toArray(decode(line)))
