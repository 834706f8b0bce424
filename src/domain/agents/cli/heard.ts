import { Result } from "effect"
import { type Tokens } from "../../usage/Usage.ts"
import { textOf } from "../../usage/Fields.ts"
import type { AgentCall, AgentCommand, AgentTold, OptionProblem } from "../AgentCli.ts"
import type { AgentEvent, ProviderProblem } from "../AgentEvent.ts"
import type { AgentOptions } from "../AgentOptions.ts"
import { type Complaint, problemFrom } from "../Problem.ts"

/** The longest answer that is kept; what is beyond it is still told as it comes. In UTF-16 units. */
export const answerLength = 16 << 20

/** What every decoder remembers. */
export interface Heard {
  readonly sessionId: string | null
  readonly model: string | null
  /** Answers that are complete. */
  readonly answers: ReadonlyArray<string>
  /** The message that the model is at, or its last one; the answer, when nothing comes after it. */
  readonly message: string
  readonly problem: ProviderProblem | null
  readonly tokens: Tokens | null
  readonly usd: number | null
  readonly turns: number | null
  readonly stopReason: string | null
  readonly complete: boolean
}

export const nothingHeard: Heard = {
  sessionId: null, model: null, answers: [], message: "", problem: null, tokens: null, usd: null, turns: null, stopReason: null, complete: false
}

/** A step of a decoder. */
export type Step<State> = readonly [State, ReadonlyArray<AgentEvent>]

/** More of a message, as far as it is kept. */
export const more = (message: string, text: string): string =>
  message.length >= answerLength ? message : text.length + message.length <= answerLength ? message + text : message + text.slice(0, answerLength - message.length)

export const noTokens: Tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }

export const addTokens = (a: Tokens, b: Tokens): Tokens => ({
  input: a.input + b.input, cacheRead: a.cacheRead + b.cacheRead, cacheWrite: a.cacheWrite + b.cacheWrite, output: a.output + b.output
})

/** The difference of two sums; null where the later is the smaller, so that they cannot be of one session. */
export const since = (after: Tokens, before: Tokens): Tokens | null => {
  const difference = {
    input: after.input - before.input, cacheRead: after.cacheRead - before.cacheRead,
    cacheWrite: after.cacheWrite - before.cacheWrite, output: after.output - before.output
  }
  return Object.values(difference).some((count) => count < 0) ? null : difference
}

export const totalOf = ({ cacheRead, cacheWrite, input, output }: Tokens): number => input + cacheRead + cacheWrite + output

/** A line that is no event: of people's concern, or the stream is not what it should be. */
export const notice = (line: unknown): ReadonlyArray<AgentEvent> => {
  const text = typeof line === "string" ? line.trim() : JSON.stringify(line)
  return text === undefined || text === "" ? [] : [{ _tag: "Notice", text: text.length > 500 ? `${text.slice(0, 499)}…` : text }]
}

/** The stream says that the turn failed. */
export const failed = <State extends Heard>(state: State, complaint: Complaint): Step<State> => {
  const problem = problemFrom(complaint)
  return [{ ...state, problem }, [{ _tag: "Failed", problem }]]
}

/** What is told when the run has ended. A message that nothing came after is an answer too. */
export const tell = (heard: Heard, ended: { readonly problem?: ProviderProblem | null; readonly complete?: boolean; readonly answer?: boolean } = {}): AgentTold => ({
  sessionId: heard.sessionId,
  model: heard.model,
  answers: ended.answer === false || heard.message === "" ? heard.answers : [...heard.answers, heard.message],
  tokens: heard.tokens === null ? null : { ...heard.tokens, total: totalOf(heard.tokens) },
  usd: heard.usd,
  turns: heard.turns,
  stopReason: heard.stopReason,
  problem: heard.problem ?? ended.problem ?? null,
  complete: ended.complete ?? heard.complete,
  counted: null
})

/** Colours and the like. */
const sequences = /\u001b\[[0-?]*[ -/]*[@-~]/g

/** The lines of standard error that say why it failed: those from the first that begins so. */
export const complaintIn = (stderr: string, begins: RegExp): string | null => {
  const lines = stderr.replace(sequences, "").split("\n").map((line) => line.trimEnd())
  const from = lines.findIndex((line) => begins.test(line))
  return from < 0 ? null : textOf(lines.slice(from, from + 4).filter((line) => line !== "" && !/^\s+at /.test(line)).join("\n"))
}

const list = (tools: AgentOptions["allowedTools"]): ReadonlyArray<string> =>
  tools === undefined ? [] : (typeof tools === "string" ? splitTools(tools) : tools).map((tool) => tool.trim()).filter((tool) => tool !== "")

/** Commas within brackets belong to a tool: `Bash(git log:*,x),Read`. */
const splitTools = (text: string): ReadonlyArray<string> => text.split(/,(?![^()]*\))/)

/** What the options say, in the form that argument lists want. */
export interface Asked {
  readonly model: string | null
  readonly effort: string | null
  readonly allowed: ReadonlyArray<string>
  readonly denied: ReadonlyArray<string>
  readonly skip: boolean
  readonly maxTurns: number | null
  readonly systemPrompt: string | null
  /** Options of providers of another kind, which none of the CLIs has anything for. */
  readonly ignored: ReadonlyArray<string>
}

const ofHttp = ["baseUrl", "apiKey", "headers", "temperature", "topP", "maxTokens"] as const

/** A value that stands behind an option, where a leading dash would make another option of it. */
const value = (option: string, text: string | undefined): Result.Result<string | null, OptionProblem> =>
  text === undefined
    ? Result.succeed(null)
    : text.trim() === ""
    ? Result.fail({ option, why: "it is empty" })
    : text.startsWith("-")
    ? Result.fail({ option, why: `'${text}' begins with '-'` })
    : text.includes("\0")
    ? Result.fail({ option, why: "it has a NUL character in it" })
    : Result.succeed(text)

/** Reads the options of a call, and refuses what would be taken for something else on a command line. */
export const asked = ({ options, prompt, sessionId }: AgentCall): Result.Result<Asked, OptionProblem> =>
  Result.gen(function*() {
    const model = yield* value("model", options.model)
    const effort = yield* value("effort", options.effort)
    yield* value("session", sessionId ?? undefined)
    for (const tool of list(options.allowedTools)) yield* value("allowedTools", tool)
    for (const tool of list(options.deniedTools)) yield* value("deniedTools", tool)
    if (prompt.includes("\0")) return yield* Result.fail({ option: "prompt", why: "it has a NUL character in it" })
    return {
      model,
      effort,
      allowed: list(options.allowedTools),
      denied: list(options.deniedTools),
      skip: options.skipPermissions === true,
      maxTurns: options.maxTurns ?? null,
      systemPrompt: sessionId === null ? textOf(options.systemPrompt) : null,
      ignored: ofHttp.filter((key) => options[key] !== undefined)
    }
  })

/** The prompt of a first turn, for a CLI that takes no system prompt of its own. */
export const withSystem = (systemPrompt: string | null, prompt: string): string => systemPrompt === null ? prompt : `${systemPrompt}\n\n${prompt}`

/** `--flag value`, or nothing. */
export const flag = (name: string, value: string | number | null): ReadonlyArray<string> => value === null ? [] : [name, String(value)]

/** Calls that go on, when one has ended. */
export const without = (calls: Readonly<Record<string, string>>, id: string | null): Readonly<Record<string, string>> =>
  id === null ? calls : Object.fromEntries(Object.entries(calls).filter(([call]) => call !== id))

/** Names of options that were given, of those that are named. */
export const given = (options: Readonly<Record<string, boolean>>): ReadonlyArray<string> => Object.keys(options).filter((key) => options[key] === true)

export const command = (parts: Partial<AgentCommand> & Pick<AgentCommand, "args">): AgentCommand => ({ stdin: null, env: {}, ignored: [], reportFlag: null, ...parts })

export type Built = Result.Result<AgentCommand, OptionProblem>
