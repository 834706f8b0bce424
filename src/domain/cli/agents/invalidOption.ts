import { Schema } from "effect"
import type { InvalidOption } from "./AgentCli.ts"
import { AgentOptions } from "./AgentOptions.ts"

const text = "a text"
const list = "a text, or a list of texts"
const rules = "a list of rules, as in leap's settings"
const above = "a number above 0"

const expected: Readonly<Record<keyof typeof AgentOptions.fields, string>> = {
  model: text,
  systemPrompt: text,
  skipPermissions: "true or false",
  allowedTools: list,
  deniedTools: list,
  deny: rules,
  allow: rules,
  outputFormat: "'text' or 'json'",
  native: "true or false",
  schema: "a JSON schema, as an object",
  images: "a list of files",
  cwd: text,
  env: "names and texts",
  args: "a list of texts",
  timeout: above,
  idleTimeout: above,
  maxTurns: "a whole number above 0",
  maxCost: above,
  maxTokensTotal: "a whole number above 0",
  sandbox: "'read-only', 'workspace-write' or 'off'",
  effort: text,
  baseUrl: text,
  apiKey: text,
  headers: "names and texts",
  temperature: "a number between 0 and 2",
  topP: "a number between 0 and 1",
  maxTokens: "a whole number, 0 or more"
}

const checks = Object.entries(AgentOptions.fields).map(([option, schema]) => ({
  option,
  fits: Schema.is(schema as Schema.Schema<unknown>)
}))

/** The first option that has a value of a wrong type; null when there is none. Unknown options are ignored. */
export const firstInvalidOption = (options: AgentOptions): InvalidOption | null => {
  const values: Readonly<Record<string, unknown>> = { ...options }
  const invalid = checks.find(({ fits, option }) => values[option] !== undefined && !fits(values[option]))
  return invalid === undefined
    ? null
    : { option: invalid.option, why: `must be ${expected[invalid.option as keyof typeof expected]}` }
}
