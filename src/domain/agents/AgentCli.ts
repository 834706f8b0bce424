import type { Result } from "effect"
import type { Tokens } from "../usage/Usage.ts"
import type { AgentEvent, ProviderProblem } from "./AgentEvent.ts"
import type { AgentOptions } from "./AgentOptions.ts"
import type { RunTokens } from "./AgentResult.ts"

/** One run that is to be made. `sessionId` null: a fresh session. */
export interface AgentCall {
  readonly prompt: string
  readonly options: AgentOptions
  readonly sessionId: string | null
  /** Go on in a copy of the session, where the CLI can. */
  readonly fork: boolean
  /** A UUID that a fresh session may be given. */
  readonly freshId: string
  /** What the CLI had counted for the whole session before this run; null where that is not known. */
  readonly counted: Tokens | null
}

/**
 * A command line for it. `stdin` null: the prompt is in the arguments. In `env`, null takes a variable away. `ignored`:
 * options that this CLI has nothing for.
 */
export interface AgentCommand {
  readonly args: ReadonlyArray<string>
  readonly stdin: string | null
  readonly env: Readonly<Record<string, string | null>>
  readonly ignored: ReadonlyArray<string>
  /** An option with which the CLI writes its usage to a file as it ends; what is in it comes to `end` as `report`. */
  readonly reportFlag: string | null
}

/** An option that cannot be honoured as it stands. */
export interface OptionProblem {
  readonly option: string
  readonly why: string
}

/** What the stream of one run has told, once it has ended. */
export interface AgentTold {
  readonly sessionId: string | null
  readonly model: string | null
  /** Complete answers; a message that was cut is the last of them. */
  readonly answers: ReadonlyArray<string>
  readonly tokens: Omit<RunTokens, "estimated"> | null
  readonly usd: number | null
  readonly turns: number | null
  readonly stopReason: string | null
  readonly problem: ProviderProblem | null
  /** The stream came to its proper end; false where it was cut. */
  readonly complete: boolean
  /** What the CLI has counted for the whole session, where it tells no more than that. */
  readonly counted: Tokens | null
}

/** How a run ended. `stderr` is its last part; `report` what the CLI wrote to the file it was given, parsed. */
export interface AgentExit {
  readonly code: number | null
  readonly signal: string | null
  readonly stderr: string
  readonly report: unknown
}

/** How one CLI is run headless: pure, total functions. `State` is what its decoder remembers between lines. */
export interface AgentCli<in out State = never> {
  readonly id: string
  readonly displayName: string
  readonly binary: string
  readonly installHint: string
  /** It finds a session only in the directory in which that was begun. */
  readonly bound: boolean
  readonly command: (call: AgentCall) => Result.Result<AgentCommand, OptionProblem>
  readonly start: (call: AgentCall) => State
  /** One line of standard output, parsed; what is no JSON comes as the text itself. */
  readonly read: (state: State, line: unknown) => readonly [State, ReadonlyArray<AgentEvent>]
  /** One line of standard error, for a CLI that tells there what its stream does not. */
  readonly readError?: (state: State, line: string) => readonly [State, ReadonlyArray<AgentEvent>]
  readonly end: (state: State, exit: AgentExit) => AgentTold
}
