import { Schema } from "effect"
import { AutoSendMode, ChurnMode, defaultModes, NightMode, UnknownLayout } from "../session/Session.ts"
import { defaultNight, defaultNotify, NightSettings, NotifySettings } from "./NotifySettings.ts"
import { defaultOut, OutSettings } from "./OutSettings.ts"

/**
 * A rule of a policy: every field that is given must match. Patterns are globs; a command pattern matches one simple
 * command.
 */
export const PolicyRule = Schema.Struct({
  /** The CLI's own tool name. */
  tool: Schema.optionalKey(Schema.String),
  kind: Schema.optionalKey(Schema.Literals(["command", "read", "edit", "fetch", "mcp", "agent", "other"])),
  command: Schema.optionalKey(Schema.String),
  /** Against absolute paths; `~` is the home directory, a relative pattern is under the session's directory. */
  path: Schema.optionalKey(Schema.String),
  url: Schema.optionalKey(Schema.String),
  /** The kind of subagent; `main` is the main conversation. */
  agent: Schema.optionalKey(Schema.String),
  cli: Schema.optionalKey(Schema.String),
  tag: Schema.optionalKey(Schema.String),
  /** Given to the model whose request is refused, and written to the audit log. */
  reason: Schema.optionalKey(Schema.String)
})
export type PolicyRule = typeof PolicyRule.Type

/** Rules by their effect. Deny wins over ask, ask over allow; if none matches, the session's mode decides. */
export const Policy = Schema.Struct({
  deny: Schema.Array(PolicyRule),
  ask: Schema.Array(PolicyRule),
  allow: Schema.Array(PolicyRule),
  /** What a CLI is told while leap cannot answer, where a rule denies or asks; absent: `ask`. */
  whenSilent: Schema.optionalKey(Schema.Literals(["ask", "deny", "leave"]))
})
export type Policy = typeof Policy.Type

/** No rules: every request is the mode's to decide. */
export const noPolicy: Policy = { deny: [], ask: [], allow: [] }

/**
 * Rows by which the screen of a CLI is read that leap has no reader for (see `RowPattern`). `box`: the input box, with
 * its `{draft}`, or with its placeholder; `busy`: something works; `done`: nothing does, where `{box}` is the box with
 * no busy row; `dialog`: the CLI waits for the user.
 */
export const ScreenPatterns = Schema.Struct({
  box: Schema.optionalKey(Schema.Array(Schema.String)),
  busy: Schema.optionalKey(Schema.Array(Schema.String)),
  done: Schema.optionalKey(Schema.Array(Schema.String)),
  dialog: Schema.optionalKey(Schema.Array(Schema.String))
})
export type ScreenPatterns = typeof ScreenPatterns.Type

/** Keys of a CLI that leap does not know, by the names that `leap keys` takes; several are pressed in turn. */
export const KeySettings = Schema.Struct({
  submit: Schema.optionalKey(Schema.String),
  interrupt: Schema.optionalKey(Schema.String),
  clear: Schema.optionalKey(Schema.String),
  quit: Schema.optionalKey(Schema.String),
  /** False: it does not know pasted text, which is typed then. */
  paste: Schema.optionalKey(Schema.Boolean)
})
export type KeySettings = typeof KeySettings.Type

/** The user's settings for one CLI. With `base` it is the user's own CLI, a variant of a built-in one. */
export const CliSettings = Schema.Struct({
  base: Schema.optionalKey(Schema.String),
  displayName: Schema.optionalKey(Schema.String),
  /** The program instead of the CLI's own: a name on PATH or a path; `~` and `$NAME` are expanded. */
  command: Schema.optionalKey(Schema.String),
  /** Default flags, in shell words. `LEAP_<NAME>_FLAGS` replaces them. */
  flags: Schema.optionalKey(Schema.String),
  /** Added to the CLI's environment; `~` and `$NAME` in values are expanded. */
  env: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** Not offered when a CLI is to be picked. */
  hidden: Schema.optionalKey(Schema.Boolean),
  screen: Schema.optionalKey(ScreenPatterns),
  keys: Schema.optionalKey(KeySettings)
})
export type CliSettings = typeof CliSettings.Type

/** A server of the user's that speaks OpenAI's protocol, used by its name. */
export const EndpointSettings = Schema.Struct({
  baseUrl: Schema.String,
  model: Schema.optionalKey(Schema.String),
  /** The environment variable that has its key; no other key is sent to it. */
  apiKeyEnv: Schema.optionalKey(Schema.String),
  /** Sent with each request; `$NAME` in values is expanded. */
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})
export type EndpointSettings = typeof EndpointSettings.Type

/**
 * Whether ↑ and ↓ at the CLI's prompt bring back what was typed before by leap: `auto` where the CLI does not do so
 * itself, `on` wherever it keeps what was typed.
 */
export const Recalling = Schema.Literals(["auto", "on", "off"])

/** The keys of an attached terminal that are leap's; `off` for none. */
export const AttachSettings = Schema.Struct({
  /** The key before leap's menu: ctrl-<character>. */
  commandKey: Schema.String,
  /** What begins a message: one character, typed twice. */
  capture: Schema.String,
  /** The key that leaves to the shell until `fg`: ctrl-<character>. */
  suspendKey: Schema.String,
  recall: Recalling
})
export type AttachSettings = typeof AttachSettings.Type

/** Messages that agents write to sessions, and what else they may do to them. */
export const Post = Schema.Struct({
  /**
   * `deliver`: a message of an agent's goes out like any other; `hold`: the user releases each; `careful`: as `hold` in
   * a session that allows everything without asking, else as `deliver`; `refuse`: none is taken.
   */
  delivery: Schema.Literals(["careful", "deliver", "hold", "refuse"]),
  /** Which dialogs of other sessions agents may answer. */
  answer: Schema.Literals(["none", "questions", "permissions"]),
  /** The longest chain of messages in which each is an agent's answer to the one before. */
  maxHops: Schema.Int,
  /** Messages from agents that a session takes, and that its own agent sends, within an hour. */
  perHour: Schema.Int
})
export type Post = typeof Post.Type

/** Worktrees that leap makes. */
export const WorktreeSettings = Schema.Struct({
  /** Where they are put: a path from `/` or `~`, or one that begins at the repository; null: beside it. */
  directory: Schema.NullOr(Schema.String),
  /** A line for `sh` that makes a new one ready; null for none. */
  setup: Schema.NullOr(Schema.String)
})

/** The user's settings: `settings.json` in leap's configuration directory, JSON with comments. */
export const Settings = Schema.Struct({
  /** The modes a new session starts with. */
  modes: Schema.Struct({ autoSend: AutoSendMode, churn: ChurnMode, night: Schema.optionalKey(NightMode) }),
  /** What is done with a screen that is read by what all CLIs share, since its CLI's own reader recognizes nothing. */
  unknownLayout: UnknownLayout,
  attach: AttachSettings,
  notify: NotifySettings,
  out: OutSettings,
  night: NightSettings,
  policy: Policy,
  post: Post,
  worktrees: WorktreeSettings,
  clis: Schema.Record(Schema.String, CliSettings),
  /** The order in which CLIs are listed; those not named follow. */
  order: Schema.Array(Schema.String),
  endpoints: Schema.Record(Schema.String, EndpointSettings),
  /** A file of prices that override the ones leap ships; null for none. */
  prices: Schema.NullOr(Schema.String),
  /** What is recorded of sessions: nothing, what happened and when, or that with messages and answers. */
  record: Schema.Literals(["off", "meta", "full"]),
  /** What is older than so many days, or more than so many megabytes, is forgotten, the oldest first. */
  recordDays: Schema.Finite,
  recordMegabytes: Schema.Finite
})
export type Settings = typeof Settings.Type

/** The settings of a user who has none. */
export const defaultSettings: Settings = {
  modes: defaultModes,
  unknownLayout: "wait",
  attach: { commandKey: "ctrl-]", capture: "^^", suspendKey: "ctrl-z", recall: "auto" },
  notify: defaultNotify,
  out: defaultOut,
  night: defaultNight,
  policy: noPolicy,
  post: { delivery: "careful", answer: "none", maxHops: 8, perHour: 30 },
  worktrees: { directory: null, setup: null },
  clis: {},
  order: [],
  endpoints: {},
  prices: null,
  record: "full",
  recordDays: 90,
  recordMegabytes: 256
}
