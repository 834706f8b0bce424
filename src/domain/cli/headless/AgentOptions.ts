import { Schema } from "effect"
import { PolicyRule } from "../../store/settings/PolicySettings.ts"

/** An option, and in words what its value must be. */
const option = <S extends Schema.Top>(schema: S, mustBe: string) => Schema.optionalKey(schema.annotate({ mustBe }))

const text = option(Schema.String, "a text")
const flag = option(Schema.Boolean, "true or false")
const list = option(Schema.Union([Schema.String, Schema.Array(Schema.String)]), "a text, or a list of texts")
const rules = option(Schema.Array(PolicyRule), "a list of rules, as in leap's settings")
const above = option(Schema.Finite.check(Schema.isGreaterThan(0)), "a number above 0")
const wholeAbove = option(Schema.Int.check(Schema.isGreaterThan(0)), "a whole number above 0")
const texts = option(Schema.Record(Schema.String, Schema.String), "names and texts")

/** A number from 0 to this. */
const upTo = (maximum: number) =>
  option(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum })), `a number between 0 and ${maximum}`)

/** The options of a run. Unknown keys are ignored; a wrong type, or what a provider cannot keep, is an error. */
export const AgentOptions = Schema.Struct({
  model: text,
  /** Precedes the prompt of the turn that it is given with, and applies to later turns. */
  systemPrompt: text,
  /** True: every tool runs without permission. Otherwise what needs permission is refused. */
  skipPermissions: flag,
  /** Tools that run without permission, by the CLI's own names; a list, or one text with commas. */
  allowedTools: list,
  deniedTools: list,
  /** Rules of this run, besides those of leap's settings: what its tools may not do, and what runs without asking. */
  deny: rules,
  allow: rules,
  /** `json`: the answer must be one JSON value; the result has it parsed too. */
  outputFormat: option(Schema.Literals(["text", "json"]), "'text' or 'json'"),
  /** Each line that the CLI prints is an event as well, as the CLI wrote it. */
  native: flag,
  /** A JSON schema for the answer, which is then JSON, whatever `outputFormat` says. */
  schema: option(Schema.Record(Schema.String, Schema.Unknown), "a JSON schema, as an object"),
  /** Files of pictures that the prompt is about. */
  images: option(Schema.Array(Schema.String), "a list of files"),
  cwd: text,
  env: texts,
  /** Further arguments for the CLI, unchanged. */
  args: option(Schema.Array(Schema.String), "a list of texts"),
  /** Milliseconds for the whole run; and without any output. */
  timeout: above,
  idleTimeout: above,
  maxTurns: wholeAbove,
  /** The US dollars, and the tokens of all classes, that a run may use: leap ends it when it exceeds them. */
  maxCost: above,
  maxTokensTotal: wholeAbove,
  /** What tools may write: nothing, the directory, everything. Kept by the CLI, or by leap through its hooks. */
  sandbox: option(Schema.Literals(["read-only", "workspace-write", "off"]), "'read-only', 'workspace-write' or 'off'"),
  effort: text,
  /** For HTTP: where, with which key (never printed), and how. */
  baseUrl: text,
  apiKey: text,
  headers: texts,
  temperature: upTo(2),
  topP: upTo(1),
  maxTokens: option(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)), "a whole number, 0 or more")
})
export type AgentOptions = typeof AgentOptions.Type
