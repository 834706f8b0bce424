import { Context, type Effect, type Scope } from "effect"
import type { Spent } from "../domain/cli/usage/Budget.ts"
import type { LogSource } from "../domain/engine/history/LogEntry.ts"
import type { LifeRow, RecordRow, TextKind } from "../domain/engine/history/RecordRow.ts"
import type { RecordedLife, RowsKnown } from "../domain/engine/history/RecordedLife.ts"
import type { ReportSource, Span } from "../domain/engine/history/Report.ts"
import type { RecordedCourse } from "../domain/engine/history/RecordedCourse.ts"
import type { StoreError } from "./StoreError.ts"

/** The record as one life writes it. It never waits for a lock: a locked record fails as `busy`. */
export interface LifeWriter {
  /** The record, or this life in it, is new; earlier rows are not there. */
  readonly isNew: boolean
  /** Writes all of these rows, or none; returns the size of the write-ahead log before, in bytes. */
  readonly write: (rows: ReadonlyArray<RecordRow>, at: number) => Effect.Effect<number, StoreError>
}

/** A message, a prompt or an answer that matches the search. */
export interface Found {
  readonly at: number
  readonly tag: string
  readonly kind: TextKind
  /** The text around the match, with the matched words in brackets. */
  readonly excerpt: string
  /** The CLI's id of the conversation in which it was said; null if it told none. */
  readonly sessionId: string | null
}

export interface RecordQuery {
  /** Null for all sessions. */
  readonly tag: string | null
  readonly from: number
  /** At most this many of each kind, the latest. */
  readonly limit: number
}

/** The conversation with this id, or (null) the last one of a session whose CLI told none. */
export interface SaidQuery {
  readonly tag: string
  readonly sessionId: string | null
  /** At most this many turns, the latest. */
  readonly limit: number
}

/** A turn's prompt and answer, as far as texts are recorded. */
export interface Said {
  readonly prompt: string | null
  readonly answer: string | null
}

/** The state of the record's file. `aside`: damaged files that were set aside. */
export interface RecordHealth {
  readonly bytes: number
  readonly lives: number
  readonly aside: ReadonlyArray<string>
}

/** What all sessions did, in one database that all hosts write. It can be read meanwhile; a missing one is empty. */
export class RecordStore extends Context.Service<
  RecordStore,
  {
    readonly file: string
    /** Opens or creates the record for one life's rows. A damaged record is set aside first. */
    readonly open: (life: LifeRow) => Effect.Effect<LifeWriter, StoreError, Scope.Scope>
    /** Starts a process that drops rows beyond the limits, unless one did so lately, and checkpoints a long log. */
    readonly upkeep: (days: number, megabytes: number) => Effect.Effect<void>
    readonly report: (spans: ReadonlyArray<Span>) => Effect.Effect<ReportSource, StoreError>
    /** What all sessions and headless runs used in this span. */
    readonly spent: (span: Span) => Effect.Effect<Spent, StoreError>
    /** The states and usage of all sessions since a time; only the latest part if there is too much. */
    readonly course: (from: number) => Effect.Effect<RecordedCourse, StoreError>
    readonly log: (query: RecordQuery) => Effect.Effect<LogSource, StoreError>
    /** Newest first. */
    readonly said: (query: SaidQuery) => Effect.Effect<ReadonlyArray<Said>, StoreError>
    /** Lives written since a time, with the rows that `known` lacks (by `lifeKey`); only the first of each kind. */
    readonly after: (
      from: number,
      known: ReadonlyMap<string, RowsKnown>
    ) => Effect.Effect<ReadonlyArray<RecordedLife>, StoreError>
    /** Newest first. `words`: a query of FTS5. */
    readonly search: (query: RecordQuery, words: string) => Effect.Effect<ReadonlyArray<Found>, StoreError>
    /** Null if there is no record, nor one that was set aside. Fails if it is damaged, or cannot be written now. */
    readonly check: Effect.Effect<RecordHealth | null, StoreError>
  }
>()("leap/services/RecordStore") {}
