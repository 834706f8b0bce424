import { Context, type Effect, Schema } from "effect"
import type { HostSpec } from "../domain/words/session/HostSpec.ts"

/** The one line that a host writes to its standard output: ready, or why it failed, with the exit code. */
export const HostReady = Schema.Union([
  Schema.Struct({ ready: Schema.Literal(true), pid: Schema.Int }),
  Schema.Struct({ ready: Schema.Literal(false), message: Schema.String, exitCode: Schema.Int })
])
export type HostReady = typeof HostReady.Type

/** The host did not start. `exitCode`: how the command that started it is to exit. */
export class HostStartError extends Schema.TaggedError<HostStartError>()("HostStartError", {
  tag: Schema.String,
  why: Schema.String,
  exitCode: Schema.Int
}) {
  override get message() {
    return `could not start session '${this.tag}': ${this.why}`
  }
}

/** Starts a session's background process, a session leader that outlives this terminal. */
export class HostLauncher extends Context.Service<
  HostLauncher,
  {
    /** Returns once the host serves its socket, and its CLI runs (unless it waits for a viewer). */
    readonly start: (spec: HostSpec, logFile: string) => Effect.Effect<void, HostStartError>
  }
>()("leap/services/HostLauncher") {}
