import type { ProviderProblem } from "./AgentEvent.ts"

/** A time limit that a run has exceeded: of the whole run, or (`idle`) of its silence. */
export interface TimeOut {
  readonly afterMs: number
  readonly idle: boolean
}

/** What had come before a run failed, without secrets: nothing of a paid answer is thrown away. */
export interface PartialResult {
  readonly sessionId: string | null
  readonly text: string
  readonly stderr: string
}

/** Why a run gave no result. */
export type FailureReason =
  | ({
      readonly _tag: "TimedOut"
      /** Why the provider was trying again when its time was over; null where it was not. */
      readonly retrying: ProviderProblem | null
    } & TimeOut)
  /** The provider itself reported why. `exit`: the exit code of a CLI. */
  | { readonly _tag: "Reported"; readonly problem: ProviderProblem; readonly exit: number | null }
  /** A CLI ended without saying why. */
  | { readonly _tag: "Exited"; readonly code: number | null; readonly signal: string | null }
  /** The output could not be understood, or ended in the middle. */
  | { readonly _tag: "NotUnderstood"; readonly why: string }

export interface RunFailure {
  readonly reason: FailureReason
  readonly partial: PartialResult
}
