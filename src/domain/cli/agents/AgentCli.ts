import type { Result } from "effect"
import type { ToolRequest } from "../../rules/policy/ToolRequest.ts"
import type { UsageReader } from "../usage/UsageReader.ts"
import type { ToolUse } from "../../words/session/AskedTools.ts"
import type { Tokens } from "../usage/Usage.ts"
import type { AgentEvent, ModelUse, ProviderProblem } from "./AgentEvent.ts"
import type { AgentOptions } from "./AgentOptions.ts"
import type { JsonSchema } from "./AnswerSchema.ts"
import type { RunTokens } from "./AgentResult.ts"

/** A picture that a prompt is about: its file (an absolute path), and what is in it. */
export interface Picture {
  readonly path: string
  readonly mediaType: string
  readonly base64: string
}

/** One run of a CLI. `sessionId` null: a fresh session. */
export interface AgentCall {
  readonly prompt: string
  readonly options: AgentOptions
  readonly sessionId: string | null
  readonly pictures: ReadonlyArray<Picture>
  /** The session has not been told the system prompt yet. */
  readonly isNewSystem: boolean
  /** Continue in a copy of the session, where the CLI can. */
  readonly fork: boolean
  /** A UUID that a fresh session may be given. */
  readonly freshId: string
  /** The tokens of the whole session before this run; null where they are not known. */
  readonly counted: Tokens | null
}

/** A run's command line. `stdin` null: the prompt is an argument; in `env`, null takes a variable away. */
export interface AgentCommand {
  readonly args: ReadonlyArray<string>
  /** Where among them the user's further arguments go; null: behind them. */
  readonly furtherAt: number | null
  readonly stdin: string | null
  readonly env: Readonly<Record<string, string | null>>
  readonly ignored: ReadonlyArray<string>
  /** A flag by which the CLI is given a file with the schema of its answer. */
  readonly schemaFlag: string | null
  /** A flag with which the CLI writes its usage to a file as it ends; `end` gets that file's content as `report`. */
  readonly reportFlag: string | null
}

/** An option whose value cannot be used, and why. */
export interface InvalidOption {
  readonly option: string
  readonly why: string
}

/** What one run has brought, when it has ended. */
export interface AgentOutcome {
  readonly sessionId: string | null
  readonly model: string | null
  /** The answers in order; the last may be a message that was cut. */
  readonly answers: ReadonlyArray<string>
  readonly tokens: Omit<RunTokens, "estimated"> | null
  readonly reasoning: number | null
  readonly models: ReadonlyArray<ModelUse> | null
  readonly usd: number | null
  readonly turns: number | null
  readonly stopReason: string | null
  readonly problem: ProviderProblem | null
  /** The stream came to its proper end; false where it was cut off. */
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

/** How one CLI is run headless: pure, total functions. `State` is the state of its decoder between two lines. */
export interface AgentCli<in out State = never> {
  readonly id: string
  readonly displayName: string
  /** Other names that callers know it by. */
  readonly aliases?: ReadonlyArray<string>
  readonly binary: string
  readonly installHint: string
  /** It finds a session only in the directory in which the session began. */
  readonly bound: boolean
  /** It ends before a pipe has taken all that it prints: it is given a file instead. */
  readonly cutsPipes?: boolean
  /** It takes pictures without a terminal. */
  readonly takesPictures?: boolean
  /** Whether it holds the model to this schema itself. */
  readonly keepsSchema?: (schema: JsonSchema) => boolean
  /** It ends by itself at `maxCost`. */
  readonly keepsCost?: boolean
  /** The tool by which the model gives an answer that has to fit a schema: its turn ends with it. */
  readonly answerTool?: string
  /** Where it writes what each request has used, for a CLI that tells it only at its end; `usage` reads a record. */
  readonly requests?: {
    readonly file: (
      env: Readonly<Record<string, string>>,
      sessionId: string
    ) => { readonly directory: string; readonly ending: string }
    readonly usage: UsageReader["record"]
  }
  /** A text in which it finds no file to read in, for a CLI that reads what an `@` in its prompt names. Idempotent. */
  readonly inert?: (text: string) => string
  /**
   * Its hooks ask before every tool, so that leap holds a run to a sandbox. `inert`: tools that touch nothing outside of
   * the conversation. `tools`: all of its own, where it has no means to deny one; leap denies it then.
   */
  readonly heldByHooks?: { readonly inert: ReadonlyArray<string>; readonly tools?: ReadonlyArray<string> }
  /** The use of a tool about which it asks no hook: it runs at its provider. */
  readonly unasked?: ToolRequest
  readonly command: (call: AgentCall) => Result.Result<AgentCommand, InvalidOption>
  readonly start: (call: AgentCall) => State
  /** One line of standard output, parsed; a line that is no JSON comes as its text. */
  readonly read: (state: State, line: unknown) => readonly [State, ReadonlyArray<AgentEvent>]
  /** One line of standard error, for a CLI that reports there what its stream does not. */
  readonly readError?: (state: State, line: string) => readonly [State, ReadonlyArray<AgentEvent>]
  /** The model's requests so far, and the next if its tools are done: for a CLI without a limit, which leap ends. */
  readonly askedTurns?: (state: State) => number
  /** The use of a tool that has run, or is about to, as hooks name it: wherever hooks call, one has asked about it. */
  readonly ranTool?: (event: AgentEvent) => ToolUse | null
  /** The CLI's turn is over and nothing follows: its process may be ended. Absent where only its end tells. */
  readonly isOver?: (state: State) => boolean
  readonly end: (state: State, exit: AgentExit) => AgentOutcome
}

/** The largest picture that is sent, in bytes. */
export const pictureLimit = 20 << 20

const kinds: ReadonlyArray<readonly [string, ReadonlyArray<number | null>]> = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
  ["image/webp", [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]]
]

/** The media type of a picture by how its file begins; null where it is none that models take. */
export const mediaTypeOf = (bytes: Uint8Array): string | null =>
  kinds.find(([, begin]) => begin.every((byte, at) => byte === null || bytes[at] === byte))?.[0] ?? null

/** A picture as the address that has all of it. */
export const dataUrl = ({ base64, mediaType }: Pick<Picture, "base64" | "mediaType">): string =>
  `data:${mediaType};base64,${base64}`
