import { Schema } from "effect"

/**
 * What a caller may ask of any provider. What one cannot do it leaves out, and says so at debug level; unknown keys are
 * ignored; a known key with a wrong type is an error.
 */
export const AgentOptions = Schema.Struct({
  model: Schema.optionalKey(Schema.String),
  /** Heard by the model before the first prompt of a conversation. */
  systemPrompt: Schema.optionalKey(Schema.String),
  /** True: every tool runs unasked. Otherwise what the CLI would ask for is refused. */
  skipPermissions: Schema.optionalKey(Schema.Boolean),
  /** Tools that run unasked, by the CLI's own names; a list, or one text with commas. */
  allowedTools: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  deniedTools: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  /** `json`: the answer must be one JSON value, and is given parsed too. */
  outputFormat: Schema.optionalKey(Schema.Literals(["text", "json"])),
  cwd: Schema.optionalKey(Schema.String),
  /** Added to the CLI's environment. */
  env: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** Further arguments for the CLI, as they are. */
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Milliseconds for the whole run; and without any output. */
  timeout: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0))),
  idleTimeout: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0))),
  maxTurns: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))),
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
