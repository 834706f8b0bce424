import { Option, Schema } from "effect"
import { readButton } from "./slackMessage.ts"

/**
 * What a person did in Slack. `time` names a message, `thread` the one that its thread begins with; `key` is the same
 * when Slack sends it again.
 */
export type SlackIncoming =
  | {
      readonly _tag: "Reply"
      readonly key: string
      readonly channel: string
      readonly thread: string
      readonly time: string
      readonly user: string
      readonly text: string
    }
  | {
      readonly _tag: "Pressed"
      readonly key: string
      readonly channel: string
      readonly thread: string | null
      readonly time: string
      readonly user: string
      readonly dialog: string
      readonly number: number
    }

const Message = Schema.Struct({
  event: Schema.Struct({
    type: Schema.Literal("message"),
    channel: Schema.String,
    ts: Schema.String,
    thread_ts: Schema.String,
    user: Schema.String,
    text: Schema.String,
    subtype: Schema.optionalKey(Schema.String),
    bot_id: Schema.optionalKey(Schema.Unknown)
  })
})

const Actions = Schema.Struct({
  type: Schema.Literal("block_actions"),
  user: Schema.Struct({ id: Schema.String }),
  channel: Schema.Struct({ id: Schema.String }),
  message: Schema.Struct({ ts: Schema.String, thread_ts: Schema.optionalKey(Schema.String) }),
  actions: Schema.Array(
    Schema.Struct({ value: Schema.optionalKey(Schema.String), action_ts: Schema.optionalKey(Schema.String) })
  )
})

const asMessage = Schema.decodeUnknownOption(Message)
const asActions = Schema.decodeUnknownOption(Actions)

/** What Slack writes for the characters that are its markup. */
const unescaped = (text: string): string =>
  text
    // a link as it was typed
    .replace(/<((?:https?|mailto):[^>|]*)(?:\|([^>]*))?>/g, (_, address: string, label?: string) => label ?? address)
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

/**
 * What the payload of an envelope says; null for what is nothing to leap: messages outside of threads, edits, other
 * programs' messages and leap's own.
 */
export const readIncoming = (kind: string, payload: unknown): SlackIncoming | null => {
  if (kind === "events_api") {
    const found = asMessage(payload)
    if (Option.isNone(found)) return null
    const { bot_id, channel, subtype, text, thread_ts, ts, user } = found.value.event
    // `thread_broadcast`: a reply that is shown in the channel too
    if (bot_id !== undefined || (subtype !== undefined && subtype !== "thread_broadcast")) return null
    return {
      _tag: "Reply",
      key: `reply ${channel} ${ts}`,
      channel,
      thread: thread_ts,
      time: ts,
      user,
      text: unescaped(text)
    }
  }
  if (kind !== "interactive") return null
  const found = asActions(payload)
  if (Option.isNone(found)) return null
  const { actions, channel, message, user } = found.value
  const [action] = actions
  const button = readButton(action?.value ?? "")
  if (button === null) return null
  const key = `press ${message.ts} ${user.id} ${action?.action_ts ?? ""}`
  const thread = message.thread_ts ?? null
  return { _tag: "Pressed", key, channel: channel.id, thread, time: message.ts, user: user.id, ...button }
}
