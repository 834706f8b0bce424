// Writes src/layers/system/hostForms.json, by which commands check what hosts answer, src/thin/queueForm.json, by which the light way
// reads the queue's log of a session that has ended, and src/page/frameForm.json, by which the page of `leap web` checks
// what its server tells: `node scripts/host-forms.ts`.
import { Schema } from "effect"
import { RpcSchema } from "effect/rpc"
import * as fs from "node:fs"
import * as path from "node:path"
import { QueueRecord } from "../src/domain/queue/QueueRecord.ts"
import type { JsonForm } from "../src/domain/reading/JsonForm.ts"
import { ServerFrame } from "../src/domain/web/Frames.ts"
import { HostRpc } from "../src/services/HostRpc.ts"

export const file = path.join(import.meta.dirname, "../src/layers/system/hostForms.json")
export const queueFile = path.join(import.meta.dirname, "../src/thin/queueForm.json")
export const frameFile = path.join(import.meta.dirname, "../src/page/frameForm.json")

interface JsonSchema {
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
}

const formOf = (schema: JsonSchema): JsonForm => {
  if (schema.enum !== undefined) return { enum: schema.enum }
  if (schema.anyOf !== undefined) return { anyOf: schema.anyOf.map(formOf) }
  if (schema.items !== undefined) return { items: formOf(schema.items) }
  if (schema.properties !== undefined) {
    const optional = Object.keys(schema.properties).filter((name) => !(schema.required ?? []).includes(name))
    const fields = Object.entries(schema.properties).map(([name, property]) => [name, formOf(property)] as const)
    return { fields: Object.fromEntries(fields), optional }
  }
  switch (schema.type) {
    case "string":
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return schema.type
    default:
      throw new Error(`no form for ${JSON.stringify(schema)}`)
  }
}

const formOfSchema = (name: string, of: Schema.Top): JsonForm => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(of)
  if (Object.keys(definitions).length > 0) throw new Error(`${name}: shared definitions have no form`)
  return formOf(schema)
}

/** The text of the file: the calls that have one answer. */
export const text = (): string => {
  const calls = [...HostRpc.requests.values()].filter(({ successSchema }) => !RpcSchema.isStreamSchema(successSchema))
  const forms = calls.map(({ _tag, successSchema }) => [_tag, formOfSchema(_tag, successSchema)] as const)
  return `${JSON.stringify(Object.fromEntries(forms), null, 1)}\n`
}

const textOf = (name: string, of: Schema.Top): string => `${JSON.stringify(formOfSchema(name, of), null, 1)}\n`

/** The text of the file for records of the queue's log, without their checksum. */
export const queueText = (): string => textOf("QueueRecord", QueueRecord)

/** The text of the page's file. */
export const frameText = (): string => textOf("ServerFrame", ServerFrame)

if (import.meta.main) {
  fs.writeFileSync(file, text())
  fs.writeFileSync(queueFile, queueText())
  fs.writeFileSync(frameFile, frameText())
}
