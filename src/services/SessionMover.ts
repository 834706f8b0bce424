import { Context, type Effect } from "effect"
import type { SessionRecord } from "../domain/places/sessions/SessionRecord.ts"
import type { Moved, Recovered, RelocationError } from "./Relocator.ts"

/** The session after its move, under its new record. */
export interface MovedSession extends Moved {
  readonly session: SessionRecord
}

/**
 * Moves sessions of any CLI between directories: the session's files, the CLI's registries and leap's records together.
 */
export class SessionMover extends Context.Service<
  SessionMover,
  {
    /**
     * Makes the session live in the directory `to`, which exists. The caller makes sure that no host runs the session
     * meanwhile. Does nothing where the session lives there already.
     */
    readonly move: (session: SessionRecord, to: string) => Effect.Effect<MovedSession, RelocationError>
    /** Sessions whose moves were cut off and are not settled yet. Changes nothing. */
    readonly unsettled: Effect.Effect<ReadonlyArray<string>, RelocationError>
    /** Finishes or undoes moves that were cut off. */
    readonly recoverAll: Effect.Effect<ReadonlyArray<Recovered>, RelocationError>
  }
>()("leap/services/SessionMover") {}
