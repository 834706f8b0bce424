import { Context, type Effect, Schema, type Scope, type Stream } from "effect"
import type { ToolUse } from "../domain/words/session/AskedTools.ts"
import type { Permit } from "./AgentProvider.ts"

/** Leap cannot decide on the tool requests of a headless CLI. */
export class AgentHooksError extends Schema.TaggedError<AgentHooksError>()("AgentHooksError", {
  displayName: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `${this.displayName} would not heed leap's rules: ${this.why}`
  }
}

/** A tool that the model was not allowed to use. */
export interface RefusedTool {
  readonly tool: string
  readonly why: string
}

/** A run whose CLI asks before it uses a tool. */
export interface HookedRun {
  /** Added to the CLI's environment. */
  readonly env: Readonly<Record<string, string>>
  /** Answers the hooks of this process until the scope ends, and emits the refused tools. */
  readonly watch: (pid: number) => Effect.Effect<Stream.Stream<RefusedTool>, never, Scope.Scope>
  /** Returns at the run's first hook event, which proves that hooks work. Absent if the CLI guarantees none. */
  readonly heard?: Effect.Effect<void>
  /**
   * Whether a hook has asked about a tool use that the CLI reports as done; waits a bounded time for that hook. Absent
   * for a CLI that does not guarantee hooks.
   */
  readonly asked?: (ran: ToolUse) => Effect.Effect<boolean>
}

/** Decides on the tools of CLIs that run without a terminal, through leap's installed hooks. */
export class AgentHooks extends Context.Service<
  AgentHooks,
  {
    /** Opens the hooks of one run before its CLI starts, and closes them with the scope. */
    readonly open: (
      run: {
        readonly cli: string
        readonly cwd: string
        /** The CLI's further arguments and environment changes, since they may disable hooks. */
        readonly args?: ReadonlyArray<string>
        readonly env?: Readonly<Record<string, string | null>>
      },
      permit: Permit
    ) => Effect.Effect<HookedRun, AgentHooksError, Scope.Scope>
  }
>()("leap/services/AgentHooks") {}
