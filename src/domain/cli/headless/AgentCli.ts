import type { Result } from "effect"
import type { ToolRequest } from "../../policy/ToolRequest.ts"
import type { PolicyRule } from "../../store/settings/PolicySettings.ts"
import type { UsageReader } from "../usage/UsageReader.ts"
import type { ToolUse } from "../../words/session/AskedTools.ts"
import type { Tokens } from "../usage/Usage.ts"
import type { AgentEvent, ModelUse, ProviderProblem } from "./AgentEvent.ts"
import type { AgentOptions } from "./AgentOptions.ts"
import type { JsonSchema } from "./AnswerSchema.ts"
import type { RunTokens } from "./AgentResult.ts"

/** A picture of a prompt: its absolute path and its content. */
export interface Picture {
  readonly path: string
  readonly mediaType: string
  readonly base64: string
}

export interface AgentCall {
  readonly prompt: string
  readonly options: AgentOptions
  readonly sessionId: string | null
  readonly pictures: ReadonlyArray<Picture>
  /** The session has not received the system prompt yet. */
  readonly isNewSystem: boolean
  /** Continue in a copy of the session, if the CLI can. */
  readonly fork: boolean
  /** A UUID that a fresh session may be given. */
  readonly freshId: string
  /** The tokens of the whole session before this run; null: not known. */
  readonly counted: Tokens | null
}

/** A file of a run, which is deleted with it: for what an option has, and may be secret or long. */
export interface RunFile {
  readonly option: "schema" | "mcpServers"
  readonly content: unknown
  /** The arguments that name it. */
  readonly words?: (path: string) => ReadonlyArray<string>
  /** The variable that names it. */
  readonly variable?: string
}

/** A run's command line. `stdin` null: the prompt is an argument; in `env`, null takes a variable away. */
export interface AgentCommand {
  readonly args: ReadonlyArray<string>
  /** The index in `args` at which further arguments, leap's and the user's, are inserted; null: at the end. */
  readonly furtherAt: number | null
  readonly stdin: string | null
  readonly env: Readonly<Record<string, string | null>>
  readonly ignored: ReadonlyArray<string>
  readonly files: ReadonlyArray<RunFile>
  /** The flag that names a file for the CLI's usage at its end; `end` gets its content as `report`. */
  readonly reportFlag: string | null
}

export interface InvalidOption {
  readonly option: string
  readonly why: string
}

export interface AgentOutcome {
  readonly sessionId: string | null
  readonly model: string | null
  /** The answers in order; the last may be cut off. */
  readonly answers: ReadonlyArray<string>
  readonly tokens: Omit<RunTokens, "estimated"> | null
  /** The reasoning tokens of its output; null if they are not counted separately. */
  readonly reasoning: number | null
  readonly models: ReadonlyArray<ModelUse> | null
  readonly usd: number | null
  readonly turns: number | null
  readonly stopReason: string | null
  readonly problem: ProviderProblem | null
  /** False if the stream was cut off before its proper end. */
  readonly complete: boolean
  /** The tokens of the whole session, for a CLI that counts nothing else. */
  readonly counted: Tokens | null
}

/** How the process of a run ended. `stderr` is its last part; `report` the usage file, parsed. */
export interface AgentExit {
  readonly code: number | null
  readonly signal: string | null
  readonly stderr: string
  readonly report: unknown
}

/** How one CLI runs headless: pure, total functions. `State` is the state of its decoder between two lines. */
export interface AgentCli<in out State = never> {
  readonly id: string
  readonly displayName: string
  readonly aliases?: ReadonlyArray<string>
  readonly binary: string
  readonly installHint: string
  /** A session is found only in the directory in which it began. */
  readonly bound: boolean
  /** The CLI exits before a pipe has taken all its output: it gets a file instead. */
  readonly cutsPipes?: boolean
  readonly takesPictures?: boolean
  /** Whether the CLI itself enforces this schema. */
  readonly keepsSchema?: (schema: JsonSchema) => boolean
  /** The CLI itself stops at `maxCost`. */
  readonly keepsCost?: boolean
  /** The tool by which the model gives an answer that must fit a schema; the turn ends with it. */
  readonly answerTool?: string
  /** The file of each request's usage, for a CLI that prints usage only at its end; `usage` reads a record. */
  readonly requests?: {
    readonly file: (
      env: Readonly<Record<string, string>>,
      sessionId: string
    ) => { readonly directory: string; readonly ending: string }
    readonly usage: UsageReader["record"]
    /** Where its subagents write theirs; absent where they are in the same file. */
    readonly parts?: UsageReader["parts"]
    /** The argument that stops the CLI from writing this file. */
    readonly unless?: string
  }
  /**
   * The SQLite database with the use of its subagents, for a CLI that prints its own alone; null: it has none. `query`:
   * a row for each subagent of the session whose id is its parameter: `agent`, and the kinds of tokens.
   */
  readonly agentRequests?: {
    readonly file: (env: Readonly<Record<string, string>>) => string | null
    readonly query: string
  }
  /** Disarms `@` references in a prompt, for a CLI that reads the files they name. Idempotent. */
  readonly inert?: (text: string) => string
  /**
   * The CLI's hooks ask before every tool, so leap can hold a run to a sandbox. `inert`: tools that touch nothing
   * outside of the conversation. `tools`: all its own tools, if it has no means to deny one; then leap denies it.
   * `offline`: the variables of a run whose tools may not reach out, for what it does beside its tools.
   */
  readonly heldByHooks?: {
    readonly inert: ReadonlyArray<string>
    readonly tools?: ReadonlyArray<string>
    readonly offline?: Readonly<Record<string, string>>
  }
  /** The CLI itself cuts off its commands' network (the option `network`); leap denies these of its tools by its hooks. */
  readonly cutsNetwork?: ReadonlyArray<PolicyRule>
  /** A tool for which the CLI calls no hook: it runs at the provider. */
  readonly unasked?: ToolRequest
  readonly command: (call: AgentCall) => Result.Result<AgentCommand, InvalidOption>
  readonly start: (call: AgentCall) => State
  /** Reads one line of standard output as parsed JSON; a line that is no JSON comes as text. */
  readonly read: (state: State, line: unknown) => readonly [State, ReadonlyArray<AgentEvent>]
  /** Reads one line of standard error, for a CLI that reports there what its stream omits. */
  readonly readError?: (state: State, line: string) => readonly [State, ReadonlyArray<AgentEvent>]
  /**
   * The model's requests so far, plus the next if its tools are done: for a CLI without a turn limit, which leap ends.
   */
  readonly askedTurns?: (state: State) => number
  /** The CLI limits no turns and reports no requests: leap counts them by `requests` and by the model's output. */
  readonly countsTurns?: boolean
  /** The tool that has run or is about to, as hooks name it: a hook has asked about it, if hooks work. */
  readonly ranTool?: (event: AgentEvent) => ToolUse | null
  /** The CLI's turn is over, so its process may be ended. Absent if only the process's end shows it. */
  readonly isOver?: (state: State) => boolean
  readonly end: (state: State, exit: AgentExit) => AgentOutcome
}

/** The limit of a picture that is sent, in bytes. */
export const pictureLimit = 20 << 20

const kinds: ReadonlyArray<readonly [string, ReadonlyArray<number | null>]> = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
  ["image/webp", [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]]
]

export const mediaTypeOf = (bytes: Uint8Array): string | null =>
  kinds.find(([, begin]) => begin.every((byte, at) => byte === null || bytes[at] === byte))?.[0] ?? null

export const dataUrl = ({ base64, mediaType }: Pick<Picture, "base64" | "mediaType">): string =>
  `data:${mediaType};base64,${base64}`
