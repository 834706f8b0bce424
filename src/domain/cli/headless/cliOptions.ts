import { Result, Schema } from "effect"
import { textOf } from "../../words/reading/Fields.ts"
import type { AgentCall, AgentCommand, InvalidOption, RunFile } from "./AgentCli.ts"
import { AgentOptions } from "./AgentOptions.ts"
import type { McpServers } from "./McpServers.ts"

/** Commas within brackets are part of a tool's name: `Bash(git log:*,x),Read`. */
export const toolsIn = (tools: AgentOptions["allowedTools"] = []): ReadonlyArray<string> =>
  (typeof tools === "string" ? tools.split(/,(?![^()]*\))/) : tools)
    .map((tool) => tool.trim())
    .filter((tool) => tool !== "")

/** Options that only a server supports; one map of options may serve several providers. */
export const httpOptions = ["baseUrl", "apiKey", "headers", "temperature", "topP", "maxTokens"] as const

/** A value that follows its flag: a leading dash would make it another flag. */
const value = (option: string, text: string | undefined): Result.Result<string | null, InvalidOption> => {
  if (text === undefined) return Result.succeed(null)
  if (text.trim() === "") return Result.fail({ option, why: "it is empty" })
  if (text.startsWith("-")) return Result.fail({ option, why: `'${text}' begins with '-'` })
  return text.includes("\0") ? Result.fail({ option, why: "it has a NUL character in it" }) : Result.succeed(text)
}

type Limit = "allowedTools" | "deniedTools" | "maxTurns" | "effort" | "sandbox"

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== ""

/** An option whose restriction would be lost; one that only grants or advises may be left out with a notice. */
const restricts = (option: Limit, options: AgentOptions): boolean =>
  option === "deniedTools" || option === "maxTurns" || (option === "sandbox" && options.sandbox !== "off")

/**
 * Reads a call's options. Fails for values that would be misread, and for restrictions that the CLI cannot keep
 * (`without`). What else it does not support is `ignored`: it is left out, and reported to the user.
 */
export const readCliOptions = (
  { fork, isNewSystem, options, prompt, sessionId }: AgentCall,
  cli: { readonly displayName: string; readonly without?: ReadonlyArray<Limit>; readonly forks?: false }
) =>
  Result.gen(function* () {
    const unknown = (cli.without ?? []).filter((option) => isGiven(options[option]))
    const unkept = unknown.find((option) => restricts(option, options))
    if (unkept !== undefined)
      return yield* Result.fail({
        option: unkept,
        why: `${cli.displayName} has nothing that keeps it; leave it out, or ask a provider that has`
      })
    const model = yield* value("model", options.model)
    const effort = yield* value("effort", options.effort)
    yield* value("session", sessionId ?? undefined)
    for (const tool of toolsIn(options.allowedTools)) yield* value("allowedTools", tool)
    for (const tool of toolsIn(options.deniedTools)) yield* value("deniedTools", tool)
    if (prompt.includes("\0")) return yield* Result.fail({ option: "prompt", why: "it has a NUL character in it" })
    if (cli.forks === false && fork && sessionId !== null)
      return yield* Result.fail({ option: "fork", why: `${cli.displayName} cannot go on in a copy of a session` })
    return {
      model,
      effort,
      allowed: toolsIn(options.allowedTools),
      denied: toolsIn(options.deniedTools),
      skip: options.skipPermissions === true,
      maxTurns: options.maxTurns ?? null,
      systemPrompt: isNewSystem ? textOf(options.systemPrompt) : null,
      ignored: unknown
    }
  })

export const withSystem = (systemPrompt: string | null, prompt: string): string =>
  systemPrompt === null ? prompt : `${systemPrompt}\n\n${prompt}`

export const flag = (name: string, value: string | number | null): ReadonlyArray<string> =>
  value === null ? [] : [name, String(value)]

export const commandOf = (parts: Partial<AgentCommand> & Pick<AgentCommand, "args">): AgentCommand => ({
  stdin: null,
  env: {},
  ignored: [],
  furtherAt: null,
  files: [],
  reportFlag: null,
  ...parts
})

/** The file with the servers of a run in a CLI's own form; none for none. */
export const serversFile = (
  { mcpServers }: AgentOptions,
  content: (servers: McpServers) => unknown,
  named: Pick<RunFile, "variable" | "words">
): ReadonlyArray<RunFile> =>
  mcpServers === undefined ? [] : [{ option: "mcpServers", content: content(mcpServers), ...named }]

export type CommandResult = Result.Result<AgentCommand, InvalidOption>

const nameOf = (word: string): string | null => /^--[a-z][\w-]*/i.exec(word)?.[0] ?? null

/** The user's flags without those of the run itself: many CLIs accept a flag only once. */
export const withoutRepeated = (flags: ReadonlyArray<string>, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const present = new Set(args.map(nameOf))
  const kept: Array<string> = []
  let dropping = false
  for (const word of flags) {
    const name = nameOf(word)
    // A word that follows a dropped flag is its value, unless it is a flag.
    dropping = name === null ? dropping && !word.startsWith("-") : present.has(name)
    if (!dropping) kept.push(word)
    if (name !== null && word.includes("=")) dropping = false
  }
  return kept
}

const checks = Object.entries(AgentOptions.fields).map(([option, schema]) => ({
  option,
  fits: Schema.is(schema as Schema.Schema<unknown>),
  why: `must be ${String(Schema.resolveAnnotations(schema)?.["mustBe"])}`
}))

/** The first option that has a value of a wrong type; null when there is none. Unknown options are ignored. */
export const firstInvalidOption = (options: AgentOptions): InvalidOption | null => {
  const values: Readonly<Record<string, unknown>> = { ...options }
  const invalid = checks.find(({ fits, option }) => values[option] !== undefined && !fits(values[option]))
  return invalid === undefined ? null : { option: invalid.option, why: invalid.why }
}
