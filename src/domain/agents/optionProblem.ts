import { Schema } from "effect"
import type { OptionProblem } from "./AgentCli.ts"
import { AgentOptions } from "./AgentOptions.ts"

const text = "a text"
const list = "a text, or a list of texts"
const above = "a number above 0"

const wanted: Readonly<Record<keyof typeof AgentOptions.fields, string>> = {
  model: text, systemPrompt: text, skipPermissions: "true or false", allowedTools: list, deniedTools: list, outputFormat: "'text' or 'json'",
  cwd: text, env: "names and texts", args: "a list of texts", timeout: above, idleTimeout: above, maxTurns: "a whole number above 0", effort: text,
  baseUrl: text, apiKey: text, headers: "names and texts", temperature: "a number between 0 and 2", topP: "a number between 0 and 1",
  maxTokens: "a whole number, 0 or more"
}

const checks = Object.entries(AgentOptions.fields).map(([option, schema]) => ({ option, fits: Schema.is(schema as Schema.Schema<unknown>) }))

/** The first option whose value is none that it may have; null when all are fine. Unknown options are no problem. */
export const optionProblem = (options: AgentOptions): OptionProblem | null => {
  const given: Readonly<Record<string, unknown>> = { ...options }
  const wrong = checks.find(({ fits, option }) => given[option] !== undefined && !fits(given[option]))
  return wrong === undefined ? null : { option: wrong.option, why: `must be ${wanted[wrong.option as keyof typeof wanted]}` }
}
