import { Result } from "effect"
import { type AST, getStaticTOMLValue, parseTOML } from "toml-eslint-parser"
import type { EditProblem } from "./EditProblem.ts"

/**
 * Edits of TOML text that change only what they add or remove: the tables below one parent table, each
 * `[parent."key"]`. Removing an addition restores the text byte for byte. It uses toml-eslint-parser. Of the editors on
 * npm, @decimalturn/toml-patch 3.3.0 undid 96 of 400 of the texts of this file's tests (it trims blank lines and loses
 * comments), and @rainbowatcher/toml-edit-js 0.6.5 removes nothing.
 */

export interface TableEdits {
  /** Old key to new key. */
  readonly rename: ReadonlyMap<string, string>
  /** Tables to remove, with all their content. */
  readonly drop: ReadonlySet<string>
  /** Values that these tables must have; a missing table is added. */
  readonly set: ReadonlyMap<string, Readonly<Record<string, string>>>
}

export interface TomlTree {
  readonly bom: string
  readonly text: string
  readonly program: AST.TOMLProgram
  readonly value: Readonly<Record<string, unknown>>
}

export const parse = (text: string): Result.Result<TomlTree, EditProblem> => {
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : ""
  const body = text.slice(bom.length)
  try {
    const program = parseTOML(body)
    return Result.succeed({ bom, text: body, program, value: getStaticTOMLValue(program) })
  } catch (error) {
    const at = error as { readonly message?: string; readonly lineNumber?: number; readonly column?: number }
    const message = at.message ?? "it is no TOML"
    return Result.fail({
      line: at.lineNumber ?? null,
      column: at.column === undefined ? null : at.column + 1,
      why: message.charAt(0).toLowerCase() + message.slice(1)
    })
  }
}

export const valueAt = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (now, key) =>
      typeof now === "object" && now !== null && Object.hasOwn(now, key)
        ? (now as Readonly<Record<string, unknown>>)[key]
        : undefined,
    value
  )

export const quote = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007F")

const keysOf = (key: AST.TOMLKey): ReadonlyArray<string> =>
  key.keys.map((it) => (it.type === "TOMLBare" ? it.name : it.value))

interface Edit {
  readonly from: number
  readonly to: number
  readonly content: string
}

/** Where a table below the parent is written, or a part of it: under a header, or in one dotted or inline line. */
interface Place {
  readonly key: string
  readonly name: AST.TOMLNode
  readonly from: number
  readonly to: number
  readonly values: ReadonlyMap<string, AST.TOMLContentNode>
  /** The offset after which another value can be written. */
  readonly end: number
  /** `below`: a table within the table, or an array of tables. */
  readonly kind: "table" | "below" | "dotted" | "inline"
}

const startsWith = (path: ReadonlyArray<string | number>, parent: ReadonlyArray<string>): boolean =>
  parent.every((key, index) => path[index] === key)

/** Every table below the parent, however it is written, except in an inline parent. */
const placesOf = (program: AST.TOMLProgram, parent: ReadonlyArray<string>): ReadonlyArray<Place> => {
  const depth = parent.length
  const places: Array<Place> = []
  const addPair = (pair: AST.TOMLKeyValue, outer: ReadonlyArray<string>) => {
    const path = [...outer, ...keysOf(pair.key)]
    const name = pair.key.keys[depth - outer.length]
    const key = path[depth]
    if (!startsWith(path, parent) || key === undefined || name === undefined) return
    const inline = path.length === depth + 1 && pair.value.type === "TOMLInlineTable" ? pair.value : null
    const values =
      inline === null
        ? path.length === depth + 2
          ? [[path[depth + 1] ?? "", pair.value] as const]
          : []
        : inline.body.map((it) => [keysOf(it.key).join("."), it.value] as const)
    places.push({
      key,
      name,
      from: pair.range[0],
      to: pair.range[1],
      values: new Map(values),
      end: inline === null ? pair.range[1] : (inline.body.at(-1)?.range[1] ?? inline.range[0] + 1),
      kind: inline === null ? "dotted" : "inline"
    })
  }
  for (const node of program.body[0].body) {
    if (node.type === "TOMLKeyValue") {
      addPair(node, [])
      continue
    }
    const path = keysOf(node.key)
    const name = node.key.keys[depth]
    const key = path[depth]
    if (startsWith(path, parent) && key !== undefined && name !== undefined) {
      places.push({
        key,
        name,
        from: node.range[0],
        to: node.range[1],
        values: new Map(node.body.map((it) => [keysOf(it.key).join("."), it.value] as const)),
        end: node.key.range[1],
        kind: path.length === depth + 1 && node.kind === "standard" ? "table" : "below"
      })
    } else if (path.length <= depth && path.every((it, index) => it === parent[index])) {
      for (const pair of node.body) addPair(pair, path)
    }
  }
  return places
}

const eolOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n")

/** A space on the blank line before an added table means that the previous line had no line break. */
const markNoBreak = " "

/**
 * Removes a table with its lines and the blank line before it. Removing the last table also removes the line break that
 * was added before the first; its mark stays until then.
 */
const takeOut = (text: string, { from, kind, to }: Place, others: ReadonlyArray<Place>): string => {
  const end = lineEndAt(text, to)
  const next = end + (/^\r?\n/.exec(text.slice(end))?.[0].length ?? 0)
  const before = kind === "table" || kind === "below" ? text.slice(0, from) : ""
  const marked = new RegExp(`\\r?\\n${markNoBreak}(\\r?\\n)$`).exec(before)
  const blank = /(?<=^|\n)\r?\n$/.exec(before)?.[0] ?? ""
  const rest = text.slice(next)
  const follower = /^\r?\n/.exec(rest)?.[0] ?? ""
  const isFollowed = follower !== "" && others.some((place) => place.from === next + follower.length)
  if (isFollowed && (marked !== null || from === 0)) return before + rest.slice(follower.length)
  if (marked === null) return text.slice(0, from - blank.length) + rest
  return rest === ""
    ? text.slice(0, from - marked[0].length)
    : text.slice(0, from - markNoBreak.length - (marked[1] ?? "").length) + rest
}

const setValues = (text: string, place: Place, wanted: Readonly<Record<string, string>>): ReadonlyArray<Edit> =>
  Object.entries(wanted).flatMap(([name, value]): ReadonlyArray<Edit> => {
    const old = place.kind === "below" ? undefined : place.values.get(name)
    if (old !== undefined) return [{ from: old.range[0], to: old.range[1], content: quote(value) }]
    if (place.kind === "dotted" || place.kind === "below") return []
    const [from, content] =
      place.kind === "table"
        ? ([lineEndAt(text, place.end), `${eolOf(text)}${name} = ${quote(value)}`] as const)
        : ([
            place.end,
            `${place.values.size === 0 ? " " : ", "}${name} = ${quote(value)}${place.values.size === 0 ? " " : ""}`
          ] as const)
    return [{ from, to: from, content }]
  })

const lineEndAt = (text: string, offset: number): number => {
  const end = /\r?\n/.exec(text.slice(offset))
  return end === null ? text.length : offset + end.index
}

const apply = (text: string, edits: ReadonlyArray<Edit>): string =>
  [...edits]
    .sort((a, b) => b.from - a.from)
    .reduce((now, { content, from, to }) => now.slice(0, from) + content + now.slice(to), text)

const tableText = (
  parent: ReadonlyArray<string>,
  key: string,
  values: Readonly<Record<string, string>>,
  eol: string
): string =>
  [
    `[${[...parent, quote(key)].join(".")}]`,
    ...Object.entries(values).map(([name, value]) => `${name} = ${quote(value)}`),
    ""
  ].join(eol)

const placesIn = (text: string, parent: ReadonlyArray<string>): ReadonlyArray<Place> => {
  const tree = parse(text)
  return Result.isSuccess(tree) ? placesOf(tree.success.program, parent) : []
}

/** Takes out the last one first, so that the line break added before the first is removed with that one. */
const takeOutAll = (text: string, parent: ReadonlyArray<string>, goes: (place: Place) => boolean): string => {
  let now = text
  for (;;) {
    const places = placesIn(now, parent)
    const place = places.findLast(goes)
    if (place === undefined) return now
    now = takeOut(now, place, places)
  }
}

const satisfies = (value: unknown, parent: ReadonlyArray<string>, { drop, rename, set }: TableEdits): boolean =>
  [...drop].every(
    (key) => set.has(key) || [...rename.values()].includes(key) || valueAt(value, [...parent, key]) === undefined
  ) &&
  [...set].every(([key, values]) =>
    Object.entries(values).every(([name, wanted]) => valueAt(value, [...parent, key, name]) === wanted)
  )

/**
 * The text with the edits made to the tables below the parent (bare keys). `text`: null for a missing file. The result
 * is null if no file is to be left. Fails if the text is not TOML, or is written in a form that cannot be edited.
 */
export const editTables = (
  text: string | null,
  parent: ReadonlyArray<string>,
  edits: TableEdits
): Result.Result<string | null, EditProblem> => {
  const tree = parse(text ?? "")
  if (Result.isFailure(tree)) return Result.fail(tree.failure)
  const { bom, text: body, program } = tree.success
  const first = placesOf(program, parent)[0]
  // A table at another one's new place is obsolete.
  const goes = ({ key }: Place): boolean =>
    !edits.rename.has(key) && (edits.drop.has(key) || [...edits.rename.values()].includes(key))
  const trimmed = takeOutAll(body, parent, goes)
  const there = new Set<string>()
  const changes = placesIn(trimmed, parent).flatMap((place): ReadonlyArray<Edit> => {
    const target = edits.rename.get(place.key)
    const key = target ?? place.key
    there.add(key)
    const wanted = edits.set.get(key)
    const renamed =
      target === undefined ? [] : [{ from: place.name.range[0], to: place.name.range[1], content: quote(target) }]
    return wanted === undefined ? renamed : [...renamed, ...setValues(trimmed, place, changedIn(place, wanted))]
  })
  const eol = eolOf(body)
  let after = apply(trimmed, changes)
  const added = [...edits.set].filter(([key]) => !there.has(key))
  for (const [key, values] of added) {
    const table = tableText(parent, key, values, eol)
    if (text === null && after === "") after = table
    else after += `${after === "" || after.endsWith("\n") ? "" : eol + markNoBreak}${eol}${table}`
  }
  if (after === body && text !== null) return Result.succeed(text)
  // The text began with a table of leap's, without the blank line before it: leap made the file.
  if (after === "" && body !== "" && /^\[/.test(body)) return Result.succeed(null)
  if (after === "" && text === null) return Result.succeed(null)
  const check = parse(after)
  if (Result.isFailure(check) || !satisfies(check.success.value, parent, edits)) {
    const line = first === undefined ? null : first.name.loc.start.line
    const name = parent.join(".")
    return Result.fail({
      line,
      column: line === null ? null : 1,
      why: `"${name}" is written in a way that leap cannot edit: write it as [${name}."…"] tables`
    })
  }
  return Result.succeed(bom + after)
}

const changedIn = ({ values }: Place, wanted: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => {
      const old = values.get(name)
      return old === undefined || old.type !== "TOMLValue" || old.value !== value
    })
  )
