// Writes settings.schema.json, by which editors complete and check leap's settings: `node scripts/settings-schema.ts`.
import { Schema } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { SettingsFile } from "../src/domain/settings/SettingsFile.ts"

export const file = path.join(import.meta.dirname, "../settings.schema.json")

/** The text of the schema file. */
export const text = (): string => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(SettingsFile, { onExcessProperty: "error" })
  const shared = Object.keys(definitions).length === 0 ? {} : { $defs: definitions }
  return `${JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema, ...shared }, null, 2)}\n`
}

if (import.meta.main) fs.writeFileSync(file, text())
