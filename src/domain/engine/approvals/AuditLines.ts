import { cutMark } from "../../words/text/cutMark.ts"
import { maskSecrets } from "../../words/text/Secrets.ts"
import type { AuditEntry } from "./AuditEntry.ts"
import type { ToolRequest } from "../../policy/ToolRequest.ts"

/** Longest command that is kept, in UTF-16 units; the limits of other texts are lower. */
export const longestCommand = 4_096
const mostPaths = 50
const mostRepositories = 10
/** The UTF-16 units of a text that are searched for secrets: far more than are stored. */
const mostScanned = 65_536

const bounded = (text: string, limit: number, length = text.length): string =>
  text.length <= limit && length === text.length ? text : `${text.slice(0, limit)}${cutMark(length, "characters")}`

const masked = (text: string, limit: number): string => {
  const clean = maskSecrets(text.slice(0, mostScanned))
  return text.length <= mostScanned ? bounded(clean, limit) : bounded(clean, limit, text.length)
}

const files = (paths: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...paths.slice(0, mostPaths).map((path) => masked(path, 1_024)),
  ...(paths.length > mostPaths ? [cutMark(paths.length, "paths")] : [])
]

const few = <A>(items: ReadonlyArray<A>, kept: (item: A) => A, most = mostPaths): ReadonlyArray<A> =>
  items.slice(0, most).map(kept)

const requestFor = ({
  carried,
  globs,
  named,
  realPaths,
  repositories,
  unread,
  urls,
  ...request
}: ToolRequest): ToolRequest => ({
  ...request,
  tool: bounded(request.tool, 200),
  command: request.command === null ? null : masked(request.command, longestCommand),
  paths: files(request.paths),
  ...(realPaths === undefined ? {} : { realPaths: files(realPaths) }),
  ...(globs === undefined ? {} : { globs: files(globs) }),
  ...(named === undefined
    ? {}
    : { named: few(named, ({ path, word }) => ({ word: masked(word, 1_024), path: masked(path, 1_024) })) }),
  ...(repositories === undefined
    ? {}
    : {
        repositories: few(
          repositories,
          ({ directory, root }) => ({
            directory: masked(directory, 1_024),
            root: root === null ? null : masked(root, 1_024)
          }),
          mostRepositories
        )
      }),
  ...(urls === undefined ? {} : { urls: few(urls, (url) => masked(url, 2_048)) }),
  ...(carried === undefined
    ? {}
    : { carried: few(carried, ({ name, text }) => ({ name: bounded(name, 200), text: masked(text, 1_024) })) }),
  ...(unread === undefined ? {} : { unread: few(unread, (text) => masked(text, 200)) }),
  url: request.url === null ? null : masked(request.url, 2_048),
  agent: request.agent === null ? null : bounded(request.agent, 200),
  cwd: bounded(request.cwd, 1_024)
})

/** An entry for storage: with secrets masked, and every text bounded. */
export const keptEntry = (entry: AuditEntry): AuditEntry => ({
  ...entry,
  at: bounded(entry.at, 40),
  tag: bounded(entry.tag, 200),
  cli: bounded(entry.cli, 200),
  sessionId: entry.sessionId === null ? null : bounded(entry.sessionId, 200),
  event: bounded(entry.event, 200),
  request: entry.request === null ? null : requestFor(entry.request),
  rule: entry.rule === null ? null : bounded(entry.rule, 500),
  why: masked(entry.why, 1_000),
  ...(entry.more === undefined ? {} : { more: masked(entry.more, 1_000) })
})

export const auditLine = (entry: AuditEntry): string => `${JSON.stringify(keptEntry(entry))}\n`
