import { Schema } from "effect"
import type { LenientNode } from "../../words/text/LenientJson.ts"
import {
  choice as choiceAt,
  describe,
  leafOf,
  membersOf,
  type Notes,
  objectAt,
  text as textAt
} from "./settingsNodes.ts"

/** What reading one setting may depend on. */
export interface Reading {
  readonly notes: Notes
  /** The ids of leap's own CLIs. */
  readonly builtin: ReadonlyArray<string>
  /** Why it is uncertain what the whole file says; null where it is not. */
  readonly doubt: string | null
  /** What was read before it in the same table. */
  readonly before: Readonly<Record<string, unknown>>
}

/** One setting: all that is known of it. A setting of the user's is its value, or is healed to `otherwise`. */
export interface Setting<S extends Schema.Constraint = Schema.Top> {
  /** What it can be for leap. */
  readonly value: S
  /** What it can be in the file, with its sentence: for editors and `leap settings`. */
  readonly file: Schema.Top
  /** What counts where the file says nothing. */
  readonly otherwise: S["Type"]
  /** Its value in the file; what cannot be used is warned of. `path`: its whole name. */
  readonly read: (node: LenientNode | undefined, path: string, reading: Reading) => S["Type"]
}

const inFile = (schema: Schema.Top, sentence: string): Schema.Top => schema.annotate({ description: sentence })

/** A part of a setting that may be left out, with its sentence for editors. */
export const part = <S extends Schema.Top>(sentence: string, schema: S) =>
  Schema.optionalKey(schema.annotate({ description: sentence }))

/** A setting that has its own way of reading. `file`: where the file may have more than leap's value. */
export const setting = <S extends Schema.Top>(
  sentence: string,
  value: S,
  otherwise: S["Type"],
  read: Setting<S>["read"],
  file: Schema.Top = value
): Setting<S> => ({ value, file: inFile(file, sentence), otherwise, read })

/** One of some words. `doubted`: what counts where something else stands there, if that is not the default. */
export const choice = <const L extends ReadonlyArray<string>>(
  sentence: string,
  words: Schema.Literals<L>,
  otherwise: L[number],
  doubted: L[number] = otherwise
): Setting<Schema.Literals<L>> =>
  setting(sentence, words, otherwise, (node, path, { notes }) =>
    node === undefined ? otherwise : choiceAt<L[number]>(node, path, words, doubted, notes)
  )

/** A choice that says nothing where it is not made. */
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

/** A value that passes a test; `expected`: what it must be, in words. `shows`: a warning tells what it is instead. */
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

/** A number within limits. */
export const amount = (sentence: string, least: number, most: number, otherwise: number) =>
  checked(sentence, Schema.Finite, otherwise, isBetween(least, most, false), `a number from ${least} to ${most}`, true)

/** A whole number within limits. */
export const count = (sentence: string, least: number, most: number, otherwise: number) =>
  checked(
    sentence,
    Schema.Int,
    otherwise,
    isBetween(least, most, true),
    `a whole number from ${least} to ${most}`,
    true
  )

/** A text, or null, which an empty one means too. */
export const textOrNull = (sentence: string): Setting<Schema.NullOr<typeof Schema.String>> =>
  setting(sentence, Schema.NullOr(Schema.String), null, (node, path, { notes }) =>
    node === undefined || leafOf(node) === null ? null : textAt(node, path, notes)?.trim() || null
  )

type Members = Readonly<Record<string, Setting<Schema.Constraint>>>
type Fields<M extends Members> = { readonly [K in keyof M]: M[K]["value"] }

/** The value of each member by its name; one that says nothing has none. */
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

/** What a table does in doubt: `unreadable` where it is no table, `doubted` where something in it cannot be used. */
export interface Doubts<A> {
  readonly unreadable?: (standard: A) => A
  readonly doubted?: { readonly says: string; readonly then: (read: A) => A }
}

/** A table of settings, each of which is read for itself. */
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
      warn: (at, why) => {
        isDoubted = true
        reading.notes.warn(at, doubts.doubted === undefined ? why : `${why} (${doubts.doubted.says})`)
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
