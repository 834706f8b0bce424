import { Schema } from "effect"
import { isSafeName } from "../relocation/safeName.ts"
import { StartWords } from "../../words/session/StartWords.ts"

const Name = Schema.String.check(
  Schema.makeFilter((name: string) => (isSafeName(name) ? undefined : "it is no name that can be put into a path"))
)

const Path = Schema.String.check(
  Schema.makeFilter((path: string) =>
    path.startsWith("/") && !path.includes("\0") ? undefined : "it is no absolute path"
  )
)

/** A session that a CLI had under a tag. Times are milliseconds since the epoch, 0 if unknown. */
export const SessionRecord = Schema.Struct({
  cli: Name,
  /** The built-in CLI that `cli` is, or is a variant of. */
  base: Name,
  sessionId: Name,
  /** Absolute; null if the CLI has not reported it. */
  transcriptPath: Schema.NullOr(Path),
  cwd: Path,
  firstSeen: Schema.Finite,
  lastSeen: Schema.Finite,
  /** The version of leap that wrote it. */
  version: Schema.String,
  /** The words that its CLI was last started with; absent in records of older versions. */
  words: Schema.optionalKey(StartWords)
})
export type SessionRecord = typeof SessionRecord.Type

/** Whether two records are of one session. The same id of two CLIs is two sessions. */
export const isSame = (
  a: Pick<SessionRecord, "cli" | "sessionId">,
  b: Pick<SessionRecord, "cli" | "sessionId">
): boolean => a.cli === b.cli && a.sessionId === b.sessionId

/**
 * The record of a session's last known conversation. A host that was killed may have recorded it without reporting it
 * in its status: then it is the last one seen with the session's CLI since the start.
 */
export const recordOf = (
  session: { readonly cli: string; readonly sessionId: string | null; readonly startedAt: string },
  records: ReadonlyArray<SessionRecord>
): SessionRecord | undefined => {
  const { cli, sessionId, startedAt } = session
  const its = records.filter((record) => record.cli === cli)
  return sessionId === null
    ? its.filter(({ lastSeen }) => lastSeen >= Date.parse(startedAt)).toSorted((a, b) => b.lastSeen - a.lastSeen)[0]
    : its.find((record) => record.sessionId === sessionId)
}
