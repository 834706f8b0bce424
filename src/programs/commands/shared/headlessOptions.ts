import { Effect, Option, Result, Struct } from "effect"
import type { AgentOptions } from "../../../domain/cli/headless/AgentOptions.ts"
import type { PolicyRule } from "../../../domain/store/settings/PolicySettings.ts"
import { jsonOf } from "../../../domain/words/formats/Json.ts"
import { type AgentProviderShape, AgentProviders, type AgentRunOptions } from "../../../services/AgentProvider.ts"
import { Output } from "../../../services/Output.ts"
import { System } from "../../../services/System.ts"
import { UserSettings } from "../../../services/UserSettings.ts"
import { withFallback } from "../../headless/fallback.ts"
import { fileText } from "../../headless/promptText.ts"
import { policyPermit } from "../../../services/policy/policyPermit.ts"
import type { Format } from "../../headless/renderRun.ts"
import { fail } from "../../exit.ts"
import { optionsOf, type Values } from "./headlessFlags.ts"
import { absolutePath } from "../../../domain/words/text/paths.ts"

/** What `exec` and `chat` derive from their flags without reading files. */
export const invocationOf = Effect.fnUntraced(function* (values: Values, rest: ReadonlyArray<string>) {
  const output = yield* Output
  const system = yield* System
  const format: Format = values.json ? "json" : values.output
  if (values.readOnly && Option.getOrElse(values.sandbox, () => "read-only") !== "read-only")
    return yield* fail("usage", "--read-only is --sandbox read-only, and another one is named; which is meant?")
  const options = optionsOf(values, rest, (path) => absolutePath(system.cwd, path))
  const json = options.outputFormat === "json" || Option.isSome(values.schema)
  const shared = yield* output.sharedWith
  // only the end of a turn tells which message is the answer, so by default a pipe gets that one alone; where others
  // write, an answer in pieces would be mixed with theirs
  const streams = (agent: AgentProviderShape) =>
    format === "text" &&
    !json &&
    (output.isTerminal ||
      values.stream ||
      (agent.hasOneMessage === true && shared === null && values.mcpConfig.length === 0))
  const progress = output.errorIsTerminal && !values.quiet && format === "text"
  return { output, options, format, json, streams, progress, shared }
})

/** Reads header lines; with `@FILE` their values stay out of the process list. */
const headersOf = Effect.fnUntraced(function* (given: ReadonlyArray<string>) {
  const lines = yield* Effect.forEach(given, (line) =>
    line.startsWith("@")
      ? Effect.map(fileText("--header", line.slice(1)), (text) => text.split(/\r?\n/).filter((it) => it.trim() !== ""))
      : Effect.succeed([line])
  )
  const headers: Array<readonly [string, string]> = []
  for (const line of lines.flat()) {
    const colon = line.indexOf(":")
    // its value may be a secret
    if (colon < 1) return yield* fail("usage", "--header: expected 'Name: value', or @FILE with such lines")
    headers.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()])
  }
  return headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }
})

const schemaIn = Effect.fnUntraced(function* (path: Option.Option<string>) {
  if (Option.isNone(path)) return {}
  const schema = jsonOf(yield* fileText("--schema", path.value))
  if (typeof schema !== "object" || schema === null || Array.isArray(schema))
    return yield* fail("usage", `--schema: '${path.value}' is no JSON schema: there is no JSON object in it`)
  return { schema: Object.fromEntries(Object.entries(schema)) }
})

/** The servers in files; a later file's take the place of those of the same name. */
const serversIn = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
  if (paths.length === 0) return {}
  const { mcpServersIn } = yield* Effect.promise(() => import("../../../domain/cli/headless/McpServers.ts"))
  const { env } = yield* System
  const all = yield* Effect.forEach(paths, (path) =>
    Effect.flatMap(fileText("--mcp-config", path), (text) =>
      Result.match(mcpServersIn(jsonOf(text), env), {
        onFailure: (why) => fail("usage", `--mcp-config: '${path}': ${why}`),
        onSuccess: Effect.succeed
      })
    )
  )
  return { mcpServers: Object.assign({}, ...all) }
})

/** Parses the rules in flags. A rule that does not do what it seems to is refused, because its user relies on it. */
const rulesOf = Effect.fnUntraced(function* (verdict: "allow" | "deny", written: ReadonlyArray<string>) {
  // an empty list revokes the denials of earlier turns
  if (written.every((one) => one.trim() === "")) return written.length === 0 ? {} : { [verdict]: [] }
  const { parseRule, ruleForms } = yield* Effect.promise(() => import("../../../domain/policy/parseRule.ts"))
  const { ruleProblems } = yield* Effect.promise(() => import("../../../domain/policy/problems.ts"))
  const refuse = (text: string, why: string) => fail("usage", `--${verdict} '${text}': ${why}`)
  const read: Array<PolicyRule> = []
  for (const text of written.filter((one) => one.trim() !== "")) {
    const rule = parseRule(text)
    if (rule === null) return yield* refuse(text, `expected ${ruleForms}`)
    const [problem] = ruleProblems(verdict, rule)
    if (problem !== undefined) return yield* refuse(text, problem)
    read.push(rule)
  }
  return { [verdict]: read }
})

/** Prints the findings of 'leap policy check' on these rules. */
const tellFindings = Effect.fnUntraced(function* ({ allow = [], deny = [] }: Pick<AgentOptions, "allow" | "deny">) {
  if (allow.length + deny.length === 0) return
  const { lintPolicy } = yield* Effect.promise(() => import("../../../domain/policy/lint.ts"))
  const { cwd, env } = yield* System
  const { note } = yield* Output
  const found = lintPolicy({ deny, ask: [], allow }, { home: env["HOME"] ?? "", directory: cwd, clis: null })
  yield* Effect.forEach(found, ({ advice, says, text }) => note(`--${text}: ${says}; ${advice}`), { discard: true })
})

export const fullOptions = Effect.fnUntraced(function* (own: AgentOptions, values: Values) {
  const read: AgentOptions = {
    ...own,
    ...(yield* headersOf(values.header)),
    ...(yield* schemaIn(values.schema)),
    ...(yield* serversIn(values.mcpConfig)),
    ...(yield* rulesOf("deny", values.deny)),
    ...(yield* rulesOf("allow", values.allow))
  }
  yield* tellFindings(read)
  const permit = values.noPolicy ? null : yield* policyPermit
  return (permit === null ? read : { ...read, permit }) satisfies AgentRunOptions
})

/** The command-line names of options that not every provider supports. */
const flagNames: Partial<Readonly<Record<keyof AgentOptions, string>>> = {
  args: "what follows --",
  baseUrl: "--base-url",
  headers: "--header",
  temperature: "--temperature",
  topP: "--top-p",
  maxTokens: "--max-tokens"
}

/** Refuses an unsupported option, because its user relies on it. */
const requireKept = Effect.fnUntraced(function* (agent: AgentProviderShape, options: AgentOptions) {
  const unkept = agent.without?.find((option) => options[option] !== undefined)
  if (unkept !== undefined)
    return yield* fail("usage", `${agent.displayName} has nothing for ${flagNames[unkept] ?? unkept}; leave it out`)
})

/** The name of the requested provider; an endpoint of the settings is one. */
export const nameOf = Effect.fnUntraced(function* ({ endpoint, provider }: Pick<Values, "endpoint" | "provider">) {
  if (Option.isNone(endpoint)) return Option.getOrNull(provider)
  if (Option.isSome(provider)) return yield* fail("usage", "--endpoint is in place of --provider; which one is meant?")
  const { settings } = yield* (yield* UserSettings).read
  if (Object.hasOwn(settings.endpoints, endpoint.value)) return endpoint.value
  const known = Object.keys(settings.endpoints).join(", ")
  return yield* fail(
    "usage",
    `leap's settings have no endpoint '${endpoint.value}'; ${known === "" ? "they have none" : `they have ${known}`}`
  )
})

export const providersIn = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

/** The provider of this name; fails if it does not support one of these options. */
export const agentOf = Effect.fnUntraced(function* (name: string | null, options: AgentOptions) {
  const providers = yield* AgentProviders
  if (name !== null) {
    const agent = yield* providers.get(name)
    yield* requireKept(agent, options)
    return agent
  }
  return yield* fail("usage", `which provider is not said: --provider ${providers.all.map((it) => it.name).join("|")}`)
})

const forOthers = (options: AgentRunOptions): AgentRunOptions => Struct.omit(options, ["args", "effort", "model"])

/** The provider with its fallbacks for limits and overload. All must exist before any is asked. */
export const agentWithFallback = Effect.fnUntraced(function* (
  first: AgentProviderShape,
  options: AgentOptions,
  { fallback }: Pick<Values, "fallback">,
  progress: boolean
) {
  if (Option.isNone(fallback)) return first
  const names = providersIn(fallback.value).filter((name) => name !== first.name)
  if (names.length === 0) return first
  const output = yield* Output
  const others = yield* Effect.forEach(names, (name) => agentOf(name, forOthers(options)))
  // progress shows it already
  const told = (line: string) => (progress ? Effect.void : output.note(`leap: ${line}`))
  return withFallback([first, ...others], forOthers, told)
})
