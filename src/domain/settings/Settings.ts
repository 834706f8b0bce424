import { Schema } from "effect"
import { AutoSendMode, ChurnMode, defaultModes } from "../Session.ts"

/** A rule of a policy: every field that is given must match. Patterns are globs; a command pattern matches one simple command. */
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
  /** Told to the model that is refused, and written in the audit log. */
  reason: Schema.optionalKey(Schema.String)
})
export type PolicyRule = typeof PolicyRule.Type

/** Rules by what they say. Deny wins over ask, ask over allow; where none matches the session's mode decides. */
export const Policy = Schema.Struct({
  deny: Schema.Array(PolicyRule),
  ask: Schema.Array(PolicyRule),
  allow: Schema.Array(PolicyRule)
})
export type Policy = typeof Policy.Type

export const noPolicy: Policy = { deny: [], ask: [], allow: [] }

/** What the user has said of one CLI. With `base` it is the user's own CLI, made of a built-in one. */
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
  hidden: Schema.optionalKey(Schema.Boolean)
})
export type CliSettings = typeof CliSettings.Type

/** The user's settings: `settings.json` in leap's configuration directory, JSON with comments. */
export const Settings = Schema.Struct({
  /** The modes a new session starts with. */
  modes: Schema.Struct({ autoSend: AutoSendMode, churn: ChurnMode }),
  policy: Policy,
  clis: Schema.Record(Schema.String, CliSettings),
  /** The order in which CLIs are listed; those not named follow. */
  order: Schema.Array(Schema.String),
  /** A file of prices that goes before the ones leap ships; null for none. */
  prices: Schema.NullOr(Schema.String)
})
export type Settings = typeof Settings.Type

export const defaultSettings: Settings = {
  modes: defaultModes, policy: noPolicy, clis: {}, order: [], prices: null
}
