import { Schema } from "effect"
import type { LenientNode } from "../../words/formats/LenientJson.ts"
import {
  choice as choiceAt,
  describe,
  leafOf,
  membersOf,
  type Notes,
  objectAt,
  text as textAt
} from "./settingsNodes.ts"

export interface Reading {
  readonly notes: Notes
  /** The ids of leap's own CLIs. */
  readonly builtin: ReadonlyArray<string>
  /** Why the content of the whole file is uncertain; null: it is certain. */
  readonly doubt: string | null
  /** The values of the same table that were read before. */
  readonly before: Readonly<Record<string, unknown>>
}

/** One setting. `otherwise`: its default. */
export interface Setting<S extends Schema.Constraint = Schema.Top> {
  readonly value: S
  /** Its value in the file, with its description: for editors and `leap settings`. */
  readonly file: Schema.Top
  readonly otherwise: S["Type"]
  /** Reads its value from the file, and warns of what is unusable. `path`: its whole name. */
  readonly read: (node: LenientNode | undefined, path: string, reading: Reading) => S["Type"]
}

const inFile = (schema: Schema.Top, sentence: string): Schema.Top => schema.annotate({ description: sentence })

export const part = <S extends Schema.Top>(sentence: string, schema: S) =>
  Schema.optionalKey(schema.annotate({ description: sentence }))

/** A setting that has its own way of reading. `file`: a wider value in the file. */
export const setting = <S extends Schema.Top>(
  sentence: string,
  value: S,
  otherwise: S["Type"],
  read: Setting<S>["read"],
  file: Schema.Top = value
): Setting<S> => ({ value, file: inFile(file, sentence), otherwise, read })

/** One of some words. `doubted`: the value for an invalid word, if that is not the default. */
export const choice = <const L extends ReadonlyArray<string>>(
  sentence: string,
  words: Schema.Literals<L>,
  otherwise: L[number],
  doubted: L[number] = otherwise
): Setting<Schema.Literals<L>> =>
  setting(sentence, words, otherwise, (node, path, { notes }) =>
    node === undefined ? otherwise : choiceAt<L[number]>(node, path, words, doubted, notes)
  )

/** A choice without a default. */
export const maybe = <const L extends ReadonlyArray<string>>(
  sentence: string,
  words: Schema.Literals<L>,
  doubted: L[number]
): Setting<Schema.optionalKey<Schema.Literals<L>>> => ({
  value: Schema.optionalKey(words),
  file: inFile(words, sentence),
  otherwise: undefined as never,
  read: (node, path, { notes }) =>
    node === undefined ? (undefined as never) : choiceAt<L[number]>(node, path, words, doubted, notes)
})

/** A value that passes a test; `expected`: what it must be, in words. `shows`: a warning quotes the invalid value. */
export const checked = <S extends Schema.Top>(
  sentence: string,
  value: S,
  otherwise: S["Type"],
  isOne: (found: unknown) => found is S["Type"],
  expected: string,
  shows = false
): Setting<S> =>
  setting(sentence, value, otherwise, (node, path, { notes }) => {
    if (node === undefined) return otherwise
    const found = leafOf(node)
    if (isOne(found)) return found
    const instead = shows ? `, it is ${describe(node)}` : ""
    notes.warn(node, `"${path}" must be ${expected}${instead}`, JSON.stringify(otherwise))
    return otherwise
  })

const isFlag = (found: unknown): found is boolean => typeof found === "boolean"

export const flag = (sentence: string, otherwise: boolean): Setting<typeof Schema.Boolean> =>
  checked(sentence, Schema.Boolean, otherwise, isFlag, "true or false")

const isBetween =
  (least: number, most: number, isWhole: boolean) =>
  (found: unknown): found is number =>
    typeof found === "number" && found >= least && found <= most && (!isWhole || Number.isInteger(found))

export const amount = (sentence: string, least: number, most: number, otherwise: number) =>
  checked(sentence, Schema.Finite, otherwise, isBetween(least, most, false), `a number from ${least} to ${most}`, true)

export const count = (sentence: string, least: number, most: number, otherwise: number) =>
  checked(
    sentence,
    Schema.Int,
    otherwise,
    isBetween(least, most, true),
    `a whole number from ${least} to ${most}`,
    true
  )

/** A text, or null; an empty text is null too. */
export const textOrNull = (sentence: string): Setting<Schema.NullOr<typeof Schema.String>> =>
  setting(sentence, Schema.NullOr(Schema.String), null, (node, path, { notes }) =>
    node === undefined || leafOf(node) === null ? null : textAt(node, path, notes)?.trim() || null
  )

type Members = Readonly<Record<string, Setting<Schema.Constraint>>>
type Fields<M extends Members> = { readonly [K in keyof M]: M[K]["value"] }

const collected = (
  members: Members,
  valueOf: (name: string, member: Setting<Schema.Constraint>, before: Readonly<Record<string, unknown>>) => unknown
): Readonly<Record<string, unknown>> => {
  const found: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(members)) {
    const value = valueOf(name, member, found)
    if (value !== undefined) found[name] = value
  }
  return found
}

/** How a table handles doubt: `unreadable` if it is no table, `doubted` if something in it is unusable. */
export interface Doubts<A> {
  readonly unreadable?: (standard: A) => A
  readonly doubted?: { readonly says: string; readonly then: (read: A) => A }
}

export const table = <const M extends Members>(
  sentence: string,
  members: M,
  doubts: Doubts<Schema.Struct<Fields<M>>["Type"]> = {}
): Setting<Schema.Struct<Fields<M>>> & { readonly members: M } => {
  type Value = Schema.Struct<Fields<M>>["Type"]
  const names = new Set(Object.keys(members))
  const fields = Object.fromEntries(Object.entries(members).map(([name, { value }]) => [name, value])) as Fields<M>
  const files = Object.entries(members).map(([name, { file }]) => [name, Schema.optionalKey(file)] as const)
  const otherwise = collected(members, (_, member) => member.otherwise) as Value
  const read: Setting<Schema.Struct<Fields<M>>>["read"] = (node, path, reading) => {
    const object = objectAt(node, path, reading.notes)
    if (object === null) return node === undefined ? otherwise : (doubts.unreadable?.(otherwise) ?? otherwise)
    let isDoubted = false
    const notes: Notes = {
      warn: (at, why, counts) => {
        isDoubted = true
        if (doubts.doubted === undefined) reading.notes.warn(at, why, counts)
        else reading.notes.warn(at, `${why} (${doubts.doubted.says})`)
      }
    }
    const prefix = path === "" ? "" : `${path}.`
    const found = membersOf(object, prefix, names, notes)
    const value = collected(members, (name, member, before) =>
      member.read(found.get(name), `${prefix}${name}`, { ...reading, notes, before })
    ) as Value
    return isDoubted && doubts.doubted !== undefined ? doubts.doubted.then(value) : value
  }
  return {
    value: Schema.Struct(fields),
    file: inFile(Schema.Struct(Object.fromEntries(files)), sentence),
    otherwise,
    read,
    members
  }
}
