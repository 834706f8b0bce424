import { Schema } from "effect"
import { AutoSendMode, ChurnMode } from "../Session.ts"
import { PolicyRule } from "./Settings.ts"

/** A member that need not be there, with what an editor tells of it. */
const told = <S extends Schema.Top>(schema: S, description: string) => Schema.optionalKey(schema.annotate({ description }))

const rules = Schema.Array(Schema.Struct({
  tool: told(PolicyRule.fields.tool.schema, "The CLI's own name of the tool, as a glob: Bash, mcp__*"),
  kind: told(PolicyRule.fields.kind.schema, "The kind of tool, whatever the CLI calls it"),
  command: told(PolicyRule.fields.command.schema, "Glob over one simple command: git push*"),
  path: told(PolicyRule.fields.path.schema, "Glob over absolute paths; ~ is the home directory, a relative pattern is under the session's directory"),
  url: told(PolicyRule.fields.url.schema, "Glob over the address that is fetched"),
  agent: told(PolicyRule.fields.agent.schema, "The kind of subagent; main is the main conversation"),
  cli: told(PolicyRule.fields.cli.schema, "Only for this CLI"),
  tag: told(PolicyRule.fields.tag.schema, "Only in sessions of this name, as a glob"),
  reason: told(PolicyRule.fields.reason.schema, "Told to the model that is refused, and written in the audit log")
}))

const cli = Schema.Struct({
  base: told(Schema.String, "The CLI of leap's that this one of yours is a variant of; none for leap's own"),
  displayName: told(Schema.String, "The name it is shown by"),
  command: told(Schema.String, "Its program: a name on PATH, or a path from / or ~; $NAME is put in"),
  flags: told(Schema.String, "Flags it is always started with, in shell words; LEAP_<NAME>_FLAGS replaces them"),
  env: told(Schema.Record(Schema.String, Schema.String), "Variables for its environment; ~ and $NAME in values are put in, $$ is a dollar"),
  hidden: told(Schema.Boolean, "Not offered when a CLI is to be picked")
})

/** The settings file as it is written: everything may be left out. For editors; leap itself reads more leniently. */
export const SettingsFile = Schema.Struct({
  $schema: told(Schema.String, "Where this description is"),
  modes: told(
    Schema.Struct({
      autoSend: told(AutoSendMode, "pause: a permission dialog waits for you; always: it is answered by policy"),
      churn: told(ChurnMode, "Whether queued messages go out while background work lives")
    }),
    "The modes that new sessions start with"
  ),
  policy: told(
    Schema.Struct({
      deny: told(rules, "What is refused; goes before everything else"),
      ask: told(rules, "What waits for you, whatever the mode is"),
      allow: told(rules, "What is allowed without asking")
    }),
    "What tools may do. Every field of a rule that is given must match"
  ),
  clis: told(
    Schema.Record(Schema.String, cli),
    "CLIs by their ids: leap's own, with flags and environment, and your variants of them"
  ),
  order: told(Schema.Array(Schema.String), "The order in which CLIs are listed; those not named follow"),
  prices: told(Schema.NullOr(Schema.String), "A file of prices that goes before the ones leap ships")
}).annotate({ title: "Settings of leap" })
