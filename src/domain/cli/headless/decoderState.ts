import { type Fields, fieldsOf, textOf } from "../../words/reading/Fields.ts"
import type { Tokens } from "../usage/Usage.ts"
import type { AgentOutcome } from "./AgentCli.ts"
import type { AgentEvent, EventOf, ModelUse, ProviderProblem } from "./AgentEvent.ts"
import { type FailureReport, providerProblemOf } from "./ProviderProblem.ts"
import { sizeOf } from "../usage/UsageReader.ts"
import { outputOf, previewOf } from "./toolPreview.ts"
import { addTokens } from "./tokens.ts"

/** The longest answer that is kept, in UTF-16 units. Events carry also what is beyond it, and the result says so. */
export const answerLength = 64 << 20

/** What every decoder remembers. */
export interface DecoderState {
  readonly sessionId: string | null
  readonly model: string | null
  /** Answers that are complete. */
  readonly answers: ReadonlyArray<string>
  /** The message that the model is writing, or its last one: the answer, when nothing comes after it. */
  readonly message: string
  readonly problem: ProviderProblem | null
  readonly tokens: Tokens | null
  /** Of its output, thoughts; null where they are not counted apart. */
  readonly reasoning: number | null
  readonly models: ReadonlyArray<ModelUse> | null
  readonly usd: number | null
  readonly turns: number | null
  readonly stopReason: string | null
  readonly complete: boolean
}

export const initialDecoderState: DecoderState = {
  sessionId: null,
  model: null,
  answers: [],
  message: "",
  problem: null,
  tokens: null,
  reasoning: null,
  models: null,
  usd: null,
  turns: null,
  stopReason: null,
  complete: false
}

/** What a decoder makes of one line: its next state, and events. */
export type Step<State> = readonly [State, ReadonlyArray<AgentEvent>]

/** What the lines of a CLI's stream tell, by their type. `inner`: a line's own fields within it. */
export type LineTable<State> = Readonly<Record<string, (state: State, line: Fields, inner: Fields) => Step<State>>>

/** What a table has for lines of this type. */
export const rowOf = <State>(table: LineTable<State>, type: unknown): LineTable<State>[string] | undefined =>
  typeof type === "string" && Object.hasOwn(table, type) ? table[type] : undefined

/** Reads lines by a table; what it does not have tells nothing. `name`: of the field that has a line's own ones. */
export const reading =
  <State>(table: LineTable<State>, name = "") =>
  (state: State, value: unknown): Step<State> => {
    const line = fieldsOf(value)
    if (typeof line["type"] !== "string") return [state, notice(value)]
    return rowOf(table, line["type"])?.(state, line, fieldsOf(line[name])) ?? [state, []]
  }

/** A message with more text, up to the longest that is kept. */
export const appendText = (message: string, text: string): string =>
  message.length >= answerLength
    ? message
    : text.length + message.length <= answerLength
      ? message + text
      : message + text.slice(0, answerLength - message.length)

/** The model has thought; nothing where that is no text, or an empty one. */
export const thought = (text: unknown, delta: boolean, agent: string | null): ReadonlyArray<AgentEvent> =>
  typeof text === "string" && text !== "" ? [{ _tag: "Thought", text, delta, agent }] : []

/** What the run has used so far; nothing while that is not known. */
export const used = (tokens: Tokens | null, reasoning: number | null = null): ReadonlyArray<AgentEvent> =>
  tokens === null ? [] : [{ _tag: "Used", tokens, reasoning }]

/** Two counts of thoughts, of which not all may be known. */
export const addReasoning = (a: number | null, b: number | null): number | null => (a === null ? b : a + (b ?? 0))

/** What each model has used, with what came since. */
export const addModels = (before: ReadonlyArray<ModelUse>, since: ReadonlyArray<ModelUse>): ReadonlyArray<ModelUse> => [
  ...before.map((one) => {
    const more = since.find(({ model }) => model === one.model)
    if (more === undefined) return one
    const usd = one.usd === null ? more.usd : one.usd + (more.usd ?? 0)
    return { ...one, tokens: addTokens(one.tokens, more.tokens), usd }
  }),
  ...since.filter(({ model }) => !before.some((one) => one.model === model))
]

/** The provider has taken the prompt, and what it says of itself. */
export const started = (said: Partial<EventOf<"Started">>): AgentEvent => ({
  _tag: "Started",
  sessionId: null,
  model: null,
  version: null,
  mode: null,
  tools: null,
  mcpServers: null,
  skills: null,
  ...said
})

/** The texts among these; null where this is no list. */
export const wordsIn = (
  list: unknown,
  nameOf: (one: unknown) => unknown = (one) => one
): ReadonlyArray<string> | null => (Array.isArray(list) ? list.flatMap((one) => textOf(nameOf(one)) ?? []) : null)

/** The MCP servers in a list, and how they are; null where this is no list. */
export const mcpServersIn = (list: unknown): NonNullable<EventOf<"Started">["mcpServers"]> | null =>
  Array.isArray(list)
    ? list.map(fieldsOf).flatMap(({ name, status }) => {
        const its = textOf(name)
        return its === null ? [] : [{ name: its, status: textOf(status) }]
      })
    : null

type Called = Pick<EventOf<"ToolStarted">, "id" | "tool" | "agent" | "input">

/** The start of a tool, with its most telling argument. */
export const toolStart = (call: Called): AgentEvent => ({
  _tag: "ToolStarted",
  ...call,
  preview: previewOf(call.input)
})

/** The end of a tool, with what it brought. */
export const toolEnd = (
  call: Pick<EventOf<"ToolEnded">, "id" | "tool" | "ok" | "agent"> & Partial<EventOf<"ToolEnded">>,
  result: unknown
): AgentEvent => ({ _tag: "ToolEnded", diff: null, durationMs: null, ...call, ...outputOf(result) })

/** The last message is the answer of a turn that has ended. `before`: what is told first. */
export const answered = <State extends DecoderState>(
  state: State,
  before: ReadonlyArray<AgentEvent> = []
): Step<State> => [
  { ...state, answers: [...state.answers, state.message], message: "" },
  [...before, { _tag: "Answered", text: state.message }]
]

/** The running tools, by call: what ends one does not name it again. */
export interface RunningTools {
  readonly tools: Readonly<Record<string, string>>
}

export const toolStarted = <State extends RunningTools>(state: State, call: Called): Step<State> => [
  call.id === null ? state : { ...state, tools: { ...state.tools, [call.id]: call.tool } },
  [toolStart(call)]
]

/** `result`: what it brought. `isRefused`: it was not let. */
export const toolEnded = <State extends RunningTools>(
  state: State,
  {
    isRefused = false,
    result,
    ...call
  }: {
    readonly diff?: string | null
    readonly id: string | null
    readonly ok: boolean
    readonly agent: string | null
    readonly result: unknown
    readonly isRefused?: boolean
  }
): Step<State> => {
  const { id } = call
  const tool = id === null ? null : (state.tools[id] ?? null)
  const tools = Object.fromEntries(Object.entries(state.tools).filter(([other]) => other !== id))
  return [
    { ...state, tools },
    [
      ...(isRefused ? [{ _tag: "Refused", tool: tool ?? "unknown", why: outputOf(result).output } as const] : []),
      toolEnd({ ...call, tool }, result)
    ]
  ]
}

/** A line that is no event of the CLI's: it may concern people, or the stream is not what it should be. */
export const notice = (line: unknown): ReadonlyArray<AgentEvent> => {
  const text = typeof line === "string" ? line.trim() : JSON.stringify(line)
  return text === undefined || text === ""
    ? []
    : [{ _tag: "Notice", text: text.length > 500 ? `${text.slice(0, 499)}…` : text }]
}

/** The stream says that the turn failed. */
export const failed = <State extends DecoderState>(state: State, report: FailureReport): Step<State> => {
  const problem = providerProblemOf(report)
  return [{ ...state, problem }, [{ _tag: "Failed", problem }]]
}

/** The outcome of a run that has ended. A last message is an answer too, unless `answer` is false. */
export const outcomeOf = (
  state: DecoderState,
  end: { readonly problem?: ProviderProblem | null; readonly answer?: boolean } = {}
): AgentOutcome => ({
  sessionId: state.sessionId,
  model: state.model,
  answers: end.answer === false || state.message === "" ? state.answers : [...state.answers, state.message],
  tokens: state.tokens === null ? null : { ...state.tokens, total: sizeOf(state.tokens) },
  reasoning: state.reasoning,
  models: state.models,
  usd: state.usd,
  turns: state.turns,
  stopReason: state.stopReason,
  problem: state.problem ?? end.problem ?? null,
  complete: state.complete,
  counted: null
})

/** Escape sequences such as colours. */
const sequences = /\u001b\[[0-?]*[ -/]*[@-~]/g

/** What standard error says of a failure: at most four lines, from the first that matches; null where none does. */
export const failureTextIn = (stderr: string, pattern: RegExp): string | null => {
  const lines = stderr
    .replace(sequences, "")
    .split("\n")
    .map((line) => line.trimEnd())
  const from = lines.findIndex((line) => pattern.test(line))
  return from < 0
    ? null
    : textOf(
        lines
          .slice(from, from + 4)
          .filter((line) => line !== "" && !/^\s+at /.test(line))
          .join("\n")
      )
}
