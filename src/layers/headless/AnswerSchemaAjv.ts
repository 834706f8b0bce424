import { Effect } from "effect"
import type { Fault, JsonSchema, SchemaCheck } from "../../domain/cli/headless/AnswerSchema.ts"
import { AgentOptionError } from "../../services/AgentProvider.ts"
import { errorTextOf } from "../../domain/words/reading/Fields.ts"
import type { ErrorObject } from "ajv"

/** Details that an error's message omits. */
const detailOf = ({ keyword, params }: ErrorObject<string, Record<string, unknown>>): string => {
  if (keyword === "additionalProperties") return `: ${String(params["additionalProperty"])}`
  if (keyword === "unevaluatedProperties") return `: ${String(params["unevaluatedProperty"])}`
  if (keyword === "enum") return `: ${JSON.stringify(params["allowedValues"])}`
  return keyword === "const" ? `: ${JSON.stringify(params["allowedValue"])}` : ""
}

const faultOf = (error: ErrorObject): Fault => ({
  at: error.instancePath,
  what: `${error.message ?? `fails ${error.keyword}`}${detailOf(error)}`.slice(0, 200)
})

/** Errors that only report that another one is inside. */
const outer = new Set(["if", "anyOf", "oneOf", "allOf"])

/** The schema's draft: 2020-12 unless it names an older one. */
const draftOf = ({ $schema }: JsonSchema): "2019" | "2020" | "7" => {
  if (typeof $schema !== "string") return "2020"
  return $schema.includes("2019-09") ? "2019" : $schema.includes("draft-0") ? "7" : "2020"
}

/** Loaded only for runs with a schema. */
const checkers = {
  "2019": () => import("ajv/dist/2019.js").then(({ Ajv2019 }) => Ajv2019),
  "2020": () => import("ajv/dist/2020.js").then(({ Ajv2020 }) => Ajv2020),
  "7": () => import("ajv").then(({ Ajv }) => Ajv)
}

/** The validator of a schema; fails for an invalid one. It fetches nothing. */
export const schemaCheck = (provider: string, schema: JsonSchema): Effect.Effect<SchemaCheck, AgentOptionError> =>
  Effect.tryPromise({
    try: () =>
      Promise.all([checkers[draftOf(schema)](), import("ajv-formats")]).then(([Checker, formats]): SchemaCheck => {
        const checker = new Checker({ allErrors: true, strict: false, logger: false, ownProperties: true })
        // An unknown format is no error (`strict`).
        formats.default.default(checker)
        const validate = checker.compile(schema)
        return (value) => {
          if (validate(value) === true) return []
          const errors = validate.errors ?? []
          const inner = errors.filter(({ keyword }) => !outer.has(keyword))
          return (inner.length === 0 ? errors : inner).map(faultOf)
        }
      }),
    catch: (cause) =>
      new AgentOptionError({
        provider,
        option: "schema",
        why: `it is no JSON schema that can be used: ${errorTextOf(cause)}`
      })
  })
