import { Schema } from "effect"
import { PolicyRule } from "../../rules/settings/Policy.ts"

/** The options of a run. Unknown keys are ignored; a wrong type, or what a provider cannot keep, is an error. */
export const AgentOptions = Schema.Struct({
  model: Schema.optionalKey(Schema.String),
  /** Comes before the prompt of the turn that it is given with, and holds for those behind it. */
  systemPrompt: Schema.optionalKey(Schema.String),
  /** True: every tool runs without permission. Otherwise what needs permission is refused. */
  skipPermissions: Schema.optionalKey(Schema.Boolean),
  /** Tools that run without permission, by the CLI's own names; a list, or one text with commas. */
  allowedTools: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  deniedTools: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  /** Rules of this run, beside those of leap's settings: what its tools may not do, and what runs unasked. */
  deny: Schema.optionalKey(Schema.Array(PolicyRule)),
  allow: Schema.optionalKey(Schema.Array(PolicyRule)),
  /** `json`: the answer must be one JSON value; the result has it parsed too. */
  outputFormat: Schema.optionalKey(Schema.Literals(["text", "json"])),
  /** Each line that the CLI prints is an event as well, as the CLI wrote it. */
  native: Schema.optionalKey(Schema.Boolean),
  /** A JSON schema that the answer has to fit; it is JSON then, whatever `outputFormat` says. */
  schema: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  /** Files of pictures that the prompt is about. */
  images: Schema.optionalKey(Schema.Array(Schema.String)),
  cwd: Schema.optionalKey(Schema.String),
  env: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** Further arguments for the CLI, as they are. */
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Milliseconds for the whole run; and without any output. */
  timeout: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0))),
  idleTimeout: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0))),
  maxTurns: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))),
  /** US dollars, and tokens of all classes, that a run may use: leap ends it as it goes on beyond them. */
  maxCost: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0))),
  maxTokensTotal: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))),
  /** What tools may write: nothing, the directory, everything. Kept by the CLI, or by leap through its hooks. */
  sandbox: Schema.optionalKey(Schema.Literals(["read-only", "workspace-write", "off"])),
  effort: Schema.optionalKey(Schema.String),
  /** For HTTP: where, with which key (never printed), and how. */
  baseUrl: Schema.optionalKey(Schema.String),
  apiKey: Schema.optionalKey(Schema.String),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  temperature: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 2 }))),
  topP: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))),
  maxTokens: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))
})
export type AgentOptions = typeof AgentOptions.Type
