import { getNodeValue, type Node } from "jsonc-parser"
import { Equal, Result } from "effect"
import { problemText } from "../../words/formats/EditProblem.ts"
import * as Jsonc from "../../words/formats/JsoncEdit.ts"
import type { Modes, UnwiredStart } from "../../words/session/Session.ts"
import type { PatternKind } from "./screenPatterns.ts"
import type { CliSettings } from "./Settings.ts"

/** A change of the settings' text; null is a missing file. Fails with a line for the user. */
export type SettingsEdit = (text: string | null) => Result.Result<string, string>

/** The last property of this name, which is the one that counts. */
const propertyOf = (
  object: Node,
  key: string
): { readonly property: Node; readonly value: Node | undefined } | null => {
  const property = object.children?.findLast((child) => child.children?.[0]?.value === key)
  return property === undefined ? null : { property, value: property.children?.[1] }
}

/** The text's root object; an empty file gets one. */
const rooted = (text: string | null): Result.Result<{ readonly text: string; readonly root: Node }, string> => {
  const given = text ?? ""
  const tree = Jsonc.parse(given)
  if (Result.isFailure(tree)) return Result.fail(problemText(tree.failure))
  if (tree.success !== null) {
    return tree.success.type === "object"
      ? Result.succeed({ text: given, root: tree.success })
      : Result.fail("the settings in it are not an object")
  }
  const made = text === null ? "{}\n" : `${given}${/(^|\n)[ \t]*$/.test(given) ? "" : "\n"}{}\n`
  const root = Result.getOrElse(Jsonc.parse(made), () => null)
  return root === null ? Result.fail("it cannot be edited") : Result.succeed({ text: made, root })
}

const nest = (path: ReadonlyArray<string>, value: unknown): unknown =>
  path.reduceRight((inner, key) => ({ [key]: inner }), value)

/** Sets a value at a path and adds the objects on the way; nothing else changes. */
export const setIn =
  (path: ReadonlyArray<string>, value: unknown): SettingsEdit =>
  (text) =>
    Result.flatMap(rooted(text), ({ root, text }) => {
      let at = root
      for (const [depth, key] of path.entries()) {
        const found = propertyOf(at, key)
        if (found === null)
          return Result.succeed(Jsonc.append(text, root, at, key, nest(path.slice(depth + 1), value), 0))
        if (found.value === undefined) return Result.fail(`"${path.slice(0, depth + 1).join(".")}" has no value`)
        if (depth === path.length - 1) {
          return Result.succeed(
            Equal.equals(getNodeValue(found.value), value) ? text : Jsonc.replace(text, root, found.value, value)
          )
        }
        if (found.value.type !== "object")
          return Result.fail(`"${path.slice(0, depth + 1).join(".")}" is no object; mend it first`)
        at = found.value
      }
      return Result.succeed(text)
    })

/** Removes all members of this path; the objects around them stay. */
export const removeIn =
  (path: ReadonlyArray<string>): SettingsEdit =>
  (text) =>
    Result.flatMap(rooted(text), (first) => {
      let { root, text } = first
      for (;;) {
        let at: Node | undefined = root
        for (const key of path.slice(0, -1)) at = at?.type === "object" ? propertyOf(at, key)?.value : undefined
        const last = path[path.length - 1]
        const found = at?.type === "object" && last !== undefined ? propertyOf(at, last) : null
        if (at === undefined || found === null) return Result.succeed(text)
        text = Jsonc.takeOut(text, root, at, found.property)
        const again = rooted(text)
        if (Result.isFailure(again)) return Result.fail(again.failure)
        root = again.success.root
      }
    })

/** Applies the edits in order, all or none. */
export const inTurn =
  (edits: ReadonlyArray<SettingsEdit>): SettingsEdit =>
  (text) =>
    edits
      .reduce<Result.Result<string | null, string>>((done, edit) => Result.flatMap(done, edit), Result.succeed(text))
      .pipe(Result.map((done) => done ?? ""))

export const setModes = (modes: Partial<Modes>): SettingsEdit =>
  inTurn(Object.entries(modes).map(([name, mode]) => setIn(["modes", name], mode)))

/** A change of one CLI's settings: null removes a field, and omitted fields stay. */
export interface CliChange {
  readonly base?: string
  readonly displayName?: string | null
  readonly command?: string | null
  readonly flags?: string | null
  readonly hidden?: boolean | null
  readonly unwired?: UnwiredStart | null
  /** Null removes all variables, before `variables` are set. */
  readonly env?: null
  readonly variables?: Readonly<Record<string, string | null>>
  /** The patterns of a kind replace all previous ones; null removes them. */
  readonly screen?: Readonly<Partial<Record<PatternKind, ReadonlyArray<string> | null>>>
}

const fields = ["base", "displayName", "command", "flags", "hidden", "unwired", "env"] as const

export const changeCli = (id: string, change: CliChange): SettingsEdit => {
  const fieldEdits = fields.flatMap((field): ReadonlyArray<SettingsEdit> => {
    const value = change[field]
    if (value === undefined) return []
    return [value === null ? removeIn(["clis", id, field]) : setIn(["clis", id, field], value)]
  })
  const variables = Object.entries(change.variables ?? {}).map(([name, value]) =>
    value === null ? removeIn(["clis", id, "env", name]) : setIn(["clis", id, "env", name], value)
  )
  const patterns = Object.entries(change.screen ?? {}).map(([kind, value]) =>
    value === null ? removeIn(["clis", id, "screen", kind]) : setIn(["clis", id, "screen", kind], value)
  )
  return inTurn([...fieldEdits, ...variables, ...patterns])
}

/** Adds a CLI; refused if the file has an entry of this name, whatever is in it. */
export const addCli =
  (id: string, cli: CliSettings): SettingsEdit =>
  (text) =>
    Result.flatMap(rooted(text), ({ root }) => {
      const clis = propertyOf(root, "clis")?.value
      return clis?.type === "object" && propertyOf(clis, id) !== null
        ? Result.fail(`it has a CLI '${id}' already; 'leap clis edit ${id}' changes it`)
        : setIn(["clis", id], cli)(text)
    })

export const removeCli = (id: string, order: ReadonlyArray<string>): SettingsEdit =>
  inTurn([removeIn(["clis", id]), ...(order.includes(id) ? [setOrder(order.filter((other) => other !== id))] : [])])

export const setOrder = (order: ReadonlyArray<string>): SettingsEdit =>
  order.length === 0 ? removeIn(["order"]) : setIn(["order"], order)
