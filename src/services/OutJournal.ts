import { Context, type Effect, type Scope } from "effect"
import type { OutEntry, OutEvent } from "../domain/surfaces/out/OutEvent.ts"
import type { Cursor } from "../domain/surfaces/out/recorded.ts"
import type { SessionMemory } from "../domain/surfaces/out/SessionMemory.ts"
import type { StoreError } from "./StoreError.ts"

/** How far a receiver has come. Times are milliseconds since the epoch. */
export interface OutReceiver {
  readonly name: string
  /** The number of the last event that it has, or that was given up. */
  readonly sequence: number
  readonly waiting: number
  /** So many events were given up since it is known. */
  readonly dropped: number
  /** Why it takes none, and since when; null while it does. */
  readonly problem: string | null
  readonly since: number | null
}

/** What is written at once: all of it, or nothing. */
export interface OutBatch {
  readonly events: ReadonlyArray<OutEvent>
  /** What is remembered of these sessions from now on; null for one that is forgotten. */
  readonly memories: ReadonlyMap<string, SessionMemory | null>
  /** How far these recorded lives are told with that, by their `lifeKey`; null for one that is not needed any more. */
  readonly cursors?: ReadonlyMap<string, Cursor | null>
  readonly at: number
}

/** The journal as the one process has it that writes it. */
export interface OpenOutJournal {
  /**
   * What was remembered of all sessions, and how far what is recorded of them is told. `from`: what was recorded before
   * is not told, with `at` where the journal is new; `isNew`: nothing was ever written.
   */
  readonly remembered: (at: number) => Effect.Effect<
    {
      readonly sessions: ReadonlyMap<string, SessionMemory>
      readonly cursors: ReadonlyMap<string, Cursor>
      readonly from: number
      readonly isNew: boolean
    },
    StoreError
  >
  /**
   * Adds events at the end, but for those whose id is there, and drops what is too old or too much. Gives how many were
   * added.
   */
  readonly append: (batch: OutBatch, keptMs: number) => Effect.Effect<number, StoreError>
  /**
   * These are the receivers from now on; others are forgotten. One that is new begins with what was told and still
   * holds, then with what comes; so does one in another of `places`, by its name, but that it goes on where it was.
   */
  readonly register: (
    names: ReadonlyArray<string>,
    places?: ReadonlyMap<string, string>
  ) => Effect.Effect<void, StoreError>
  /**
   * The first event that the receiver does not have; `dropped`: how many before it were given up. What still holds from
   * before it was known has a number that is not above its own.
   */
  readonly next: (
    receiver: string
  ) => Effect.Effect<{ readonly entry: OutEntry; readonly dropped: number } | null, StoreError>
  /** The receiver has all up to this one, or they were given up: `dropped` of them. */
  readonly passed: (receiver: string, sequence: number, dropped: number) => Effect.Effect<void, StoreError>
  readonly failing: (receiver: string, problem: string | null, at: number) => Effect.Effect<void, StoreError>
  /** What a receiver keeps under a name of its own; bounded, the oldest goes first. */
  readonly note: (receiver: string, name: string) => Effect.Effect<string | null, StoreError>
  readonly setNote: (
    receiver: string,
    name: string,
    value: string | null,
    at: number
  ) => Effect.Effect<void, StoreError>
}

/** Events between the moment in which they are seen and the one in which every receiver has them, on disk. */
export class OutJournal extends Context.Service<
  OutJournal,
  {
    readonly file: string
    /** Opens it for the one process that writes it; makes it where there is none. */
    readonly open: Effect.Effect<OpenOutJournal, StoreError, Scope.Scope>
    /** How far each receiver has come, read while another process writes; none where there is no journal. */
    readonly receivers: Effect.Effect<ReadonlyArray<OutReceiver>, StoreError>
  }
>()("leap/services/OutJournal") {}
