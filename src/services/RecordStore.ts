import { Context, type Effect, type Scope } from "effect"
import type { LogSource } from "../domain/engine/record/LogEntry.ts"
import type { LifeRow, RecordRow, TextKind } from "../domain/engine/record/RecordRow.ts"
import type { RecordedLife, RowsKnown } from "../domain/engine/record/RecordedLife.ts"
import type { ReportSource, Span } from "../domain/engine/record/Report.ts"
import type { RecordedCourse } from "../domain/engine/record/Course.ts"
import type { StoreError } from "./StoreError.ts"

/** The record as one life writes it. Nothing here waits for a lock: what is held by another fails as `busy`. */
export interface LifeWriter {
  /** The record, or this life in it, is new: what was written of it before is not there. */
  readonly isNew: boolean
  /** Writes all of these, or none; gives how many bytes wait in the log beside the database, before them. */
  readonly write: (rows: ReadonlyArray<RecordRow>, at: number) => Effect.Effect<number, StoreError>
}

/** A message, a prompt or an answer in which what was searched for stands. */
export interface Found {
  readonly at: number
  readonly tag: string
  readonly kind: TextKind
  /** Around the place, with its words between brackets. */
  readonly excerpt: string
}

/** What of the record is wanted. */
export interface RecordQuery {
  /** Null for all sessions. */
  readonly tag: string | null
  readonly from: number
  /** Of each kind the last so many. */
  readonly limit: number
}

/** The state of the record's file. `aside`: damaged ones that were set aside. */
export interface RecordHealth {
  readonly bytes: number
  readonly lives: number
  readonly aside: ReadonlyArray<string>
}

/** What all sessions did, in one database, which all hosts write. Read while they write; a missing one is empty. */
export class RecordStore extends Context.Service<
  RecordStore,
  {
    readonly file: string
    /** Opens the record for one life's rows; makes it where there is none. One that is damaged is set aside first. */
    readonly open: (life: LifeRow) => Effect.Effect<LifeWriter, StoreError, Scope.Scope>
    /**
     * Begins, in a process of its own, to forget what is too old, or too much, unless that was done lately, and to
     * bring a log that has grown long into the database.
     */
    readonly upkeep: (days: number, megabytes: number) => Effect.Effect<void>
    readonly report: (spans: ReadonlyArray<Span>) => Effect.Effect<ReportSource, StoreError>
    /** What all sessions were in, and used, since a time: the last of it, where it is very much. */
    readonly course: (from: number) => Effect.Effect<RecordedCourse, StoreError>
    readonly log: (query: RecordQuery) => Effect.Effect<LogSource, StoreError>
    /**
     * Lives that were written since a time, with the rows of each that are not known: by its `lifeKey` in `known`, all
     * of one that is not in it. Of each kind the first so many.
     */
    readonly after: (
      from: number,
      known: ReadonlyMap<string, RowsKnown>
    ) => Effect.Effect<ReadonlyArray<RecordedLife>, StoreError>
    /** Newest first. `words`: a query of FTS5. */
    readonly search: (query: RecordQuery, words: string) => Effect.Effect<ReadonlyArray<Found>, StoreError>
    /** Null where there is no record. Fails where it could not be written. */
    readonly check: Effect.Effect<RecordHealth | null, StoreError>
  }
>()("leap/services/RecordStore") {}
