import { Schema } from "effect"

/** Where a secret stands; it is in no settings, argument or log. */
export type SecretPlace =
  /** A file of the user's that nobody else may read. */
  | { readonly file: string }
  /** A variable of the environment of `leap out`. */
  | { readonly env: string }

/** The place that settings name by one of two fields. */
export const placeOf = (file: string | undefined, env: string | undefined): SecretPlace =>
  file === undefined ? { env: env ?? "" } : { file }

/** Where events are posted to, each signed. */
export const Webhook = Schema.Struct({
  /** What it is known by: it goes on where it was under the same name. */
  name: Schema.String,
  url: Schema.String,
  /** One of the two. */
  secretFile: Schema.optionalKey(Schema.String),
  secretEnv: Schema.optionalKey(Schema.String),
  /** Whether it gets what was on the screen: titles, answers. */
  texts: Schema.Boolean
})
export type Webhook = typeof Webhook.Type

/** A channel of Slack's in which each session has a thread. */
export const SlackSettings = Schema.Struct({
  /** The id of a channel, or of a conversation with the app. */
  channel: Schema.String,
  /** The ids of those who may answer dialogs and queue messages. */
  users: Schema.Array(Schema.String),
  /** Of each token one of the two. */
  botTokenFile: Schema.optionalKey(Schema.String),
  botTokenEnv: Schema.optionalKey(Schema.String),
  appTokenFile: Schema.optionalKey(Schema.String),
  appTokenEnv: Schema.optionalKey(Schema.String),
  texts: Schema.Boolean
})
export type SlackSettings = typeof SlackSettings.Type

/** Who is told what sessions do, by `leap out`. */
export const OutSettings = Schema.Struct({
  webhooks: Schema.Array(Webhook),
  slack: Schema.NullOr(SlackSettings),
  /** So long events are kept for a receiver that takes none. */
  keepHours: Schema.Finite
})
export type OutSettings = typeof OutSettings.Type

export const defaultOut: OutSettings = { webhooks: [], slack: null, keepHours: 72 }
