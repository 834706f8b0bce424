import { Schema } from "effect"
import type { InvalidOption } from "./AgentCli.ts"
import { AgentOptions } from "./AgentOptions.ts"

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
