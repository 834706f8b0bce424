import { Context, type Effect } from "effect"
import type { SessionRecord } from "../domain/store/conversations/SessionRecord.ts"
import type { Moved, Recovered, RelocationError } from "./Relocator.ts"

/** The session after its move, under its new record. */
export interface MovedSession extends Moved {
  readonly session: SessionRecord
}

/** Moves sessions of any CLI between directories: their files, the CLI's registries and leap's records. */
export class SessionMover extends Context.Service<
  SessionMover,
  {
    /**
     * Moves the session to the existing directory `to`. The caller makes sure that no host runs the session meanwhile.
     * Does nothing if the session is there already.
     */
    readonly move: (session: SessionRecord, to: string) => Effect.Effect<MovedSession, RelocationError>
    /** Sessions with interrupted moves that are not settled yet. Changes nothing. */
    readonly unsettled: Effect.Effect<ReadonlyArray<string>, RelocationError>
    /** Finishes or undoes interrupted moves. */
    readonly recoverAll: Effect.Effect<ReadonlyArray<Recovered>, RelocationError>
  }
>()("leap/services/SessionMover") {}
