import { Context, type Effect, Schema, type Stream } from "effect"
import { type AgentEvent, ProviderProblem } from "../domain/agents/AgentEvent.ts"
import type { AgentOptions } from "../domain/agents/AgentOptions.ts"
import type { AgentResult } from "../domain/agents/AgentResult.ts"
import type { Conversation } from "../domain/agents/Conversation.ts"

/** What had come before it failed: nothing of a paid answer is thrown away. */
const partial = { sessionId: Schema.NullOr(Schema.String), text: Schema.String, stderr: Schema.String }

/** An error is one line, whatever the provider makes of it. */
const inLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, " ")

export class EmptyPromptError extends Schema.TaggedError<EmptyPromptError>()("EmptyPromptError", { provider: Schema.String }) {
  readonly exitCode = 2
  override get message() {
    return "the prompt is empty"
  }
}

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

export class UnknownAgentError extends Schema.TaggedError<UnknownAgentError>()("UnknownAgentError", {
  name: Schema.String,
  known: Schema.Array(Schema.String)
}) {
  readonly exitCode = 2
  override get message() {
    return `no provider is called '${this.name}'; known: ${this.known.join(", ")}`
  }
}

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

/** The provider itself says why it did not go on. Exit code 10, 11 or 12 by kind. */
export class AgentReportedError extends Schema.TaggedError<AgentReportedError>()("AgentReportedError", {
  provider: Schema.String,
  problem: ProviderProblem,
  exit: Schema.NullOr(Schema.Int),
  ...partial
}) {
  get exitCode() {
    return this.problem.kind === "auth" ? 10 : this.problem.kind === "rate_limited" || this.problem.kind === "quota" ? 11 : 12
  }
  override get message() {
    return `${this.provider}: ${inLine(this.problem.message)}`
  }
}

/** It ended without saying why: its exit code or signal is all there is. */
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

export class AgentTimeoutError extends Schema.TaggedError<AgentTimeoutError>()("AgentTimeoutError", {
  provider: Schema.String,
  afterMs: Schema.Finite,
  /** Nothing came for so long, rather than the whole taking so long. */
  idle: Schema.Boolean,
  /** Why it was trying again, where it was at that; null otherwise. */
  trouble: Schema.NullOr(ProviderProblem),
  ...partial
}) {
  readonly exitCode = 4
  override get message() {
    return `${this.provider} ${this.idle ? "gave no sign of life for" : "took longer than"} ${this.afterMs} ms and was ended${this.trouble === null ? "" : `, as it was trying again: ${inLine(this.trouble.message)}`}`
  }
}

/** Its output could not be understood, or ended in the middle. */
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

export type AgentError =
  | EmptyPromptError
  | AgentOptionError
  | AgentNotFoundError
  | AgentReportedError
  | AgentExitError
  | AgentTimeoutError
  | AgentProtocolError
  | AgentSpawnError

/** What a run gives as it goes: its events, and at the end its result. Interrupting the stream ends the CLI. */
export type AgentRun<Result> = Stream.Stream<AgentEvent | { readonly _tag: "Result"; readonly result: Result }, AgentError>

export interface ConversationResult {
  readonly result: AgentResult
  readonly conversation: Conversation
}

/** One AI CLI or API, run without a terminal. */
export interface AgentProviderShape {
  readonly name: string
  readonly displayName: string
  /** Whether it can run here: its program is found. Makes no request. */
  readonly validate: Effect.Effect<void, AgentNotFoundError | AgentOptionError>
  /** One turn in a session of its own. */
  readonly execute: (prompt: string, options: AgentOptions) => AgentRun<AgentResult>
  /** The next turn of a conversation; the given one is not changed. `fork`: goes on in a copy. */
  readonly executeConversation: (
    conversation: Conversation,
    prompt: string,
    options: AgentOptions & { readonly fork?: boolean }
  ) => AgentRun<ConversationResult>
}

export class AgentProvider extends Context.Service<AgentProvider, AgentProviderShape>()("leap/services/AgentProvider") {}

/** The registry of headless providers. */
export class AgentProviders extends Context.Service<AgentProviders, {
  readonly all: ReadonlyArray<AgentProviderShape>
  readonly get: (name: string) => Effect.Effect<AgentProviderShape, UnknownAgentError>
}>()("leap/services/AgentProviders") {}
