import { Context, type Effect, Schema } from "effect"
import type { WorktreeRecord } from "../domain/places/worktrees/WorktreeRecord.ts"
import { exitCode } from "./exitCode.ts"

/** A worktree was not made or not removed; `message` says what happened and what to do. */
export class WorktreeError extends Schema.TaggedError<WorktreeError>()("WorktreeError", {
  kind: Schema.Literals(["usage", "refused", "failed", "notInstalled"]),
  message: Schema.String
}) {
  get exitCode(): number {
    return exitCode[this.kind]
  }
}

/** What is wanted. */
export interface WorktreeRequest {
  readonly tag: string
  /** A directory of the repository. */
  readonly directory: string
  /** Null: one of the session's name. */
  readonly branch: string | null
  /** A commit by any name; null: what is checked out in `directory`. */
  readonly from: string | null
  /** A line for `sh` that makes the worktree ready; null for none. */
  readonly setup: string | null
  /** The user's setting; null: beside the repository. */
  readonly parent: string | null
}

export interface MadeWorktree {
  readonly record: WorktreeRecord
  /** What the user should know, a line each. */
  readonly notes: ReadonlyArray<string>
  /** It was there: the session's own, from an earlier time. */
  readonly reused: boolean
}

/**
 * What became of a worktree that was to go. `branch`: whether the branch went with it; `ignored`: the first names of
 * what git ignores that did, "" for nothing.
 */
export interface RemovedWorktree {
  readonly gone: boolean
  readonly branch: boolean
  /** Why the branch stays that was to go. */
  readonly branchKept?: string
  readonly ignored: string
}

/**
 * git worktrees that leap makes for sessions, and takes away again. It touches only its own: those that it has a record
 * of, and that still carry its mark.
 */
export class Worktrees extends Context.Service<
  Worktrees,
  {
    /** Those that leap made and that were not taken away. A damaged record is left out with a warning. */
    readonly all: Effect.Effect<ReadonlyArray<WorktreeRecord>>
    /**
     * Makes a worktree, copies what `.worktreeinclude` names into it and runs its setup, whose lines `tell` gets. When
     * that fails or is cut off, nothing of it stays, unless somebody has begun to work in it: then it says so.
     */
    readonly make: (
      request: WorktreeRequest,
      tell: (line: string) => Effect.Effect<void>
    ) => Effect.Effect<MadeWorktree, WorktreeError>
    /** Takes back one that was just made, as a failed setup would; says why where it stays. */
    readonly undo: (record: WorktreeRecord) => Effect.Effect<ReadonlyArray<string>>
    /** Takes one away, and its branch where that is leap's; refused while anything would be lost. */
    readonly remove: (
      record: WorktreeRecord,
      /** What is known to use it. */
      users: ReadonlyArray<string>
    ) => Effect.Effect<RemovedWorktree, WorktreeError>
  }
>()("leap/services/Worktrees") {}
