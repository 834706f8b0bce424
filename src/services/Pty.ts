import { Context, type Effect, Schema, type Scope, type Stream } from "effect"
import type { ExitStatus } from "../domain/words/session/Session.ts"

/** A program could not be started in a pseudo-terminal. */
export class PtySpawnError extends Schema.TaggedError<PtySpawnError>()("PtySpawnError", {
  command: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `could not start ${this.command}: ${this.why}`
  }
}

/** The size of a terminal, in cells. */
export interface PtySize {
  readonly cols: number
  readonly rows: number
}

/** What is started, where, and in a terminal of which size. */
export interface PtyOptions {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly size: PtySize
}

/**
 * A child process on a pseudo-terminal. It ends with the scope that spawned it: hang-up, then kill, until its process
 * group is gone.
 */
export interface PtyHandle {
  readonly pid: number
  /**
   * Gives output bytes, unchanged, each chunk in the turn of the event loop in which it was read; what came before this
   * was called comes first. Ends when the child has exited and all of its output has been given. One at a time.
   */
  readonly follow: (take: (chunk: Uint8Array) => void) => Effect.Effect<void>
  /** Writes all of it, as soon as the child takes it. */
  readonly write: (data: Uint8Array) => Effect.Effect<void>
  /** Writes what the child's terminal takes at once; the number of bytes, 0 while an earlier write waits. */
  readonly writeNow: (data: Uint8Array) => number
  readonly resize: (size: PtySize) => Effect.Effect<void>
  readonly signal: (name: "SIGHUP" | "SIGTERM" | "SIGINT" | "SIGKILL" | "SIGCONT") => Effect.Effect<void>
  /**
   * The system tells that a process which leap itself has started was stopped, was continued, or has ended: perhaps
   * this one. Nothing is told of what that process has started.
   */
  readonly stirs: Stream.Stream<void>
  /** Continues what is stopped of its process group: no shell is there to do it. Whether anything was. */
  readonly resume: Effect.Effect<boolean>
  readonly exit: Effect.Effect<ExitStatus>
}

/** Starts programs in pseudo-terminals. */
export class Pty extends Context.Service<
  Pty,
  {
    readonly spawn: (options: PtyOptions) => Effect.Effect<PtyHandle, PtySpawnError, Scope.Scope>
  }
>()("leap/services/Pty") {}
