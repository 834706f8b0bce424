import { Option, Schema } from "effect"
import { readButton } from "./slackMessage.ts"

interface InThread {
  /** The same key if Slack sends it again. */
  readonly key: string
  readonly channel: string
  readonly thread: string
  readonly time: string
  readonly user: string
}

/** A person's action in Slack. `more`: names of a message's other parts, which leap does not use. */
export type SlackIncoming =
  | (InThread & { readonly _tag: "Reply"; readonly text: string; readonly more: ReadonlyArray<string> })
  | (InThread & { readonly _tag: "Edited"; readonly text: string })
  | (InThread & { readonly _tag: "Deleted" })
  | (Omit<InThread, "thread"> & {
      readonly _tag: "Pressed"
      readonly thread: string | null
      readonly dialog: string
      readonly number: number
    })

/** A person's message in a thread, as an event or as a part of one. */
const Written = Schema.Struct({
  ts: Schema.String,
  thread_ts: Schema.String,
  user: Schema.String,
  text: Schema.optionalKey(Schema.String),
  bot_id: Schema.optionalKey(Schema.Undefined),
  edited: Schema.optionalKey(Schema.Struct({ ts: Schema.String })),
  files: Schema.optionalKey(Schema.Array(Schema.Struct({ name: Schema.optionalKey(Schema.NullOr(Schema.String)) }))),
  attachments: Schema.optionalKey(Schema.Array(Schema.Unknown))
})

const event = <T extends Schema.Struct.Fields>(fields: T) =>
  Schema.Struct({
    event: Schema.Struct({ type: Schema.Literal("message"), channel: Schema.String, ...fields })
  })

/** The subtypes of messages by people: with a file, shown in the channel, or by `/me`. Others are Slack's own. */
const Message = event({
  ...Written.fields,
  subtype: Schema.optionalKey(Schema.Literals(["file_share", "thread_broadcast", "me_message"]))
})
const Changed = event({
  subtype: Schema.Literal("message_changed"),
  message: Written,
  previous_message: Schema.optionalKey(Schema.Struct({ text: Schema.optionalKey(Schema.String) }))
})
const Deleted = event({ subtype: Schema.Literal("message_deleted"), previous_message: Written })

const Actions = Schema.Struct({
  type: Schema.Literal("block_actions"),
  user: Schema.Struct({ id: Schema.String }),
  channel: Schema.Struct({ id: Schema.String }),
  message: Schema.Struct({ ts: Schema.String, thread_ts: Schema.optionalKey(Schema.String) }),
  actions: Schema.Array(
    Schema.Struct({ value: Schema.optionalKey(Schema.String), action_ts: Schema.optionalKey(Schema.String) })
  )
})

const asEvent = Schema.decodeUnknownOption(Schema.Union([Message, Changed, Deleted]))
const asActions = Schema.decodeUnknownOption(Actions)

/** An address as people type it: `http://x.y/` becomes `x.y`. */
const bareAddress = (address: string): string =>
  address
    .replace(/^(?:https?:\/\/|mailto:|tel:)/i, "")
    .replace(/\/$/, "")
    .toLowerCase()

const linked = (address: string, label: string): string =>
  label === ""
    ? address
    : address === "" || bareAddress(label) === bareAddress(address)
      ? label
      : `${label} (${address})`

const withSign = (sign: string, name: string): string => (name.startsWith(sign) ? name : `${sign}${name}`)

/** The readable form of Slack's `<…>`: a name, a channel, a date, a link with its address. */
const readableLink = (inside: string): string => {
  const [, what = "", label = ""] = /^([^|]*)\|?([^]*)$/.exec(inside) ?? []
  switch (what[0]) {
    case "@":
    case "#":
      return withSign(what[0], label || what.slice(1))
    case "!": {
      const [name = "", first = "", , link = ""] = what.slice(1).split("^")
      return name === "date" ? linked(link, label || first) : withSign("@", label || first || name)
    }
    default:
      return linked(what, label)
  }
}

/** The text as it was typed, without Slack's markup of names and links, and without its escapes. */
const withoutMarkup = (text = ""): string =>
  text
    .replace(/<([^<>]+)>/g, (_, inside: string) => readableLink(inside))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

type Written = typeof Written.Type

const inThread = (channel: string, { thread_ts, ts, user }: Written, what: string): InThread => ({
  key: `${what} ${channel} ${ts}`,
  channel,
  thread: thread_ts,
  time: ts,
  user
})

const readMessage = (payload: unknown): SlackIncoming | null => {
  const event = Option.getOrNull(asEvent(payload))?.event
  switch (event?.subtype) {
    case "message_changed": {
      const { channel, message, previous_message } = event
      // Slack also changes a message to unfold a link or to count replies.
      if (previous_message === undefined ? message.edited === undefined : previous_message.text === message.text)
        return null
      const thread = inThread(channel, message, `edit ${message.edited?.ts ?? ""}`)
      return { _tag: "Edited", ...thread, text: withoutMarkup(message.text) }
    }
    case "message_deleted":
      return { _tag: "Deleted", ...inThread(event.channel, event.previous_message, "delete") }
    default: {
      if (event === undefined) return null
      const { attachments = [], channel, files = [], text } = event
      const more = [
        ...files.map(({ name }) => name || "a file"),
        ...(attachments.length === 0 ? [] : ["what is attached to it"])
      ]
      return { _tag: "Reply", ...inThread(channel, event, "reply"), text: withoutMarkup(text), more }
    }
  }
}

/** The content of an envelope's payload; null for messages outside threads, and those of leap and other programs. */
export const readIncoming = (kind: string, payload: unknown): SlackIncoming | null => {
  if (kind === "events_api") return readMessage(payload)
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
