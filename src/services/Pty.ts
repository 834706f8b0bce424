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

/** The program to start, where, and the size of its terminal. */
export interface PtyOptions {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly size: PtySize
}

/** A child process on a pseudo-terminal. It ends with its scope: hang-up, then kill of its process group. */
export interface PtyHandle {
  readonly pid: number
  /**
   * Passes on output bytes, unchanged, in the turn of the event loop that read them, starting with the output before
   * the call. Ends when the child has exited and all of its output was passed on. One reader at a time.
   */
  readonly follow: (take: (chunk: Uint8Array) => void) => Effect.Effect<void>
  /** Writes everything, as soon as the child takes it. */
  readonly write: (data: Uint8Array) => Effect.Effect<void>
  /** Writes what the terminal takes at once; returns the number of bytes, 0 while an earlier write waits. */
  readonly writeNow: (data: Uint8Array) => number
  readonly resize: (size: PtySize) => Effect.Effect<void>
  readonly signal: (name: "SIGHUP" | "SIGTERM" | "SIGINT" | "SIGKILL" | "SIGCONT") => Effect.Effect<void>
  /**
   * Emits when the system reports that a direct child of leap was stopped, was continued, or has ended; not always this
   * one. Grandchildren are not reported.
   */
  readonly stirs: Stream.Stream<void>
  /** Continues the stopped processes of its group, since no shell does so; returns whether any was stopped. */
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
