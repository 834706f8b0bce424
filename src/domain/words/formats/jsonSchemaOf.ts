import { Schema } from "effect"

/** The JSON Schema (draft 2020-12) of a schema's encoded side. */
export const jsonSchemaOf = (schema: Schema.Top, onExcessProperty: "error" | "ignore" = "ignore"): object => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema, { onExcessProperty })
  const shared = Object.keys(definitions).length === 0 ? {} : { $defs: definitions }
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...root, ...shared }
}
