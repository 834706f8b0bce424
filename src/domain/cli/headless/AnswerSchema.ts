import { Option } from "effect"
import { fieldsOf, itemsOf } from "../../words/reading/Fields.ts"
import { namesIn } from "../../words/text/namesIn.ts"
import { jsonIn } from "./jsonAnswer.ts"

export type JsonSchema = Readonly<Record<string, unknown>>

/** One fault of an answer. `at`: a JSON pointer; empty: the whole answer. */
export interface Fault {
  readonly at: string
  readonly what: string
}

export type SchemaCheck = (value: unknown) => ReadonlyArray<Fault>

const maxFaults = 8

/** The parsed value of an answer, and its faults. */
export const checkAnswer = (
  text: string,
  check: SchemaCheck
): { readonly json: unknown; readonly faults: ReadonlyArray<Fault> } => {
  const json = jsonIn(text)
  if (Option.isSome(json)) return { json: json.value, faults: check(json.value) }
  return { json: null, faults: [{ at: "", what: text.trim() === "" ? "is empty" : "is not one JSON value" }] }
}

export const faultsText = (faults: ReadonlyArray<Fault>): string => {
  const told = faults.slice(0, maxFaults).map(({ at, what }) => `${at === "" ? "it" : at} ${what}`)
  return [...told, ...(faults.length > maxFaults ? [`and ${faults.length - maxFaults} more`] : [])].join("; ")
}

/** The end of a prompt for an answer of this schema, unless the CLI itself enforces the schema. */
export const schemaInstruction = (schema: JsonSchema): string =>
  "Answer with one JSON value only, without a code fence and without any other text. " +
  `It must match this JSON schema:\n${JSON.stringify(schema)}`

export const repairPrompt = (faults: ReadonlyArray<Fault>): string =>
  `Your answer does not match the required JSON schema: ${faultsText(faults)}. Send the whole answer again, corrected.`

/** The only JSON Schema keywords that providers accept in a schema to which they constrain the model's output. */
const strictKeywords: ReadonlySet<string> = new Set(
  namesIn(`$defs $ref $schema additionalProperties anyOf const definitions description enum exclusiveMaximum
    exclusiveMinimum format items maxItems maximum minItems minimum multipleOf pattern properties required title type`)
)

const isStrictPart = (value: unknown): boolean => {
  const part = fieldsOf(value)
  if (part !== value || Object.keys(part).some((keyword) => !strictKeywords.has(keyword))) return false
  const properties = fieldsOf(part["properties"])
  const names = Object.keys(properties)
  const required = itemsOf(part["required"])
  const types: ReadonlyArray<unknown> = Array.isArray(part["type"]) ? part["type"] : [part["type"]]
  if (types.includes("object") || names.length > 0) {
    if (part["additionalProperties"] !== false || names.some((name) => !required.includes(name))) return false
  }
  return [
    ...Object.values(properties),
    ...Object.values(fieldsOf(part["$defs"])),
    ...Object.values(fieldsOf(part["definitions"])),
    ...(part["items"] === undefined ? [] : [part["items"]]),
    ...itemsOf(part["anyOf"])
  ].every(isStrictPart)
}

/**
 * Whether a provider can constrain output to this schema: it uses only `strictKeywords`, its root is an object, and
 * every object requires all its properties and forbids others.
 */
export const isStrict = (schema: JsonSchema): boolean => schema["type"] === "object" && isStrictPart(schema)
