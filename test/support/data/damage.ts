import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"

/** JSON as it can be written, which is more than a value: an object may have a field twice. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | Fields
export interface Fields {
  readonly fields: ReadonlyArray<readonly [name: string, value: Json]>
}

export const isFields = (json: Json): json is Fields => typeof json === "object" && json !== null && "fields" in json

export const jsonFrom = (value: unknown): Json =>
  Array.isArray(value)
    ? value.map(jsonFrom)
    : typeof value === "object" && value !== null
      ? { fields: Object.entries(value).map(([name, inner]) => [name, jsonFrom(inner)] as const) }
      : (value as Json)

/** The text of it. `spell`: how strings and names are written. */
export const written = (json: Json, spell: (text: string) => string = JSON.stringify): string =>
  Array.isArray(json)
    ? `[${json.map((item: Json) => written(item, spell)).join(",")}]`
    : typeof json === "string"
      ? spell(json)
      : isFields(json)
        ? `{${json.fields.map(([name, value]) => `${spell(name)}:${written(value, spell)}`).join(",")}}`
        : JSON.stringify(json)

/** Every character by its number, which means the same. */
export const escaped = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`).join("")}"`

/** The objects in it, outermost first, as ways to them. */
const waysToObjects = (json: Json, way: ReadonlyArray<number> = []): ReadonlyArray<ReadonlyArray<number>> =>
  isFields(json)
    ? [way, ...json.fields.flatMap(([, value], i) => waysToObjects(value, [...way, i]))]
    : Array.isArray(json)
      ? json.flatMap((item: Json, i) => waysToObjects(item, [...way, i]))
      : []

const changedAt = (json: Json, [at, ...way]: ReadonlyArray<number>, change: (fields: Fields) => Json): Json =>
  at === undefined
    ? isFields(json)
      ? change(json)
      : json
    : isFields(json)
      ? {
          fields: json.fields.map(
            ([name, value], i) => [name, i === at ? changedAt(value, way, change) : value] as const
          )
        }
      : Array.isArray(json)
        ? json.map((item: Json, i) => (i === at ? changedAt(item, way, change) : item))
        : json

/** Names under which tools are told what to do. */
const argumentNames = [
  "command",
  "cmd",
  "script",
  "file_path",
  "filePath",
  "path",
  "paths",
  "url",
  "uri",
  "tool_input",
  "toolArgs",
  "args",
  "target",
  "Command",
  "extra",
  "__proto__",
  "constructor"
] as const

/** One damage: what it does, where, and with what. The numbers are taken modulo what there is. */
export const Damage = Schema.Struct({
  what: Schema.Literals(["twice before", "twice after", "missing", "list", "object", "typed", "more", "nested"]),
  where: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 })),
  field: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 })),
  name: Schema.Literals(argumentNames),
  value: Schema.Literals(["denied", "harmless", "number", "null", "list", "words"])
})
export type Damage = typeof Damage.Type
export const damages: Arbitrary.Arbitrary<ReadonlyArray<Damage>> = Arbitrary.array(Arbitrary.schema(Damage), {
  minLength: 1,
  maxLength: 3
})

/** What a damage puts in: one of these things that the rules refuse, in some form. */
const valueOf = ({ field, value }: Damage, denied: ReadonlyArray<string>): Json => {
  const text = denied[field % denied.length] ?? ""
  const values: Readonly<Record<Damage["value"], Json>> = {
    denied: text,
    harmless: "ok",
    number: 7,
    null: null,
    list: [text],
    words: text.split(" ")
  }
  return values[value]
}

/** A payload with a damage in it. */
export const damaged = (json: Json, damage: Damage, denied: ReadonlyArray<string>): Json => {
  const ways = waysToObjects(json)
  const way = ways[damage.where % Math.max(1, ways.length)] ?? []
  return changedAt(json, way, ({ fields }) => {
    const at = damage.field % Math.max(1, fields.length)
    const [name, value] = fields[at] ?? ["", null]
    const put = valueOf(damage, denied)
    const instead = (other: Json): Fields => ({ fields: fields.with(at, [name, other]) })
    switch (damage.what) {
      case "twice before":
        return { fields: [[name, put], ...fields] }
      case "twice after":
        return { fields: [...fields, [name, put]] }
      case "missing":
        return { fields: fields.toSpliced(at, 1) }
      case "list":
        return fields.length === 0 ? { fields } : instead([value])
      case "object":
        return fields.length === 0 ? { fields } : instead({ fields: [[damage.name, value]] })
      case "typed":
        return fields.length === 0 ? { fields } : instead(put)
      case "more":
        return { fields: [...fields, [damage.name, put]] }
      case "nested":
        return { fields: [...fields, ["more", { fields: [[damage.name, [put]]] }]] }
    }
  })
}

/** The texts in it that no field further out gives a name from this list. */
export const textsIn = (json: Json, except: ReadonlySet<string>): ReadonlyArray<string> =>
  typeof json === "string"
    ? [json]
    : Array.isArray(json)
      ? json.flatMap((item: Json) => textsIn(item, except))
      : isFields(json)
        ? json.fields.flatMap(([name, value]) =>
            except.has(name) && typeof value === "string" ? [] : textsIn(value, except)
          )
        : []
