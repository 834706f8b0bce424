import { Schema } from "effect"
import { part } from "./settingKinds.ts"

/** A rule of a policy: every given field except `reason` must match. Patterns are globs. */
export const PolicyRule = Schema.Struct({
  tool: part("The CLI's own name of the tool, as a glob: Bash, mcp__*", Schema.String),
  kind: part(
    "The kind of tool, whatever the CLI calls it",
    Schema.Literals(["command", "read", "edit", "fetch", "mcp", "agent", "other"])
  ),
  command: part("Glob over one simple command: git push*", Schema.String),
  path: part(
    "Glob over absolute paths; ~ is the home directory, a relative pattern is under the session's directory",
    Schema.String
  ),
  url: part("Glob over the address that is fetched", Schema.String),
  agent: part("The kind of subagent; main is the main conversation", Schema.String),
  cli: part("Only for this CLI", Schema.String),
  tag: part("Only in sessions of this name, as a glob", Schema.String),
  reason: part("Told to the model that is refused, and written in the audit log", Schema.String)
})
export type PolicyRule = typeof PolicyRule.Type

const whenSilent = part(
  "What a CLI is told while leap cannot answer and rules deny or ask: ask (default), deny, or leave it be",
  Schema.Literals(["ask", "deny", "leave"])
)

/** Rules by their effect. Deny wins over ask, ask over allow; if none matches, the session's mode decides. */
export const Policy = Schema.Struct({
  deny: Schema.Array(PolicyRule),
  ask: Schema.Array(PolicyRule),
  allow: Schema.Array(PolicyRule),
  whenSilent,
  /** Why some rules could not be read: one of them may deny. The file never has this field. */
  unread: Schema.optionalKey(Schema.String)
})
export type Policy = typeof Policy.Type

export const PolicyInFile = Schema.Struct({
  deny: part("What is refused; goes before everything else", Policy.fields.deny),
  ask: part("What waits for you, whatever the mode is", Policy.fields.ask),
  allow: part("What is allowed without asking", Policy.fields.allow),
  whenSilent
})

/** No rules: the mode decides every request. */
export const noPolicy: Policy = { deny: [], ask: [], allow: [] }
