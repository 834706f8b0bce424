import { Context, Effect, Schema, type Scope, type Stream } from "effect"
import { type AgentEvent, ProviderProblem } from "../domain/cli/headless/AgentEvent.ts"
import type { AgentOptions } from "../domain/cli/headless/AgentOptions.ts"
import type { JsonSchema } from "../domain/cli/headless/AnswerSchema.ts"
import type { AgentResult } from "../domain/cli/headless/AgentResult.ts"
import type { Conversation } from "../domain/cli/headless/Conversation.ts"
import type { SharedLimit } from "../domain/cli/usage/Budget.ts"
import type { Tokens } from "../domain/cli/usage/Usage.ts"
import type { ToolRequest } from "../domain/policy/ToolRequest.ts"

/** The run's output before it failed, so that output already paid for is not lost. */
const partial = { sessionId: Schema.NullOr(Schema.String), text: Schema.String, stderr: Schema.String }

const inLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, " ")

/** The prompt has no text. */
export class EmptyPromptError extends Schema.TaggedError<EmptyPromptError>()("EmptyPromptError", {
  provider: Schema.String
}) {
  readonly exitCode = 2
  override get message() {
    return "the prompt is empty"
  }
}

/** The provider does not support the value of an option. */
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

/** The provider reported why it failed. The exit code is 10, 11 or 12 by kind. */
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

/** The CLI ended without a reason; only its exit code or signal is known. */
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

/** The turn exceeded its time limit and was ended. */
export class AgentTimeoutError extends Schema.TaggedError<AgentTimeoutError>()("AgentTimeoutError", {
  provider: Schema.String,
  afterMs: Schema.Finite,
  /** True for the idle limit, false for the limit of the whole run. */
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

/** The output could not be parsed, or was truncated. */
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

/** The CLI is installed, but could not be started. */
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

/** Every failure of a turn without a terminal. */
export type AgentError =
  | EmptyPromptError
  | AgentOptionError
  | AgentNotFoundError
  | AgentReportedError
  | AgentExitError
  | AgentTimeoutError
  | AgentProtocolError
  | AgentSpawnError

/** The decision on a tool request. `ask`: the provider applies its own default. */
export interface PermitDecision {
  readonly verdict: "allow" | "deny" | "ask"
  /** Shown to the model when its request is refused. */
  readonly why: string
}

/** Decides which tools a run may use. */
export interface Permit {
  /** The permit may refuse something. A CLI whose hooks cannot ask it does not run. */
  readonly restricts: boolean
  /** The option of the run that restricts it; absent if the user's rules do. */
  readonly option?: string
  /**
   * Decides, best within 1.5 seconds: then the CLI gets an answer, a refusal if the permit restricts anything.
   * `base`: the CLI that `cli` is a variant of.
   */
  readonly decide: (
    request: ToolRequest,
    asking: { readonly cli: string; readonly base: string; readonly cwd: string }
  ) => Effect.Effect<PermitDecision>
}

/** A run's use so far. `usd` null: unknown. `isEstimated`: its provider has not counted all of it. */
export interface RunSpending {
  readonly model: string | null
  readonly tokens: Tokens
  readonly usd: number | null
  readonly isEstimated: boolean
}

/** One run's part of the settings' budgets, which hosted sessions and other runs share. */
export interface RunAccount {
  /** The limits, with the others' present use. */
  readonly limits: Effect.Effect<ReadonlyArray<SharedLimit>>
  /** Records the run's use since its beginning. */
  readonly spent: (spending: RunSpending) => Effect.Effect<void>
}

/** Opens a run's account, which is closed with the scope. Fails if the use of a budget cannot be known. */
export type OpenAccount = (provider: string) => Effect.Effect<RunAccount, AgentOptionError, Scope.Scope>

/** A run's options, and its objects: its permit, and the account of budgets. */
export type AgentRunOptions = AgentOptions & { readonly permit?: Permit; readonly account?: OpenAccount }

/** The events of a run as they occur, then its result. Interrupting the stream ends the CLI. */
export type AgentRun<Result> = Stream.Stream<
  AgentEvent | { readonly _tag: "Result"; readonly result: Result },
  AgentError
>

/** The result of a turn, and the conversation to continue. */
export interface ConversationResult {
  readonly result: AgentResult
  readonly conversation: Conversation
}

/** An AI CLI or API, used without a terminal. */
export interface AgentProviderShape {
  readonly name: string
  readonly displayName: string
  /** Alternative names. A provider whose own name is the same takes precedence. */
  readonly aliases?: ReadonlyArray<string>
  /** The whole output of a turn is the answer; otherwise other messages may come first, between tool uses. */
  readonly hasOneMessage?: boolean
  /** Options that it does not support. A command refuses them; a program may use the same options for all providers. */
  readonly without?: ReadonlyArray<keyof AgentOptions>
  /** Whether it enforces this schema itself; otherwise the prompt asks the model to keep to it. */
  readonly keepsSchema?: (schema: JsonSchema) => boolean
  /** It enforces a cost limit itself, so that leap need not know its prices. */
  readonly keepsCost?: boolean
  /** Its requests are counted, by itself or by what it says, so that leap ends it before one too many. */
  readonly countsTurns?: boolean
  /** Whether it reports the usage of each request in a run with these options. */
  readonly countsRequests?: (options: AgentOptions) => boolean
  /** The tool by which the model gives an answer that fits a schema. Its call ends the turn. */
  readonly answerTool?: string
  /** Tools that run at the model's provider, within a request. */
  readonly providerTools?: ReadonlyArray<string>
  /**
   * Disarms texts such as piped input, which the provider might read as files to attach. Idempotent; absent if the
   * provider attaches no files.
   */
  readonly inert?: (text: string) => string
  /** Checks the program, address and key before a call, without contacting anybody. */
  readonly validate: Effect.Effect<void, AgentNotFoundError | AgentOptionError>
  /** Runs one turn in a new session. */
  readonly execute: (prompt: string, options: AgentRunOptions) => AgentRun<AgentResult>
  /** Runs the next turn; the conversation passed in does not change. `fork`: continue in a copy of its session. */
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
