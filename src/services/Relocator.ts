import { Context, type Effect, Schema } from "effect"
import type { Plan } from "../domain/relocation/Plan.ts"

/** A registry could not be changed. */
export class BookkeepingError extends Schema.TaggedError<BookkeepingError>()("BookkeepingError", {
  what: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `could not ${this.what}: ${this.why}`
  }
}

/**
 * Changes the registries that tell where a session is: leap's records, and the CLI's own. Either may be asked for again,
 * after a crash in the middle of it too, and must then complete what is missing. It must fail when what it was to change
 * could not be changed: the move is undone then.
 */
export interface Bookkeeper {
  readonly apply: (plan: Plan) => Effect.Effect<void, BookkeepingError>
  readonly revert: (plan: Plan) => Effect.Effect<void, BookkeepingError>
}

const RefusalReason = Schema.Literals([
  "bad-plan", "source-missing", "source-kind", "destination-exists", "not-yours", "not-writable", "source-changed", "in-use",
  "unreadable", "ambiguous", "registry-damaged"
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
    // of one that was not found nobody can say so
    return `session ${this.sessionId} was not moved: ${where}${this.why}${this.reason === "source-missing" ? "" : ". It is where it was, complete"}`
  }
}

/** Something went wrong before the session was moved. */
export class RelocationFailedError extends Schema.TaggedError<RelocationFailedError>()("RelocationFailedError", {
  sessionId: Schema.String,
  why: Schema.String,
  /** False: what was done so far could not be undone at once; the next leap command that moves or resumes a session does it. */
  undone: Schema.Boolean
}) {
  override get message() {
    return `session ${this.sessionId} was not moved: ${this.why}. ` + (this.undone
      ? "It is where it was, complete"
      : "It is complete, but something of a move may still lie about; the next leap command that moves or resumes a session finishes or undoes it")
  }
}

/** Another leap is moving the session at this moment. */
export class RelocationBusyError extends Schema.TaggedError<RelocationBusyError>()("RelocationBusyError", {
  sessionId: Schema.String
}) {
  override get message() {
    return `session ${this.sessionId} is being moved by another leap at this moment: wait until it has finished, then look where the session is`
  }
}

/** An earlier move died, and nobody but the user can say what should become of it. */
export class RelocationUnsettledError extends Schema.TaggedError<RelocationUnsettledError>()("RelocationUnsettledError", {
  sessionId: Schema.String,
  path: Schema.String,
  why: Schema.String,
  journal: Schema.String
}) {
  override get message() {
    const what = `an earlier move of session ${this.sessionId} was cut off and cannot be settled: ${JSON.stringify(this.path)}: ${this.why}. Nothing was deleted`
    return this.path === this.journal
      ? what
      : `${what}. Put back or move away what is in the way and try again; the record of the move is ${this.journal}`
  }
}

export type RelocationError = RelocationRefusedError | RelocationFailedError | RelocationBusyError | RelocationUnsettledError

/** A file that stayed at the source because it says something that the destination does not. */
export interface Leftover {
  readonly path: string
  readonly why: string
}

/** What a move did. The session is at its destination, complete, and the books say so. */
export interface Moved {
  /** Files that kept their inode, and with it whatever anybody still writes to them. */
  readonly linked: number
  readonly copied: number
  readonly leftovers: ReadonlyArray<Leftover>
  /** Why the source could not be cleared away at once; the next recovery tries again. */
  readonly pending: string | null
}

/** What became of the journal of a mover that died. */
export interface Recovered {
  readonly key: string
  readonly outcome: "finished" | "undone" | "refused"
  /** Of a refusal: why; of the others what is still to be told, or "". */
  readonly why: string
  readonly leftovers: ReadonlyArray<Leftover>
}

/**
 * Moves what a CLI keeps of a session. At every instant, and after the death of the mover at any instant, the session is
 * complete at its source or at its destination; a recovery makes that the only place. An existing destination is never
 * overwritten. The caller sees to it that no CLI runs the session meanwhile: one that writes by name would begin a new file.
 */
export class Relocator extends Context.Service<Relocator, {
  readonly move: (plan: Plan, books: Bookkeeper) => Effect.Effect<Moved, RelocationError>
  /**
   * Moves by a plan that is made when nobody else moves the session, and what a mover that died had begun is settled: what
   * there is on the disk can be believed then. The plan must be one of this session.
   */
  readonly moveBy: <E, R>(
    session: Pick<Plan, "cli" | "sessionId">, plan: Effect.Effect<Plan, E, R>, books: Bookkeeper
  ) => Effect.Effect<Moved, RelocationError | E, R>
  /** Finishes or undoes the moves whose movers died, and leaves alone those that are at work. */
  /** Sessions whose movers died, until a recovery settles them; those that are being moved are not among them. Changes nothing. */
  readonly unsettled: Effect.Effect<ReadonlyArray<string>, RelocationFailedError>
  readonly recoverAll: (books: Bookkeeper) => Effect.Effect<ReadonlyArray<Recovered>, RelocationFailedError>
}>()("leap/services/Relocator") {}
