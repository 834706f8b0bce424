import { Context, type Effect, Schema, type Scope, type Stream } from "effect"
import type { SlackIncoming } from "../domain/surfaces/outgoing/slackIncoming.ts"
import type { SlackMessage } from "../domain/surfaces/outgoing/slackMessage.ts"
import type { SlackSettings } from "../domain/store/settings/OutSettings.ts"

/**
 * A call to Slack failed. `missing`: the libraries are not installed, or a token cannot be read. `limited`: a rate
 * limit. `down`: Slack is unreachable or failing. `refused`: Slack answered with this `code`.
 */
export class SlackError extends Schema.TaggedError<SlackError>()("SlackError", {
  kind: Schema.Literals(["missing", "limited", "down", "refused"]),
  why: Schema.String,
  code: Schema.NullOr(Schema.String),
  /** How long Slack asks to wait, in milliseconds. */
  afterMs: Schema.NullOr(Schema.Finite)
}) {
  override get message() {
    return `Slack: ${this.why}`
  }
}

/** An action of a person in Slack. Slack sends it again until it is acknowledged. */
export interface SlackDelivery {
  readonly incoming: SlackIncoming
  readonly acknowledge: Effect.Effect<void>
}

/** A Slack channel. Each call is one attempt that ends within seconds. */
export interface SlackChannel {
  /** Posts into a thread, or outside threads with null; returns the message's time, which identifies it. */
  readonly post: (thread: string | null, message: SlackMessage) => Effect.Effect<string, SlackError>
  readonly update: (time: string, message: SlackMessage) => Effect.Effect<void, SlackError>
  /** Shows a message in a thread to one person only. */
  readonly whisper: (thread: string, user: string, message: SlackMessage) => Effect.Effect<void, SlackError>
  /** Adds a reaction to a message. */
  readonly react: (time: string, sign: string) => Effect.Effect<void, SlackError>
  /** Opens one connection and emits people's actions until it closes. `opened` runs once it is connected. */
  readonly listen: (
    opened: Effect.Effect<void>
  ) => Effect.Effect<Stream.Stream<SlackDelivery, SlackError>, SlackError, Scope.Scope>
}

/** Slack, by its own libraries, which are loaded on first use. */
export class Slack extends Context.Service<
  Slack,
  {
    readonly open: (settings: SlackSettings) => Effect.Effect<SlackChannel, SlackError>
  }
>()("leap/services/Slack") {}
