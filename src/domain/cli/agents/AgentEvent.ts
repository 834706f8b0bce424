import { Schema } from "effect"
import { Tokens } from "../usage/Usage.ts"

/** Why a turn failed, as far as the CLI or the API says. */
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

/** Why a provider did not answer, in one form for all of them. */
export const ProviderProblem = Schema.Struct({
  kind: ProviderProblemKind,
  /** In the provider's words, secrets masked. */
  message: Schema.String,
  /** Milliseconds after which a request may be made again; null when that is not said. */
  retryAfter: Schema.NullOr(Schema.Finite)
})
export type ProviderProblem = typeof ProviderProblem.Type

/** What one model of a run has used; `usd` null: the CLI names no cost. */
export const ModelUse = Schema.Struct({ model: Schema.String, tokens: Tokens, usd: Schema.NullOr(Schema.Finite) })
export type ModelUse = typeof ModelUse.Type

/** What a provider may leave out: leap's own say null for what a CLI does not tell. */
const told = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const words = told(Schema.Array(Schema.String))

/** What happens in a headless turn, the same for all providers. `agent`: the subagent; null: the main conversation. */
export const AgentEvent = Schema.TaggedUnion({
  /** The provider has taken the prompt. What it does not say of itself is null. */
  Started: {
    sessionId: Schema.NullOr(Schema.String),
    model: Schema.NullOr(Schema.String),
    version: told(Schema.String),
    /** What it may do unasked, in its own word. */
    mode: told(Schema.String),
    tools: words,
    mcpServers: told(Schema.Array(Schema.Struct({ name: Schema.String, status: Schema.NullOr(Schema.String) }))),
    skills: words
  },
  /** The model was asked; the CLI tells at the latest when the first of the answer has come. */
  RequestStarted: { model: Schema.NullOr(Schema.String), agent: Schema.NullOr(Schema.String) },
  /** It has answered. `reasoning` of its output were thoughts; what the CLI does not count is null. */
  RequestEnded: {
    tokens: Schema.NullOr(Tokens),
    reasoning: Schema.NullOr(Schema.Finite),
    stopReason: Schema.NullOr(Schema.String),
    agent: Schema.NullOr(Schema.String)
  },
  Text: {
    text: Schema.String,
    delta: Schema.Boolean,
    message: Schema.NullOr(Schema.String),
    agent: Schema.NullOr(Schema.String)
  },
  Thought: { text: Schema.String, delta: Schema.Boolean, agent: Schema.NullOr(Schema.String) },
  /** `preview` is the most telling argument, in one line of at most 80 characters. */
  ToolStarted: {
    id: Schema.NullOr(Schema.String),
    tool: Schema.String,
    preview: Schema.String,
    input: Schema.Unknown,
    agent: Schema.NullOr(Schema.String)
  },
  /** `output` is cut to 65,536 of `length` characters; `diff`: unified; `durationMs` null where no start was told. */
  ToolEnded: {
    id: Schema.NullOr(Schema.String),
    tool: Schema.NullOr(Schema.String),
    ok: Schema.Boolean,
    output: Schema.String,
    length: Schema.optionalKey(Schema.Int),
    cut: Schema.optionalKey(Schema.Boolean),
    diff: told(Schema.String),
    durationMs: told(Schema.Finite),
    agent: Schema.NullOr(Schema.String)
  },
  /** A hook of the CLI's own settings has run, and what it printed. */
  HookRan: { hook: Schema.String, ok: Schema.Boolean, output: Schema.String },
  /** A tool was not allowed to run. */
  Refused: { tool: Schema.String, why: Schema.String },
  /** A request failed and is tried again. `inMs` null: at once, or when is not said. */
  Retrying: {
    attempt: Schema.Int,
    of: Schema.NullOr(Schema.Int),
    inMs: Schema.NullOr(Schema.Finite),
    problem: ProviderProblem
  },
  /** Tokens of the turn so far; `reasoning` of the output were thoughts, null where they are not counted apart. */
  Used: { tokens: Tokens, reasoning: told(Schema.Finite) },
  /** A line that the CLI wrote to its standard error. */
  ErrorOutput: { text: Schema.String },
  /** A line of the CLI's own output as it wrote it, where `native` asks for them; what it says comes as events behind it. */
  Native: { line: Schema.String },
  /** Something that is no other event: a remark for people, or output that could not be read. */
  Notice: { text: Schema.String },
  /** The provider says that the turn failed; it may still print its end. */
  Failed: { problem: ProviderProblem },
  /** One answer of the run is complete. Background work may bring another. */
  Answered: { text: Schema.String }
})
export type AgentEvent = typeof AgentEvent.Type
/** The event of this tag. */
export type EventOf<Tag extends AgentEvent["_tag"]> = Extract<AgentEvent, { readonly _tag: Tag }>
