import { Context, type Effect, Schema } from "effect"
import type { HostSpec } from "../domain/HostSpec.ts"

/** The host did not come up; `exitCode` is what the command ends with. */
export class HostStartError extends Schema.TaggedError<HostStartError>()("HostStartError", {
  tag: Schema.String,
  why: Schema.String,
  exitCode: Schema.Int
}) {
  override get message() {
    return `could not start session '${this.tag}': ${this.why}`
  }
}

/** Starts the background process that owns a session: a session leader of its own that outlives this terminal. */
export class HostLauncher extends Context.Service<HostLauncher, {
  /** Returns once the host serves its socket (and, unless it waits for a viewer, its CLI runs). */
  readonly start: (spec: HostSpec, logFile: string) => Effect.Effect<void, HostStartError>
}>()("leap/services/HostLauncher") {}
