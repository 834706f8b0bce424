import { Schema } from "effect"

/** How a terminal is told: by the bell, by one of the sequences for notifications, or by what it is known to read. */
export const TerminalNotices = Schema.Literals(["auto", "bell", "osc9", "osc99", "osc777", "off"])
export type TerminalNotices = typeof TerminalNotices.Type

/** Where a notice is posted to. */
export const PushTarget = Schema.Struct({
  url: Schema.String,
  /** `ntfy`: as ntfy.sh and its like take it; `json`: one object with all that is known. */
  format: Schema.Literals(["ntfy", "json"]),
  /** A file with a token, which is sent as `Authorization: Bearer`. */
  tokenFile: Schema.optionalKey(Schema.String),
  /** Sent with each request; `$NAME` in values is expanded. */
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})
export type PushTarget = typeof PushTarget.Type

/** What the user is told of, how, and when not. */
export const NotifySettings = Schema.Struct({
  /** A session waits for the user's answer. */
  needsYou: Schema.Boolean,
  /** A turn is over that took longer than so many minutes; null: never. */
  doneAfterMinutes: Schema.NullOr(Schema.Finite),
  failed: Schema.Boolean,
  limit: Schema.Boolean,
  terminal: TerminalNotices,
  /** By `notify-send` or `osascript`. */
  desktop: Schema.Boolean,
  push: Schema.Array(PushTarget),
  /** Hours in which nothing is told, as `22:30-07:00`; null for none. */
  quietHours: Schema.NullOr(Schema.String),
  /** Whether the title of an attached terminal carries the session's tag and state. */
  titles: Schema.Boolean
})
export type NotifySettings = typeof NotifySettings.Type

export const defaultNotify: NotifySettings = {
  needsYou: true,
  doneAfterMinutes: 10,
  failed: true,
  limit: true,
  terminal: "auto",
  desktop: false,
  push: [],
  quietHours: null,
  titles: true
}

/** What may happen while nobody looks after a session has met its limit. */
export const NightSettings = Schema.Struct({
  /** What is sent when the limit is over. */
  message: Schema.String,
  /** The time of day from which on nothing is sent any more; null for none. */
  stop: Schema.NullOr(Schema.String),
  /** So often in one night at most. */
  most: Schema.Int,
  /** Nothing is sent once the session has cost so much, where that is known; null for no ceiling. */
  ceilingUsd: Schema.NullOr(Schema.Finite)
})
export type NightSettings = typeof NightSettings.Type

export const defaultNight: NightSettings = { message: "continue", stop: "08:00", most: 3, ceilingUsd: null }
