import { Schema } from "effect"
import { Tokens } from "../usage/Usage.ts"

/** Why a turn failed, as far as the CLI or the API reports it. */
export const ProviderProblemKind = Schema.Literals([
  "auth",
  "rate_limited",
  "quota",
  "overloaded",
  "model",
  "context",
  "session",
  "refused",
  "other"
])
export type ProviderProblemKind = typeof ProviderProblemKind.Type

/** Why a provider did not answer, in one form for all providers. */
export const ProviderProblem = Schema.Struct({
  kind: ProviderProblemKind,
  /** In the provider's words, secrets masked. */
  message: Schema.String,
  /** Milliseconds until a request may be made again; null: not reported. */
  retryAfter: Schema.NullOr(Schema.Finite)
})
export type ProviderProblem = typeof ProviderProblem.Type

/** What one model of a run has used; `usd` null: the CLI reports no cost. */
export const ModelUse = Schema.Struct({ model: Schema.String, tokens: Tokens, usd: Schema.NullOr(Schema.Finite) })
export type ModelUse = typeof ModelUse.Type

/** A field that a provider may omit: leap writes null for what a CLI does not report. */
const told = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const words = told(Schema.Array(Schema.String))

const name = Schema.NullOr(Schema.String)

/** What happens in a headless turn, the same for all providers. `agent`: the subagent; null: the main conversation. */
export const AgentEvent = Schema.TaggedUnion({
  /** The provider has accepted the prompt. What it does not report is null. */
  Started: {
    sessionId: name,
    model: name,
    version: told(Schema.String),
    /** Its permission mode, in its own word. */
    mode: told(Schema.String),
    tools: words,
    mcpServers: told(Schema.Array(Schema.Struct({ name: Schema.String, status: name }))),
    skills: words,
    /** What its tools may not do in this turn, as leap's command line names it. */
    restrictions: words
  },
  /** The model was asked. The CLI reports this no later than the first part of the answer. */
  RequestStarted: { model: name, agent: name },
  /** The model has answered. `reasoning`: the output tokens that were thoughts. What the CLI does not count is null. */
  RequestEnded: {
    tokens: Schema.NullOr(Tokens),
    reasoning: Schema.NullOr(Schema.Finite),
    stopReason: name,
    agent: name
  },
  Text: { text: Schema.String, delta: Schema.Boolean, message: name, agent: name },
  Thought: { text: Schema.String, delta: Schema.Boolean, agent: name },
  /** `preview` is the most telling argument, in one line of at most 80 characters. */
  ToolStarted: { id: name, tool: Schema.String, preview: Schema.String, input: Schema.Unknown, agent: name },
  /** `output` is cut to 65,536 of `length` characters; `diff`: unified; `durationMs` null: no start was reported. */
  ToolEnded: {
    id: name,
    tool: name,
    ok: Schema.Boolean,
    output: Schema.String,
    length: Schema.optionalKey(Schema.Int),
    cut: Schema.optionalKey(Schema.Boolean),
    diff: told(Schema.String),
    durationMs: told(Schema.Finite),
    agent: name
  },
  /** A hook from the CLI's own settings has run. `output` is what it printed. */
  HookRan: { hook: Schema.String, ok: Schema.Boolean, output: Schema.String },
  /** A tool was not allowed to run. */
  Refused: { tool: Schema.String, why: Schema.String },
  /** A request failed and is retried. `inMs` null: at once, or unknown. */
  Retrying: {
    attempt: Schema.Int,
    of: Schema.NullOr(Schema.Int),
    inMs: Schema.NullOr(Schema.Finite),
    problem: ProviderProblem
  },
  /**
   * Tokens of the turn so far. `reasoning`: the output tokens that were thoughts; null: not counted apart. `agent`: the
   * subagent whose request it counts; null or absent: the conversation's own, or not told apart.
   */
  Used: { tokens: Tokens, reasoning: told(Schema.Finite), agent: told(Schema.String) },
  /** A line that the CLI wrote to its standard error. */
  ErrorOutput: { text: Schema.String },
  /** A line of the CLI's own output, unchanged, if `native` asks for it; its events follow. */
  Native: { line: Schema.String },
  /** Any other event: a remark for people, or output that could not be read. */
  Notice: { text: Schema.String },
  /** The provider reports that the turn failed; it may still print its end. */
  Failed: { problem: ProviderProblem },
  /** One answer of the run is complete. Background work may bring another. */
  Answered: { text: Schema.String }
})
export type AgentEvent = typeof AgentEvent.Type
/** The event of this tag. */
export type EventOf<Tag extends AgentEvent["_tag"]> = Extract<AgentEvent, { readonly _tag: Tag }>
