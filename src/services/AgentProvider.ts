import { Context, Effect, Schema, type Stream } from "effect"
import { type AgentEvent, ProviderProblem } from "../domain/cli/agents/AgentEvent.ts"
import type { AgentOptions } from "../domain/cli/agents/AgentOptions.ts"
import type { JsonSchema } from "../domain/cli/agents/AnswerSchema.ts"
import type { AgentResult } from "../domain/cli/agents/AgentResult.ts"
import type { Conversation } from "../domain/cli/agents/Conversation.ts"
import type { ToolRequest } from "../domain/rules/policy/ToolRequest.ts"

/** What the run had produced before it failed: output that was paid for is not thrown away. */
const partial = { sessionId: Schema.NullOr(Schema.String), text: Schema.String, stderr: Schema.String }

/** A provider's message on one line. */
const inLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, " ")

/** There is nothing in the prompt to be answered. */
export class EmptyPromptError extends Schema.TaggedError<EmptyPromptError>()("EmptyPromptError", {
  provider: Schema.String
}) {
  readonly exitCode = 2
  override get message() {
    return "the prompt is empty"
  }
}

/** An option has a value that this provider cannot be given. */
export class AgentOptionError extends Schema.TaggedError<AgentOptionError>()("AgentOptionError", {
  provider: Schema.String,
  option: Schema.String,
  why: Schema.String
}) {
  readonly exitCode = 2
  override get message() {
    return `${this.option}: ${this.why}`
  }
}

/** No provider has this name. */
export class UnknownAgentError extends Schema.TaggedError<UnknownAgentError>()("UnknownAgentError", {
  name: Schema.String,
  known: Schema.Array(Schema.String)
}) {
  readonly exitCode = 2
  override get message() {
    return `no provider is called '${this.name}'; known: ${this.known.join(", ")}`
  }
}

/** The CLI that a provider runs is not installed. */
export class AgentNotFoundError extends Schema.TaggedError<AgentNotFoundError>()("AgentNotFoundError", {
  provider: Schema.String,
  binary: Schema.String,
  hint: Schema.String
}) {
  readonly exitCode = 7
  override get message() {
    return `${this.binary} is not installed: ${this.hint}`
  }
}

/** The provider itself reported why it failed. Exit code 10, 11 or 12 by kind. */
export class AgentReportedError extends Schema.TaggedError<AgentReportedError>()("AgentReportedError", {
  provider: Schema.String,
  problem: ProviderProblem,
  exit: Schema.NullOr(Schema.Int),
  ...partial
}) {
  get exitCode() {
    return this.problem.kind === "auth"
      ? 10
      : this.problem.kind === "rate_limited" || this.problem.kind === "quota"
        ? 11
        : 12
  }
  override get message() {
    return `${this.provider}: ${inLine(this.problem.message)}`
  }
}

/** The CLI ended without giving a reason: only its exit code or signal is known. */
export class AgentExitError extends Schema.TaggedError<AgentExitError>()("AgentExitError", {
  provider: Schema.String,
  code: Schema.NullOr(Schema.Int),
  signal: Schema.NullOr(Schema.String),
  ...partial
}) {
  readonly exitCode = 12
  override get message() {
    const how = this.signal === null ? `exit code ${this.code ?? "unknown"}` : `killed by ${this.signal}`
    const last = this.stderr.trim().split("\n").at(-1) ?? ""
    return `${this.provider} failed: ${how}${last === "" ? "" : `: ${last}`}`
  }
}

/** The turn took longer than it was allowed to, and was ended. */
export class AgentTimeoutError extends Schema.TaggedError<AgentTimeoutError>()("AgentTimeoutError", {
  provider: Schema.String,
  afterMs: Schema.Finite,
  /** True: the idle limit ran out, not the limit of the whole run. */
  idle: Schema.Boolean,
  /** The problem after which it was retrying when the time ran out; null when it was not retrying. */
  trouble: Schema.NullOr(ProviderProblem),
  ...partial
}) {
  readonly exitCode = 4
  override get message() {
    const why = this.idle ? "gave no sign of life for" : "took longer than"
    const retrying = this.trouble === null ? "" : `, as it was trying again: ${inLine(this.trouble.message)}`
    return `${this.provider} ${why} ${this.afterMs} ms and was ended${retrying}`
  }
}

/** The output could not be parsed, or ended in the middle. */
export class AgentProtocolError extends Schema.TaggedError<AgentProtocolError>()("AgentProtocolError", {
  provider: Schema.String,
  why: Schema.String,
  ...partial
}) {
  readonly exitCode = 13
  override get message() {
    return `${this.provider}: its output could not be understood: ${this.why}`
  }
}

/** The CLI is there, and could not be started. */
export class AgentSpawnError extends Schema.TaggedError<AgentSpawnError>()("AgentSpawnError", {
  provider: Schema.String,
  binary: Schema.String,
  why: Schema.String
}) {
  readonly exitCode = 1
  override get message() {
    return `${this.binary} could not be started: ${this.why}`
  }
}

/** All that a turn without a terminal can fail with. */
export type AgentError =
  | EmptyPromptError
  | AgentOptionError
  | AgentNotFoundError
  | AgentReportedError
  | AgentExitError
  | AgentTimeoutError
  | AgentProtocolError
  | AgentSpawnError

/** What is to become of a request for a tool. `ask`: the provider does with it what it does by itself. */
export interface PermitDecision {
  readonly verdict: "allow" | "deny" | "ask"
  /** Told to the model whose request is refused. */
  readonly why: string
}

/** Decides on what the tools of a run may do. */
export interface Permit {
  /** It may refuse something: a CLI that cannot be made to ask it does not run. */
  readonly restricts: boolean
  /** The option of the run that restricts it; absent: the user's rules do. */
  readonly option?: string
  /**
   * Decides within a second and a half: the CLI waits no longer, and what is not decided by then is refused by a permit
   * that restricts. `base`: the CLI that `cli` is a variant of.
   */
  readonly decide: (
    request: ToolRequest,
    asking: { readonly cli: string; readonly base: string; readonly cwd: string }
  ) => Effect.Effect<PermitDecision>
}

/** The options of a run, with what is no data. */
export type AgentRunOptions = AgentOptions & { readonly permit?: Permit }

/** A run: its events as they come, then its result. Interrupting the stream ends the CLI. */
export type AgentRun<Result> = Stream.Stream<
  AgentEvent | { readonly _tag: "Result"; readonly result: Result },
  AgentError
>

/** What a turn of a conversation gives: its result, and the conversation that goes on from it. */
export interface ConversationResult {
  readonly result: AgentResult
  readonly conversation: Conversation
}

/** One AI CLI or API, used without a terminal. */
export interface AgentProviderShape {
  readonly name: string
  readonly displayName: string
  /** Other names that callers know it by; a provider of such a name goes before. */
  readonly aliases?: ReadonlyArray<string>
  /** All that it says in a turn is its answer; otherwise messages may come before it, between uses of tools. */
  readonly hasOneMessage?: boolean
  /** Options that it has nothing for. A command refuses them; a program may have one set of options for all. */
  readonly without?: ReadonlyArray<keyof AgentOptions>
  /** Whether it holds the model to this schema itself; otherwise the model is asked to keep to it. */
  readonly keepsSchema?: (schema: JsonSchema) => boolean
  /** It keeps a limit of cost by itself, so that nobody needs to know its prices. */
  readonly keepsCost?: boolean
  /** The tool by which the model gives an answer that has to fit a schema: its turn ends with it. */
  readonly answerTool?: string
  /**
   * A text that is data, such as what was piped in, without what the provider would take for a file to read in and send
   * along. Idempotent; absent: it takes nothing for one.
   */
  readonly inert?: (text: string) => string
  /** Checks what is known before a call: its program is installed, its address and key are usable. Asks nobody. */
  readonly validate: Effect.Effect<void, AgentNotFoundError | AgentOptionError>
  /** One turn in a session of its own. */
  readonly execute: (prompt: string, options: AgentRunOptions) => AgentRun<AgentResult>
  /**
   * The next turn of a conversation; the conversation passed in is not changed. `fork`: continue in a copy of its
   * session.
   */
  readonly executeConversation: (
    conversation: Conversation,
    prompt: string,
    options: AgentRunOptions & { readonly fork?: boolean }
  ) => AgentRun<ConversationResult>
}

/** A provider of turns without a terminal: a CLI, or an HTTP server. */
export class AgentProvider extends Context.Service<AgentProvider, AgentProviderShape>()(
  "leap/services/AgentProvider"
) {}

/** The registry of headless providers. */
export class AgentProviders extends Context.Service<
  AgentProviders,
  {
    readonly all: ReadonlyArray<AgentProviderShape>
    readonly get: (name: string) => Effect.Effect<AgentProviderShape, UnknownAgentError>
  }
>()("leap/services/AgentProviders") {}

/** A registry of these providers, in this order. Of two with the same name the first counts. */
export const registryOf = (providers: ReadonlyArray<AgentProviderShape>): AgentProviders["Service"] => {
  const all = providers.filter(({ name }, index) => providers.findIndex((other) => other.name === name) === index)
  return {
    all,
    get: (name) => {
      const found = all.find((one) => one.name === name) ?? all.find(({ aliases }) => aliases?.includes(name))
      return found === undefined
        ? Effect.fail(new UnknownAgentError({ name, known: all.map(({ name }) => name) }))
        : Effect.succeed(found)
    }
  }
}
