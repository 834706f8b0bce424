import { Context, type Effect, Schema } from "effect"
import type { SessionRecord } from "../domain/places/sessions/SessionRecord.ts"
import type { Moved, Recovered, RelocationError, RelocationFailedError } from "./Relocator.ts"

/** This CLI's sessions cannot be moved. */
export class NotMovableError extends Schema.TaggedError<NotMovableError>()("NotMovableError", {
  sessionId: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `session ${this.sessionId} was not moved: ${this.why}`
  }
}

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
    readonly move: (
      session: SessionRecord,
      to: string
    ) => Effect.Effect<MovedSession, RelocationError | NotMovableError>
    /** Sessions whose moves were cut off and are not settled yet. Changes nothing. */
    readonly unsettled: Effect.Effect<ReadonlyArray<string>, RelocationFailedError>
    /** Finishes or undoes moves that were cut off. */
    readonly recoverAll: Effect.Effect<ReadonlyArray<Recovered>, RelocationFailedError>
  }
>()("leap/services/SessionMover") {}
