import { Schema } from "effect"
import { part, amount, type Setting, setting, table } from "./settingKinds.ts"
import type { LenientNode } from "../../words/formats/LenientJson.ts"
import { variableProblem } from "./CustomCli.ts"
import { isAddress } from "./PushTarget.ts"
import { itemsAt, leafAt, leafOf, leavingOut, membersOf, type Notes, objectAt } from "./settingsNodes.ts"

/** Where a secret is found: a file that only its user may read, or a variable. No setting, argument or log has it. */
export type SecretPlace = { readonly file: string } | { readonly env: string }

export const placeOf = (file: string | undefined, env: string | undefined): SecretPlace =>
  file === undefined ? { env: env ?? "" } : { file }

const tags = part("It is told of sessions whose names fit one of these alone: feat-*", Schema.Array(Schema.String))

export const Webhook = Schema.Struct({
  name: Schema.String.annotate({
    description: "What it is known by, in small letters: it goes on where it was"
  }),
  url: Schema.String.annotate({ description: "Where each event is posted to: https://example.com/leap" }),
  secretFile: part("The file, of mode 600, with the secret that its requests are signed with", Schema.String),
  secretEnv: part("Or the variable of leap out's environment that has it", Schema.String),
  tags,
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
  tags,
  texts: Schema.Boolean
})
export type SlackSettings = typeof SlackSettings.Type

const texts = part("false: it is told what happens, and no text that was on the screen", Schema.Boolean)

const WebhookInFile = Schema.Struct({ ...Webhook.fields, texts })
const SlackInFile = Schema.Struct({ ...SlackSettings.fields, texts })

type Members = ReadonlyMap<string, LenientNode>

const isName = (name: string): boolean => /^[a-z0-9][a-z0-9-]{0,39}$/.test(name)
const isChannel = (id: string): boolean => /^[CDG][A-Z0-9]{2,20}$/.test(id)
const isUser = (id: string): boolean => /^[UW][A-Z0-9]{2,20}$/.test(id)

const textsOf = (found: Members): boolean | undefined => {
  const texts = found.has("texts") ? leafAt(found, "texts") : true
  return typeof texts === "boolean" ? texts : undefined
}

/** The patterns of the sessions' names, as a field; none for all sessions; null for an unusable one. */
const tagsOf = (found: Members, path: string, notes: Notes): { readonly tags?: ReadonlyArray<string> } | null => {
  if (!found.has("tags")) return {}
  const tags = (itemsAt(found.get("tags"), `${path}.tags`, notes) ?? []).map(leafOf)
  const usable = tags.filter((tag): tag is string => typeof tag === "string" && /^[A-Za-z0-9_*?-]+$/.test(tag))
  return usable.length === 0 || usable.length < tags.length ? null : { tags: usable }
}
const tagsUnusable = "its tags must be names of sessions, or patterns of them like feat-*"

/** The one field of two that says where a secret is; for neither the `usual` variable; null if there is none. */
const secretOf = <N extends string>(
  found: Members,
  name: N,
  usual: string | null
): { readonly [K in `${N}File` | `${N}Env`]?: string } | null => {
  const [file, env] = [leafAt(found, `${name}File`), leafAt(found, `${name}Env`)]
  const as = (field: "Env" | "File", value: string) =>
    ({ [`${name}${field}`]: value }) as { readonly [K in `${N}File` | `${N}Env`]?: string }
  if (!found.has(`${name}File`) && !found.has(`${name}Env`)) return usual === null ? null : as("Env", usual)
  if (found.has(`${name}File`) && found.has(`${name}Env`)) return null
  if (typeof file === "string" && file !== "") return as("File", file)
  return typeof env === "string" && variableProblem(env, "") === null ? as("Env", env) : null
}

/** A webhook; null, with a warning, if a part is unusable. Warnings do not quote it: addresses may be secrets. */
const webhookOf = (node: LenientNode, path: string, taken: ReadonlySet<string>, notes: Notes): Webhook | null => {
  const refuse = leavingOut(node, path, notes)
  if (node.kind !== "object" || !node.whole) return refuse("it must be an object with a name, a url and a secretFile")
  const found = membersOf(node, `${path}.`, new Set(["name", "url", "secretFile", "secretEnv", "tags", "texts"]), notes)
  const [name, url] = [leafAt(found, "name"), leafAt(found, "url")]
  if (typeof name !== "string" || !isName(name)) return refuse("its name must be small letters, digits and -")
  if (name === "slack" || taken.has(name)) return refuse("another receiver has its name")
  if (typeof url !== "string" || !isAddress(url)) return refuse("its url must be an http or https address")
  const secret = secretOf(found, "secret", null)
  if (secret === null) return refuse("it must have a secretFile, a path, or a secretEnv, a variable's name")
  const texts = textsOf(found)
  if (texts === undefined) return refuse("its texts must be true or false")
  const tags = tagsOf(found, path, notes)
  return tags === null ? refuse(tagsUnusable) : { name, url, ...secret, ...tags, texts }
}

const slackOf = (node: LenientNode | undefined, notes: Notes): SlackSettings | null => {
  const path = "out.slack"
  if (node !== undefined && leafOf(node) === null) return null
  const object = objectAt(node, path, notes)
  if (object === null) return null
  const refuse = leavingOut(object, path, notes)
  if (!object.whole) return refuse("it cannot be read whole")
  const names = ["channel", "users", "botTokenFile", "botTokenEnv", "appTokenFile", "appTokenEnv", "tags", "texts"]
  const found = membersOf(object, `${path}.`, new Set(names), notes)
  const channel = leafAt(found, "channel")
  if (typeof channel !== "string" || !isChannel(channel)) return refuse("its channel must be an id like C0123456789")
  const users = (itemsAt(found.get("users"), `${path}.users`, notes) ?? []).map(leafOf)
  const known = users.filter((user): user is string => typeof user === "string" && isUser(user))
  // With an invalid id it is uncertain whom the user means.
  if (known.length === 0 || known.length < users.length)
    return refuse("its users must be ids like U0123456789 of those who may answer, one at least")
  const botToken = secretOf(found, "botToken", "SLACK_BOT_TOKEN")
  const appToken = secretOf(found, "appToken", "SLACK_APP_TOKEN")
  if (botToken === null || appToken === null)
    return refuse("its tokens are named by botTokenFile or botTokenEnv, and appTokenFile or appTokenEnv")
  const texts = textsOf(found)
  if (texts === undefined) return refuse("its texts must be true or false")
  const tags = tagsOf(found, path, notes)
  return tags === null ? refuse(tagsUnusable) : { channel, users: known, ...botToken, ...appToken, ...tags, texts }
}

const webhooksOf: Setting<Schema.$Array<typeof Webhook>>["read"] = (node, path, { notes }) => {
  const webhooks: Array<Webhook> = []
  for (const [index, item] of (itemsAt(node, path, notes) ?? []).entries()) {
    const taken = new Set(webhooks.map(({ name }) => name))
    const webhook = webhookOf(item, `${path}[${index}]`, taken, notes)
    if (webhook !== null) webhooks.push(webhook)
  }
  return webhooks
}

/** Longest time that events are kept, in hours. */
const mostHours = 24 * 30

export const out = table("Who is told what sessions do, by leap out", {
  webhooks: setting(
    "Where events are posted to, signed, in order, until they arrive",
    Schema.Array(Webhook),
    [],
    webhooksOf,
    Schema.Array(WebhookInFile)
  ),
  slack: setting(
    "The channel of Slack's in which each session has a thread; null: none",
    Schema.NullOr(SlackSettings),
    null,
    (node, _, { notes }) => slackOf(node, notes),
    Schema.NullOr(SlackInFile)
  ),
  keepHours: amount("So long events are kept for a receiver that takes none: 72", 1, mostHours, 72)
})
export type OutSettings = typeof out.value.Type
export const defaultOut: OutSettings = out.otherwise
