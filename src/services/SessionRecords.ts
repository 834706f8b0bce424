import { Context, type Effect } from "effect"
import type { RecordBook, Relocated, RecordedLocation, SessionRow } from "../domain/places/sessions/RecordBook.ts"
import type { StartWords } from "../domain/words/session/StartWords.ts"
import type { SessionRecord } from "../domain/places/sessions/SessionRecord.ts"
import type { Tag } from "../domain/words/session/Tag.ts"
import type { StoreError } from "./StoreError.ts"

/** A session as its host sees it. `told`: the CLI itself has said that this is its directory. */
export interface ObservedSession extends Omit<SessionRecord, "firstSeen" | "lastSeen" | "version"> {
  readonly told?: boolean
}

/** A session that can be picked, and the size of what is on disk. */
export interface PickableSession extends SessionRow {
  readonly tag: Tag
  /** The length of its transcript; null where none is known. */
  readonly bytes: number | null
}

/**
 * Every session that each tag has had, one file for each tag. Changes are made under the file's lock, so that none is
 * lost when several processes make them. Of a damaged file the readable part counts, and the file is kept aside before
 * it is rewritten.
 */
export class SessionRecords extends Context.Service<
  SessionRecords,
  {
    /** Records the session as the one that the tag has had last, with the present time. */
    readonly record: (tag: Tag, session: ObservedSession) => Effect.Effect<void, StoreError>
    /**
     * Each tag's sessions, the latest last. A file that cannot be read counts as empty and is reported by a warning.
     */
    readonly all: Effect.Effect<ReadonlyArray<{ readonly tag: Tag; readonly book: RecordBook }>>
    /** The sessions of which the CLI still keeps data, each once, newest first. */
    readonly rows: Effect.Effect<ReadonlyArray<PickableSession>>
    /** The transcript of the tag's latest session of this CLI. */
    readonly latestTranscript: (tag: Tag, cli: string) => Effect.Effect<string | null>
    /** Writes down what the tag's CLI is started with. */
    readonly started: (tag: Tag, cli: string, words: StartWords) => Effect.Effect<void, StoreError>
    /**
     * What the CLI was started with last: for this conversation, under whichever tag; where none is named, under this
     * tag. Null where that is not known.
     */
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
     * The directory in which to continue: taken from the CLI's own data where the CLI binds sessions to a directory or
     * the recorded directory no longer exists; the recorded one otherwise, and where the CLI's data name no directory
     * that exists.
     */
    readonly heal: (
      session: Pick<SessionRecord, "cli" | "base" | "sessionId" | "cwd" | "transcriptPath">
    ) => Effect.Effect<string>
    /**
     * Removes sessions of which certainly nothing is left, and returns their number. No caller needs to wait for it.
     */
    readonly prune: Effect.Effect<number>
  }
>()("leap/services/SessionRecords") {}
