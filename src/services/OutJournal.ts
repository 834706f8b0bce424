import { Context, type Effect, type Scope } from "effect"
import type { OutEntry, OutEvent } from "../domain/surfaces/outgoing/OutEvent.ts"
import type { Cursor } from "../domain/surfaces/outgoing/recorded.ts"
import type { SessionMemory } from "../domain/surfaces/outgoing/SessionMemory.ts"
import type { StoreError } from "./StoreError.ts"

/** The progress of a receiver. Times are milliseconds since the epoch. */
export interface OutReceiver {
  readonly name: string
  /** The number of the last event that was delivered or given up. */
  readonly sequence: number
  readonly waiting: number
  /** How many events were given up since the receiver was registered. */
  readonly dropped: number
  /** Why delivery fails, and since when; null while it works. */
  readonly problem: string | null
  readonly since: number | null
}

/** What one transaction writes. */
export interface OutBatch {
  readonly events: ReadonlyArray<OutEvent>
  /** The new memory of these sessions; null to forget one. */
  readonly memories: ReadonlyMap<string, SessionMemory | null>
  /** The new cursors of these recorded lives, by `lifeKey`; null for one that is no longer needed. */
  readonly cursors?: ReadonlyMap<string, Cursor | null>
  readonly at: number
}

/** The journal as its single writer uses it. */
export interface OpenOutJournal {
  /**
   * The memory of all sessions, and the cursors of their records. `from`: earlier records are not sent; for a new
   * journal it is `at`. `isNew`: nothing was ever written.
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
  /** Appends new events and drops those beyond the limits of age and size. Returns the number added. */
  readonly append: (batch: OutBatch, keptMs: number) => Effect.Effect<number, StoreError>
  /**
   * Sets the receivers; others are forgotten. A new receiver first gets the past events that still hold, then new ones.
   * A receiver that sends to another place than before also gets them, but continues at its position.
   */
  readonly register: (
    names: ReadonlyArray<string>,
    places?: ReadonlyMap<string, string>
  ) => Effect.Effect<void, StoreError>
  /**
   * The first event that the receiver does not have; `dropped`: how many before it were given up. A past event that
   * still holds has a number not above the receiver's own.
   */
  readonly next: (
    receiver: string
  ) => Effect.Effect<{ readonly entry: OutEntry; readonly dropped: number } | null, StoreError>
  /** The receiver has everything up to `sequence`, except `dropped` events that were given up. */
  readonly passed: (receiver: string, sequence: number, dropped: number) => Effect.Effect<void, StoreError>
  readonly failing: (receiver: string, problem: string | null, at: number) => Effect.Effect<void, StoreError>
  /** A value that a receiver stored under a name. The number of values is bounded; the oldest is dropped first. */
  readonly note: (receiver: string, name: string) => Effect.Effect<string | null, StoreError>
  readonly setNote: (
    receiver: string,
    name: string,
    value: string | null,
    at: number
  ) => Effect.Effect<void, StoreError>
}

/** Durable storage of events from their observation until every receiver has them. */
export class OutJournal extends Context.Service<
  OutJournal,
  {
    readonly file: string
    /** Opens or creates the journal for its single writer. */
    readonly open: Effect.Effect<OpenOutJournal, StoreError, Scope.Scope>
    /** The progress of each receiver, readable while another process writes; empty without a journal. */
    readonly receivers: Effect.Effect<ReadonlyArray<OutReceiver>, StoreError>
  }
>()("leap/services/OutJournal") {}
