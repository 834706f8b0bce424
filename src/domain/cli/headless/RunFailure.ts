import type { ProviderProblem } from "./AgentEvent.ts"

/** A time limit that was exceeded: of the whole run, or (`idle`) of its silence. */
export interface TimeOut {
  readonly afterMs: number
  readonly idle: boolean
}

/** The run's output before it failed, without secrets. It is kept because the user pays for it. */
export interface PartialResult {
  readonly sessionId: string | null
  readonly text: string
  readonly stderr: string
}

export type FailureReason =
  | ({
      readonly _tag: "TimedOut"
      /** The problem after which the CLI was retrying when the time ran out. */
      readonly retrying: ProviderProblem | null
    } & TimeOut)
  /** The provider reported why. `exit`: the CLI's exit code. */
  | { readonly _tag: "Reported"; readonly problem: ProviderProblem; readonly exit: number | null }
  | { readonly _tag: "Exited"; readonly code: number | null; readonly signal: string | null }
  /** The output was not understood, or ended in the middle. */
  | { readonly _tag: "NotUnderstood"; readonly why: string }

export interface RunFailure {
  readonly reason: FailureReason
  readonly partial: PartialResult
}
