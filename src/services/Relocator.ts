import { Context, type Effect, Schema } from "effect"
import type { Plan } from "../domain/store/relocation/Plan.ts"
import { exitCode } from "../domain/words/session/exitCode.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * Changes the registries that record where a session is: leap's records, and the CLI's own. Both operations are
 * idempotent and complete what is missing, even after a crash in the middle. Each must fail if it could not make its
 * change: the move is then undone.
 */
export interface SessionRegistries {
  readonly apply: (plan: Plan) => Effect.Effect<void, StoreError>
  readonly revert: (plan: Plan) => Effect.Effect<void, StoreError>
}

/**
 * The session was not moved. `failed`: an error occurred, and the changes are undone. `not-undone`: they could not be
 * undone at once; the next leap command that moves or resumes a session does it. `unsettled`: an earlier move was
 * interrupted, and only the user can resolve it. `not-movable`: sessions of this CLI, or this one, cannot be moved.
 * With any other reason nothing was changed.
 */
export class RelocationError extends Schema.TaggedError<RelocationError>()("RelocationError", {
  sessionId: Schema.String,
  reason: Schema.Literals([
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
    "registry-damaged",
    "busy",
    "failed",
    "not-undone",
    "unsettled",
    "not-movable"
  ]),
  path: Schema.String,
  why: Schema.String,
  /** The journal of the unsettled move. */
  journal: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    const { journal, path, reason, sessionId } = this
    const why = path === "" ? this.why : `${JSON.stringify(path)}: ${this.why}`
    const summary = `session ${sessionId} was not moved: ${why}`
    switch (reason) {
      case "busy":
        return (
          `session ${sessionId} is being moved by another leap at this moment: wait until it has finished, ` +
          "then look where the session is"
        )
      case "unsettled": {
        const earlier = `an earlier move of session ${sessionId} was cut off and cannot be settled`
        const what = `${earlier}: ${why}. Nothing was deleted`
        return path === journal
          ? what
          : `${what}. Put back or move away what is in the way and try again; the record of the move is ${journal}`
      }
      case "not-undone":
        return (
          `${summary}. It is complete, but something of a move may still lie about; ` +
          "the next leap command that moves or resumes a session finishes or undoes it"
        )
      case "not-movable":
      // The state of a session that was not found is unknown, so the message claims nothing about it.
      case "source-missing":
        return summary
      default:
        return `${summary}. It is where it was, complete`
    }
  }

  get exitCode(): number {
    return this.reason === "failed" || this.reason === "not-undone" ? exitCode.failed : exitCode.refused
  }
}

/** A file that stayed at the source because it has content that the destination lacks. */
export interface LeftoverFile {
  readonly path: string
  readonly why: string
}

/** The result of a move. The session is at its destination, complete, and the registries record that. */
export interface Moved {
  /** The number of files that kept their inode: a process that has one open still writes to the same file. */
  readonly linked: number
  readonly copied: number
  readonly leftovers: ReadonlyArray<LeftoverFile>
  /** Why the source could not be removed at once; the next recovery tries again. */
  readonly pending: string | null
}

/** How the journal of an interrupted move was settled. */
export interface Recovered {
  readonly key: string
  readonly outcome: "finished" | "undone" | "refused"
  /** The reason of a refusal; otherwise what the user must still know, or "". */
  readonly why: string
  readonly leftovers: ReadonlyArray<LeftoverFile>
}

/**
 * Moves the files that a CLI keeps for a session. At every instant, even after the moving process is killed, the
 * session is complete at its source or at its destination; a recovery then removes the other copy. An existing
 * destination is never overwritten. The caller makes sure that no CLI runs the session meanwhile: one that opens files
 * by name would begin a new file.
 */
export class Relocator extends Context.Service<
  Relocator,
  {
    readonly move: (plan: Plan, registries: SessionRegistries) => Effect.Effect<Moved, RelocationError>
    /**
     * Makes the plan under the lock of the move, after an interrupted earlier move is settled, so that the plan sees a
     * consistent disk. The plan must be for this session.
     */
    readonly moveBy: <E, R>(
      session: Pick<Plan, "cli" | "sessionId">,
      plan: Effect.Effect<Plan, E, R>,
      registries: SessionRegistries
    ) => Effect.Effect<Moved, RelocationError | E, R>
    /** Sessions with interrupted moves that no recovery has settled yet, without moves in progress. Changes nothing. */
    readonly unsettled: Effect.Effect<ReadonlyArray<string>, RelocationError>
    /** Finishes or undoes interrupted moves; leaves those in progress alone. */
    readonly recoverAll: (registries: SessionRegistries) => Effect.Effect<ReadonlyArray<Recovered>, RelocationError>
  }
>()("leap/services/Relocator") {}
