import { Context, type Effect, Schema } from "effect"
import type { SessionRecord } from "../domain/sessions/SessionRecord.ts"
import type { Moved, Recovered, RelocationError, RelocationFailedError } from "./Relocator.ts"

/** The session's CLI cannot have its sessions moved. */
export class NotMovableError extends Schema.TaggedError<NotMovableError>()("NotMovableError", {
  sessionId: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `session ${this.sessionId} was not moved: ${this.why}`
  }
}

/** A session that lives in another directory now, and under this record. */
export interface MovedSession extends Moved {
  readonly session: SessionRecord
}

/** Moves sessions between directories, whichever CLI's they are: its files, its registries and leap's records together. */
export class SessionMover extends Context.Service<SessionMover, {
  /**
   * Makes the session one of the directory `to`, which exists. The caller sees to it that no host runs the session
   * meanwhile. Where it lives there already nothing happens.
   */
  readonly move: (session: SessionRecord, to: string) => Effect.Effect<MovedSession, RelocationError | NotMovableError>
  /** Sessions whose moves were cut off and are not settled yet. Changes nothing. */
  readonly unsettled: Effect.Effect<ReadonlyArray<string>, RelocationFailedError>
  /** Finishes or undoes the moves whose movers died. */
  readonly recoverAll: Effect.Effect<ReadonlyArray<Recovered>, RelocationFailedError>
}>()("leap/services/SessionMover") {}
