import { Context, type Effect, Schema } from "effect"

/** Nothing keeps the machine awake, or does so no more. */
export class SleepInhibitorError extends Schema.TaggedError<SleepInhibitorError>()("SleepInhibitorError", {
  program: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `this machine is not kept from sleeping: ${this.program} ${this.why}`
  }
}

/** Keeps the machine from sleeping by itself. A closed lid and the user's own command still send it to sleep. */
export class SleepInhibitor extends Context.Service<
  SleepInhibitor,
  {
    /** Keeps it awake until interrupted, but never longer than this process lives. `reason`: for the system's list. */
    readonly hold: (reason: string) => Effect.Effect<never, SleepInhibitorError>
  }
>()("leap/services/SleepInhibitor") {}
