import { Context, type Effect, Schema } from "effect"
import type { RecordBook, Relocated, Said, SessionRow } from "../domain/sessions/RecordBook.ts"
import type { SessionRecord } from "../domain/sessions/SessionRecord.ts"
import type { Tag } from "../domain/Tag.ts"

/** The records of sessions could not be changed as asked. */
export class SessionRecordsError extends Schema.TaggedError<SessionRecordsError>()("SessionRecordsError", {
  what: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `${this.what}: ${this.why}`
  }
}

/** No tag has such a session. */
export class UnrecordedSessionError extends Schema.TaggedError<UnrecordedSessionError>()("UnrecordedSessionError", {
  sessionId: Schema.String
}) {
  override get message() {
    return `the records of session ${JSON.stringify(this.sessionId)} were not changed: no tag has such a session`
  }
}

/** A session as its host sees it. */
export type SeenSession = Omit<SessionRecord, "firstSeen" | "lastSeen" | "version">

/** A session that can be picked, and what is on the disk of it. */
export interface PickableSession extends SessionRow {
  readonly tag: Tag
  /** The length of its transcript; null where none is known. */
  readonly bytes: number | null
}

/**
 * Every session that each tag has had. One file a tag; changes are made under its lock, so none is lost however many
 * processes make them. What of a damaged file can be read counts, and what cannot is kept aside before the file is written.
 */
export class SessionRecords extends Context.Service<SessionRecords, {
  /** Takes the session in as the one that the tag saw last, now. */
  readonly record: (tag: Tag, session: SeenSession) => Effect.Effect<void, SessionRecordsError>
  /** Each tag's sessions, the last one at the end. A file that cannot be read holds none, and is warned of. */
  readonly all: Effect.Effect<ReadonlyArray<{ readonly tag: Tag; readonly book: RecordBook }>>
  /** The sessions of which the CLI still has something, each once, newest first. */
  readonly rows: Effect.Effect<ReadonlyArray<PickableSession>>
  /** The transcript that the tag's last session of this CLI has. */
  readonly latestTranscript: (tag: Tag, cli: string) => Effect.Effect<string | null>
  /** What every tag's records say of where the session is. Fails when one of them cannot be read. */
  readonly said: (session: Pick<Relocated, "cli" | "sessionId">) => Effect.Effect<ReadonlyArray<Said>, SessionRecordsError>
  /**
   * Says under every tag where the session is now, and in how many files. Fails when one of them could not be read or
   * written, and when none knows the session: whoever moves it undoes the move then. May be asked for again.
   */
  readonly relocate: (moved: Relocated) => Effect.Effect<number, SessionRecordsError | UnrecordedSessionError>
  /**
   * Takes `relocate` back: the records say again what they said, those that are not in `said` what `otherwise` says, and one
   * that was changed since stays. May be asked for again, and when nothing was changed.
   */
  readonly restore: (
    moved: Relocated, said: ReadonlyArray<Said>, otherwise: Pick<Said, "cwd" | "transcriptPath">
  ) => Effect.Effect<void, SessionRecordsError>
  /**
   * The directory to go on in: by the CLI's own data where it binds sessions to a directory, or where the recorded one is
   * no longer there; otherwise, and where those do not tell of a directory that is there, the recorded one.
   */
  readonly heal: (session: Pick<SessionRecord, "cli" | "base" | "sessionId" | "cwd" | "transcriptPath">) => Effect.Effect<string>
  /** Forgets sessions of which certainly nothing is left, and gives their number. Nobody need wait for it. */
  readonly prune: Effect.Effect<number>
}>()("leap/services/SessionRecords") {}
