import { Context, type Effect, Schema, type Scope, type Stream } from "effect"
import type { ToolUse } from "../domain/words/session/AskedTools.ts"
import type { Permit } from "./AgentProvider.ts"

/** A headless CLI's requests for tools cannot be decided on. */
export class AgentHooksError extends Schema.TaggedError<AgentHooksError>()("AgentHooksError", {
  displayName: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `${this.displayName} would not heed leap's rules: ${this.why}`
  }
}

/** A tool that was refused to the model. */
export interface RefusedTool {
  readonly tool: string
  readonly why: string
}

/** A run whose CLI asks before it uses a tool. */
export interface HookedRun {
  /** Added to the CLI's environment. */
  readonly env: Readonly<Record<string, string>>
  /** Answers the hooks of this process until the scope ends, and tells what was refused. */
  readonly watch: (pid: number) => Effect.Effect<Stream.Stream<RefusedTool>, never, Scope.Scope>
  /**
   * Returns when the first event of its own hooks has come, which proves that they ask; absent for a CLI that promises
   * none.
   */
  readonly heard?: Effect.Effect<void>
  /**
   * Whether a hook of its own has asked about this use of a tool, which the CLI says to have run: waits for that hook,
   * bounded. Absent for a CLI that promises none.
   */
  readonly asked?: (ran: ToolUse) => Effect.Effect<boolean>
}

/** Decides on the tools of CLIs that run without a terminal, through the hooks that leap is wired into. */
export class AgentHooks extends Context.Service<
  AgentHooks,
  {
    /** Opens the hooks of one run before its CLI starts; they are closed with the scope. */
    readonly open: (
      run: {
        readonly cli: string
        readonly cwd: string
        /** The CLI's further arguments, and what is added to its environment: they may switch its hooks off. */
        readonly args?: ReadonlyArray<string>
        readonly env?: Readonly<Record<string, string | null>>
      },
      permit: Permit
    ) => Effect.Effect<HookedRun, AgentHooksError, Scope.Scope>
  }
>()("leap/services/AgentHooks") {}
