import { Struct } from "effect"
import { type Fields, fieldsOf, textOf } from "../../words/reading/Fields.ts"
import { withoutColours } from "../../words/text/printable.ts"
import type { Tokens } from "../usage/Usage.ts"
import type { AgentExit, AgentOutcome } from "./AgentCli.ts"
import type { AgentEvent, EventOf, ModelUse } from "./AgentEvent.ts"
import { type FailureReport, providerProblemOf } from "./ProviderProblem.ts"
import { sizeOf } from "../usage/UsageReader.ts"
import { outputOf, previewOf } from "./toolPreview.ts"
import { addTokens } from "./tokens.ts"

/**
 * The longest answer that is stored, in UTF-16 units. Events carry the text beyond it. Over HTTP, a notice states that
 * the text was cut.
 */
export const maxAnswerLength = 64 << 20

/** The memory of every decoder: the outcome so far. Its `answers` are complete. */
export interface DecoderState extends Omit<AgentOutcome, "counted" | "tokens"> {
  /** The current or latest message. It becomes the answer if the turn ends after it. */
  readonly message: string
  readonly tokens: Tokens | null
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

/** The result of one line: the decoder's next state, and events. */
export type Step<State> = readonly [State, ReadonlyArray<AgentEvent>]

/** One step for each of these, and the events of all of them. */
export const inEach = <State, A>(
  state: State,
  all: ReadonlyArray<A>,
  take: (state: State, one: A) => Step<State>
): Step<State> => {
  const events: Array<AgentEvent> = []
  let current = state
  for (const one of all) {
    const [next, more] = take(current, one)
    current = next
    for (const event of more) events.push(event)
  }
  return [current, events]
}

/** The handlers of a CLI's lines, by their type. `inner`: the object in which some CLIs nest a line's data. */
export type LineTable<State> = Readonly<Record<string, (state: State, line: Fields, inner: Fields) => Step<State>>>

/** The table's entry for lines of this type. */
export const rowOf = <State>(table: LineTable<State>, type: unknown): LineTable<State>[string] | undefined =>
  typeof type === "string" && Object.hasOwn(table, type) ? table[type] : undefined

/** Reads lines by a table. Lines without an entry are ignored. `name`: the field that contains `inner`. */
export const lineReader =
  <State>(table: LineTable<State>, name = "") =>
  (state: State, value: unknown): Step<State> => {
    const line = fieldsOf(value)
    if (typeof line["type"] !== "string") return [state, notice(value)]
    return rowOf(table, line["type"])?.(state, line, fieldsOf(line[name])) ?? [state, []]
  }

/** A message with more text, up to the stored length. */
export const appendText = (message: string, text: string): string =>
  message.length >= maxAnswerLength
    ? message
    : text.length + message.length <= maxAnswerLength
      ? message + text
      : message + text.slice(0, maxAnswerLength - message.length)

/** A thought of the model; nothing if it is not a text, or empty. */
export const thought = (text: unknown, delta: boolean, agent: string | null): ReadonlyArray<AgentEvent> =>
  typeof text === "string" && text !== "" ? [{ _tag: "Thought", text, delta, agent }] : []

/** The run's usage so far; nothing while it is unknown. */
export const used = (tokens: Tokens | null, reasoning: number | null = null): ReadonlyArray<AgentEvent> =>
  tokens === null ? [] : [{ _tag: "Used", tokens, reasoning }]

/** The sum of two counts of reasoning tokens, either of which may be unknown. */
export const addReasoning = (a: number | null, b: number | null): number | null => (a === null ? b : a + (b ?? 0))

/** Adds later usage to earlier usage, model by model. */
export const addModels = (
  earlier: ReadonlyArray<ModelUse>,
  later: ReadonlyArray<ModelUse>
): ReadonlyArray<ModelUse> => [
  ...earlier.map((one) => {
    const more = later.find(({ model }) => model === one.model)
    if (more === undefined) return one
    const usd = one.usd === null ? more.usd : one.usd + (more.usd ?? 0)
    return { ...one, tokens: addTokens(one.tokens, more.tokens), usd }
  }),
  ...later.filter(({ model }) => !earlier.some((one) => one.model === model))
]

/** The event that the provider accepted the prompt, with its reported properties. */
export const started = (reported: Partial<EventOf<"Started">>): AgentEvent => ({
  _tag: "Started",
  sessionId: null,
  model: null,
  version: null,
  mode: null,
  tools: null,
  mcpServers: null,
  skills: null,
  ...reported
})

/** The texts in a list; null if it is not a list. */
export const textsIn = (
  list: unknown,
  nameOf: (one: unknown) => unknown = (one) => one
): ReadonlyArray<string> | null => (Array.isArray(list) ? list.flatMap((one) => textOf(nameOf(one)) ?? []) : null)

/** The MCP servers in a list, and their states; null if it is not a list. */
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

/** The end of a tool, with its result. */
export const toolEnd = (
  call: Pick<EventOf<"ToolEnded">, "id" | "tool" | "ok" | "agent"> & Partial<EventOf<"ToolEnded">>,
  result: unknown
): AgentEvent => ({ _tag: "ToolEnded", diff: null, durationMs: null, ...call, ...outputOf(result) })

/** The last message is the answer of a turn that has ended. `before`: events to emit first. */
export const answered = <State extends DecoderState>(
  state: State,
  before: ReadonlyArray<AgentEvent> = []
): Step<State> => [
  { ...state, answers: [...state.answers, state.message], message: "" },
  [...before, { _tag: "Answered", text: state.message }]
]

/** The running tools by call id, because the event of a tool's end lacks the tool's name. */
export interface RunningTools {
  readonly tools: Readonly<Record<string, string>>
}

export const toolStarted = <State extends RunningTools>(state: State, call: Called): Step<State> => [
  call.id === null ? state : { ...state, tools: { ...state.tools, [call.id]: call.tool } },
  [toolStart(call)]
]

/** `result`: the tool's result. `isRefused`: it was not allowed. */
export const toolEnded = <State extends RunningTools>(
  state: State,
  {
    isRefused = false,
    result,
    ...call
  }: Pick<EventOf<"ToolEnded">, "id" | "ok" | "agent" | "diff"> & {
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

/** A line that is not an event of the CLI: a message for people, or a broken stream. */
export const notice = (line: unknown): ReadonlyArray<AgentEvent> => {
  const text = typeof line === "string" ? line.trim() : JSON.stringify(line)
  return text === undefined || text === ""
    ? []
    : [{ _tag: "Notice", text: text.length > 500 ? `${text.slice(0, 499)}…` : text }]
}

/** The stream reports that the turn failed. */
export const failed = <State extends DecoderState>(state: State, report: FailureReport): Step<State> => {
  const problem = providerProblemOf(report)
  return [{ ...state, problem }, [{ _tag: "Failed", problem }]]
}

/**
 * The outcome of a run that has ended. The pending message counts as an answer; `answer: false` excludes it. `message`:
 * why it failed, unless the stream has said that; null: it did not.
 */
export const outcomeOf = (
  state: DecoderState,
  {
    answer,
    code = null,
    message = null
  }: { readonly answer?: boolean; readonly code?: string | null; readonly message?: string | null } = {}
): AgentOutcome => ({
  ...Struct.pick(state, ["sessionId", "model", "reasoning", "models", "usd", "turns", "stopReason", "complete"]),
  answers: answer === false || state.message === "" ? state.answers : [...state.answers, state.message],
  tokens: state.tokens === null ? null : { ...state.tokens, total: sizeOf(state.tokens) },
  problem: state.problem ?? (message === null ? null : providerProblemOf({ message, code })),
  counted: null
})

/** Standard error's explanation of a failure: at most four lines, from the first that matches; null for none. */
export const failureTextIn = ({ code, stderr }: Pick<AgentExit, "code" | "stderr">, pattern: RegExp): string | null => {
  if (code === null || code === 0) return null
  const lines = withoutColours(stderr)
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
