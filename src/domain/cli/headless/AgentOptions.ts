import { Schema } from "effect"
import { PolicyRule } from "../../store/settings/PolicySettings.ts"
import { McpServers } from "./McpServers.ts"
import { isNetwork, networkForms } from "./Network.ts"

/** An optional key. The error for another value quotes `mustBe`. */
const option = <S extends Schema.Top>(schema: S, mustBe: string) => Schema.optionalKey(schema.annotate({ mustBe }))

const text = option(Schema.String, "a text")
const flag = option(Schema.Boolean, "true or false")
const list = option(Schema.Union([Schema.String, Schema.Array(Schema.String)]), "a text, or a list of texts")
const rules = option(Schema.Array(PolicyRule), "a list of rules, as in leap's settings")
const positive = option(Schema.Finite.check(Schema.isGreaterThan(0)), "a number above 0")
const positiveInteger = option(Schema.Int.check(Schema.isGreaterThan(0)), "a whole number above 0")
const namedTexts = option(Schema.Record(Schema.String, Schema.String), "names and texts")

/** A number from 0 to this. */
const upTo = (maximum: number) =>
  option(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum })), `a number between 0 and ${maximum}`)

/** A run's options. Unknown keys are ignored. A wrong type, or a limit that the provider cannot keep, is an error. */
export const AgentOptions = Schema.Struct({
  model: text,
  /** It precedes the prompt of the turn that sets it, and applies to later turns, too. */
  systemPrompt: text,
  /** True: every tool runs without permission. Otherwise what needs permission is refused. */
  skipPermissions: flag,
  /** Tools that run without permission, by the CLI's own names; a list, or one text with commas. */
  allowedTools: list,
  deniedTools: list,
  /** Rules of this run, besides leap's settings. `deny`: what is refused; `allow`: what runs without asking. */
  deny: rules,
  allow: rules,
  /** `json`: the answer must be one JSON value; the result has it parsed too. */
  outputFormat: option(Schema.Literals(["text", "json"]), "'text' or 'json'"),
  /** Emits each line of the CLI's output unchanged as an event, too. */
  native: flag,
  /** A JSON schema for the answer. The answer is then JSON, even if `outputFormat` is `text`. */
  schema: option(Schema.Record(Schema.String, Schema.Unknown), "a JSON schema, as an object"),
  /** Files of pictures that the prompt is about. */
  images: option(Schema.Array(Schema.String), "a list of files"),
  cwd: text,
  env: namedTexts,
  /** Further arguments for the CLI, unchanged. */
  args: option(Schema.Array(Schema.String), "a list of texts"),
  /** Milliseconds: `timeout` for the whole run, `idleTimeout` for a pause without output. */
  timeout: positive,
  idleTimeout: positive,
  maxTurns: positiveInteger,
  /** The most US dollars, and tokens of all classes, for a run. It ends once a limit is, or would be, exceeded. */
  maxCost: positive,
  maxTokensTotal: positiveInteger,
  /** Where tools may write: nowhere, in the directory, anywhere. The CLI enforces it, or leap by the CLI's hooks. */
  sandbox: option(Schema.Literals(["read-only", "workspace-write", "off"]), "'read-only', 'workspace-write' or 'off'"),
  /** What tools may reach: 'none', 'any', or hosts with commas between them. It needs a sandbox, `workspace-write` by default. */
  network: option(
    Schema.String.check(Schema.makeFilter((network: string) => (isNetwork(network) ? undefined : networkForms))),
    networkForms
  ),
  effort: text,
  /** MCP servers for this run, beside those of the CLI's own settings. Their tools need permission like all others. */
  mcpServers: option(McpServers, "MCP servers by name: a command with args and env, or a url with headers"),
  /** For HTTP: the server's address, its key (never printed), and the request's headers and parameters. */
  baseUrl: text,
  apiKey: text,
  headers: namedTexts,
  temperature: upTo(2),
  topP: upTo(1),
  maxTokens: option(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)), "a whole number, 0 or more")
})
export type AgentOptions = typeof AgentOptions.Type

/** What of a run is denied, or allowed beside leap's settings: by the CLI itself, or by leap at its hooks. */
export const restrictionNames = ["allow", "deny", "deniedTools", "network", "sandbox"] as const
/** A run's restrictions. */
export type Restrictions = Pick<AgentOptions, (typeof restrictionNames)[number]>

/** Whether a run has restrictions at all: without one nothing is decided by rules. */
export const isRestricted = (options: AgentOptions): boolean =>
  restrictionNames.some((name) => options[name] !== undefined)
