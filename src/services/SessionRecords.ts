import { Context, type Effect } from "effect"
import type { RecordBook, Relocated, RecordedLocation, SessionRow } from "../domain/store/conversations/RecordBook.ts"
import type { StartWords } from "../domain/words/session/StartWords.ts"
import type { SessionRecord } from "../domain/store/conversations/SessionRecord.ts"
import type { Tag } from "../domain/words/session/Tag.ts"
import type { StoreError } from "./StoreError.ts"

/** A session as its host sees it. `told`: the CLI itself has reported the directory. */
export interface ObservedSession extends Omit<SessionRecord, "firstSeen" | "lastSeen" | "version"> {
  readonly told?: boolean
}

/** A session that can be picked, and the size of its data on disk. */
export interface PickableSession extends SessionRow {
  readonly tag: Tag
  /** The length of its transcript; null if unknown. */
  readonly bytes: number | null
}

/**
 * Every session of each tag, one file for each tag. Changes are made under the file's lock, so that concurrent
 * processes lose none. In a damaged file the readable part counts; a copy is kept before the file is rewritten.
 */
export class SessionRecords extends Context.Service<
  SessionRecords,
  {
    /** Records the session as the tag's latest, with the present time. */
    readonly record: (tag: Tag, session: ObservedSession) => Effect.Effect<void, StoreError>
    /** Each tag's sessions, the latest last. An unreadable file counts as empty and is reported by a warning. */
    readonly all: Effect.Effect<ReadonlyArray<{ readonly tag: Tag; readonly book: RecordBook }>>
    /** The sessions whose data the CLI still keeps, or may keep, each once, newest first. */
    readonly rows: Effect.Effect<ReadonlyArray<PickableSession>>
    /** The transcript of the tag's latest session of this CLI. */
    readonly latestTranscript: (tag: Tag, cli: string) => Effect.Effect<string | null>
    /** Records the command-line words with which the tag's CLI starts. */
    readonly started: (tag: Tag, cli: string, words: StartWords) => Effect.Effect<void, StoreError>
    /** The words of this CLI's last start: of the conversation under any tag, or for null of the tag. Null: unknown. */
    readonly wordsOf: (tag: Tag, cli: string, sessionId: string | null) => Effect.Effect<StartWords | null>
    /** Where each tag's records place the session. Fails when one of them cannot be read. */
    readonly locationsOf: (
      session: Pick<Relocated, "cli" | "sessionId">
    ) => Effect.Effect<ReadonlyArray<RecordedLocation>, StoreError>
    /**
     * Records under every tag where the session is now; returns the number of files changed. Fails when a file could
     * not be read or written, and when no tag has the session: the move is then undone. Idempotent.
     */
    readonly relocate: (moved: Relocated) => Effect.Effect<number, StoreError>
    /**
     * Reverts `relocate`: records in `recorded` get their former location, the others get `fallback`, and a record that
     * was changed since stays. Idempotent, also when nothing was changed.
     */
    readonly restore: (
      moved: Relocated,
      recorded: ReadonlyArray<RecordedLocation>,
      fallback: Pick<RecordedLocation, "cwd" | "transcriptPath">
    ) => Effect.Effect<void, StoreError>
    /**
     * The directory in which to resume: the recorded one, unless it no longer exists or the CLI binds sessions to a
     * directory. Then the CLI's own data decide, if they name an existing directory.
     */
    readonly heal: (
      session: Pick<SessionRecord, "cli" | "base" | "sessionId" | "cwd" | "transcriptPath">
    ) => Effect.Effect<string>
    /** Removes sessions of which certainly nothing is left; returns their number. Nobody needs to wait for this. */
    readonly prune: Effect.Effect<number>
  }
>()("leap/services/SessionRecords") {}
