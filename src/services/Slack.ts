import { Context, type Effect, Schema, type Scope, type Stream } from "effect"
import type { SlackIncoming } from "../domain/surfaces/out/slackIncoming.ts"
import type { SlackMessage } from "../domain/surfaces/out/slackMessage.ts"
import type { SlackSettings } from "../domain/rules/settings/OutSettings.ts"

/**
 * Slack did not do it. `missing`: the libraries are not installed, or a token cannot be read; `limited`: it was asked
 * too often; `down`: it cannot be reached, or fails; `refused`: it answered with this `code`.
 */
export class SlackError extends Schema.TaggedError<SlackError>()("SlackError", {
  kind: Schema.Literals(["missing", "limited", "down", "refused"]),
  why: Schema.String,
  code: Schema.NullOr(Schema.String),
  /** So many milliseconds it asks to wait. */
  afterMs: Schema.NullOr(Schema.Finite)
}) {
  override get message() {
    return `Slack: ${this.why}`
  }
}

/** Something that a person did in Slack; unless it is acknowledged Slack sends it again. */
export interface SlackDelivery {
  readonly incoming: SlackIncoming
  readonly acknowledge: Effect.Effect<void>
}

/** A channel of Slack's. Each call is one attempt, which ends within seconds. */
export interface SlackChannel {
  /** Posts into a thread, or beside all threads where that is null; gives the message's own time, which names it. */
  readonly post: (thread: string | null, message: SlackMessage) => Effect.Effect<string, SlackError>
  readonly update: (time: string, message: SlackMessage) => Effect.Effect<void, SlackError>
  /** Tells one person alone something in a thread. */
  readonly whisper: (thread: string, user: string, message: SlackMessage) => Effect.Effect<void, SlackError>
  /** Puts a sign to a message of a person's. */
  readonly react: (time: string, sign: string) => Effect.Effect<void, SlackError>
  /** Opens one connection; what people do, until it is closed by either side. `opened` runs when it stands. */
  readonly listen: (
    opened: Effect.Effect<void>
  ) => Effect.Effect<Stream.Stream<SlackDelivery, SlackError>, SlackError, Scope.Scope>
}

/** Slack, by its own libraries, which are loaded when they are used. */
export class Slack extends Context.Service<
  Slack,
  {
    readonly open: (settings: SlackSettings) => Effect.Effect<SlackChannel, SlackError>
  }
>()("leap/services/Slack") {}
