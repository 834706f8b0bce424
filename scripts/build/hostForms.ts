// The forms by which what other processes write is checked without loading Effect: what hosts answer, the records of a
// queue's log, entries of an audit log, and what the page of `leap web` is told. Each is made from its schema.
import { Schema } from "effect"
import { RpcSchema } from "effect/rpc"
import { AuditEntry } from "../../src/domain/engine/approvals/AuditEntry.ts"
import { QueueRecord } from "../../src/domain/engine/queue/QueueRecord.ts"
import type { JsonForm } from "../../src/domain/words/formats/JsonForm.ts"
import { ServerFrame } from "../../src/domain/surfaces/web/Frames.ts"
import { HostRpc } from "../../src/services/HostRpc.ts"
import { moduleOf } from "./moduleOf.ts"

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

/** The text of hostForms.mts: the calls that have one answer. */
export const hostForms = (): string => {
  const calls = [...HostRpc.requests.values()].filter(({ successSchema }) => !RpcSchema.isStreamSchema(successSchema))
  const forms = calls.map(({ _tag, successSchema }) => [_tag, formOfSchema(_tag, successSchema)] as const)
  return moduleOf(Object.fromEntries(forms))
}

/** The text of queueForm.mts: records of a queue's log, without their checksum. */
export const queueForm = (): string => moduleOf(formOfSchema("QueueRecord", QueueRecord))

/** The text of auditForm.mts: entries of an audit log. */
export const auditForm = (): string => moduleOf(formOfSchema("AuditEntry", AuditEntry))

/** The text of frameForm.mts: what the page is told. */
export const frameForm = (): string => moduleOf(formOfSchema("ServerFrame", ServerFrame))
