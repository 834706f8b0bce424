import { Context, type Effect, Schema } from "effect"
import type { Plan } from "../domain/places/relocation/Plan.ts"

/** A registry could not be changed. */
export class RegistryError extends Schema.TaggedError<RegistryError>()("RegistryError", {
  what: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `could not ${this.what}: ${this.why}`
  }
}

/**
 * Changes the registries that record where a session is: leap's records, and the CLI's own. Both operations can be
 * repeated, also after a crash in the middle, and then complete what is missing. Each must fail when it could not make
 * its change: the move is then undone.
 */
export interface SessionRegistries {
  readonly apply: (plan: Plan) => Effect.Effect<void, RegistryError>
  readonly revert: (plan: Plan) => Effect.Effect<void, RegistryError>
}

const RefusalReason = Schema.Literals([
  "bad-plan",
  "source-missing",
  "source-kind",
  "destination-exists",
  "not-yours",
  "not-writable",
  "source-changed",
  "in-use",
  "unreadable",
  "ambiguous",
  "registry-damaged"
])

/** The session was not moved, and nothing was changed. */
export class RelocationRefusedError extends Schema.TaggedError<RelocationRefusedError>()("RelocationRefusedError", {
  sessionId: Schema.String,
  reason: RefusalReason,
  path: Schema.String,
  why: Schema.String
}) {
  override get message() {
    const where = this.path === "" ? "" : `${JSON.stringify(this.path)}: `
    // where the session is not found nothing can be said of its state
    return (
      `session ${this.sessionId} was not moved: ${where}${this.why}` +
      (this.reason === "source-missing" ? "" : ". It is where it was, complete")
    )
  }
}

/** Something went wrong before the session was moved. */
export class RelocationFailedError extends Schema.TaggedError<RelocationFailedError>()("RelocationFailedError", {
  sessionId: Schema.String,
  why: Schema.String,
  /**
   * False: what had been done could not be undone at once; the next leap command that moves or resumes a session undoes
   * it.
   */
  undone: Schema.Boolean
}) {
  override get message() {
    return (
      `session ${this.sessionId} was not moved: ${this.why}. ` +
      (this.undone
        ? "It is where it was, complete"
        : "It is complete, but something of a move may still lie about; " +
          "the next leap command that moves or resumes a session finishes or undoes it")
    )
  }
}

/** Another leap is moving the session right now. */
export class RelocationBusyError extends Schema.TaggedError<RelocationBusyError>()("RelocationBusyError", {
  sessionId: Schema.String
}) {
  override get message() {
    return (
      `session ${this.sessionId} is being moved by another leap at this moment: wait until it has finished, ` +
      "then look where the session is"
    )
  }
}

/** An earlier move was cut off, and only the user can decide how to resolve it. */
export class RelocationUnsettledError extends Schema.TaggedError<RelocationUnsettledError>()(
  "RelocationUnsettledError",
  {
    sessionId: Schema.String,
    path: Schema.String,
    why: Schema.String,
    journal: Schema.String
  }
) {
  override get message() {
    const what =
      `an earlier move of session ${this.sessionId} was cut off and cannot be settled: ` +
      `${JSON.stringify(this.path)}: ${this.why}. Nothing was deleted`
    return this.path === this.journal
      ? what
      : `${what}. Put back or move away what is in the way and try again; the record of the move is ${this.journal}`
  }
}

/** All that a move can fail with. */
export type RelocationError =
  | RelocationRefusedError
  | RelocationFailedError
  | RelocationBusyError
  | RelocationUnsettledError

/** A file that stayed at the source because it has content that the destination lacks. */
export interface LeftoverFile {
  readonly path: string
  readonly why: string
}

/** The result of a move. The session is at its destination, complete, and the registries record that. */
export interface Moved {
  /** Files that kept their inode: a process that has one open still writes to the same file. */
  readonly linked: number
  readonly copied: number
  readonly leftovers: ReadonlyArray<LeftoverFile>
  /** Why the source could not be cleared at once; the next recovery tries again. */
  readonly pending: string | null
}

/** How the journal of a move that was cut off was settled. */
export interface Recovered {
  readonly key: string
  readonly outcome: "finished" | "undone" | "refused"
  /** For a refusal the reason; otherwise what the user still has to be told, or "". */
  readonly why: string
  readonly leftovers: ReadonlyArray<LeftoverFile>
}

/**
 * Moves the files that a CLI keeps of a session. At every instant, also after the process that moves is killed, the
 * session is complete at its source or at its destination; a recovery makes that place the only one. An existing
 * destination is never overwritten. The caller makes sure that no CLI runs the session meanwhile: one that opens files
 * by name would begin a new file.
 */
export class Relocator extends Context.Service<
  Relocator,
  {
    readonly move: (plan: Plan, registries: SessionRegistries) => Effect.Effect<Moved, RelocationError>
    /**
     * Moves by a plan that is made when no other process moves the session and any earlier move that was cut off is
     * settled, so that the plan sees a consistent disk. The plan must be for this session.
     */
    readonly moveBy: <E, R>(
      session: Pick<Plan, "cli" | "sessionId">,
      plan: Effect.Effect<Plan, E, R>,
      registries: SessionRegistries
    ) => Effect.Effect<Moved, RelocationError | E, R>
    /**
     * Sessions whose moves were cut off, until a recovery settles them; sessions being moved right now are not among
     * them. Changes nothing.
     */
    readonly unsettled: Effect.Effect<ReadonlyArray<string>, RelocationFailedError>
    /** Finishes or undoes the moves that were cut off, and leaves alone those that are under way. */
    readonly recoverAll: (
      registries: SessionRegistries
    ) => Effect.Effect<ReadonlyArray<Recovered>, RelocationFailedError>
  }
>()("leap/services/Relocator") {}
