import { Schema } from "effect"
import { part } from "./settingKinds.ts"

/** Where a secret is found: a file that only its user may read, or a variable. No setting, argument or log has it. */
export type SecretPlace = { readonly file: string } | { readonly env: string }

export const placeOf = (file: string | undefined, env: string | undefined): SecretPlace =>
  file === undefined ? { env: env ?? "" } : { file }

export const Webhook = Schema.Struct({
  name: Schema.String.annotate({
    description: "What it is known by, in small letters: it goes on where it was"
  }),
  url: Schema.String.annotate({ description: "Where each event is posted to: https://example.com/leap" }),
  secretFile: part("The file, of mode 600, with the secret that its requests are signed with", Schema.String),
  secretEnv: part("Or the variable of leap out's environment that has it", Schema.String),
  /** Whether it receives what was on the screen: titles, answers. */
  texts: Schema.Boolean
})
export type Webhook = typeof Webhook.Type

export const SlackSettings = Schema.Struct({
  /** The id of a channel, or of a conversation with the app. */
  channel: Schema.String.annotate({ description: "The id of the channel in which each session has a thread: C…" }),
  users: Schema.Array(Schema.String).annotate({ description: "The ids of those who may answer and queue: U…" }),
  botTokenFile: part("The file, of mode 600, with the bot's token (xoxb-…)", Schema.String),
  botTokenEnv: part("Or the variable that has it: SLACK_BOT_TOKEN (default)", Schema.String),
  appTokenFile: part("The file, of mode 600, with the app's token (xapp-…)", Schema.String),
  appTokenEnv: part("Or the variable that has it: SLACK_APP_TOKEN (default)", Schema.String),
  texts: Schema.Boolean
})
export type SlackSettings = typeof SlackSettings.Type

const texts = part("false: it is told what happens, and no text that was on the screen", Schema.Boolean)

export const WebhookInFile = Schema.Struct({ ...Webhook.fields, texts })
export const SlackInFile = Schema.Struct({ ...SlackSettings.fields, texts })
