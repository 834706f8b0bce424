import { Schema } from "effect"

/** The JSON Schema (draft 2020-12) of the encoded form, with its shared parts under `$defs`. */
export const jsonSchemaOf = (of: Schema.Top, onExcessProperty: "error" | "ignore" = "ignore"): object => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(of, { onExcessProperty })
  const shared = Object.keys(definitions).length === 0 ? {} : { $defs: definitions }
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema, ...shared }
}
