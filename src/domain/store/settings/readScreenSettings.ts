import { Result } from "effect"
import type { LenientNode } from "../../words/formats/LenientJson.ts"
import {
  keysNamed,
  type PatternKind,
  patternKinds,
  patternProblem,
  patternsAtMost,
  restingBox
} from "./screenPatterns.ts"
import { leafAt, leafOf } from "./settingsNodes.ts"
import type { CliSettings, KeySettings, ScreenPatterns } from "./CliSettings.ts"

type Warn = (at: { readonly offset: number }, why: string) => void

const membersOf = (node: LenientNode, path: string, known: ReadonlyArray<string>, warn: Warn) => {
  if (node.kind !== "object") {
    warn(node, `"${path}" must be an object`)
    return null
  }
  for (const { key, offset } of node.members)
    if (!known.includes(key)) warn({ offset }, `"${path}.${key}" is nothing that leap knows`)
  return new Map(node.members.map(({ key, value }) => [key, value]))
}

/** One pattern or a list of them. An unusable pattern is left out, with a warning. */
const listOf = (node: LenientNode, path: string, kind: PatternKind, warn: Warn): ReadonlyArray<string> => {
  const items = node.kind === "array" ? node.items : [node]
  if (items.length > patternsAtMost)
    warn(node, `"${path}" has more than ${patternsAtMost} patterns; the rest is left out`)
  return items.slice(0, patternsAtMost).flatMap((item) => {
    const value = leafOf(item)
    const problem = typeof value === "string" ? patternProblem(kind, value) : "a pattern is a text"
    if (problem !== null) warn(item, `a pattern of "${path}" was left out: ${problem}`)
    return problem === null ? [String(value)] : []
  })
}

export const screenOf = (node: LenientNode | undefined, path: string, warn: Warn): Pick<CliSettings, "screen"> => {
  const found = node === undefined ? null : membersOf(node, path, patternKinds, warn)
  if (found === null) return {}
  const screen: { -readonly [K in keyof ScreenPatterns]: ScreenPatterns[K] } = {}
  let isPartial = false
  for (const kind of patternKinds) {
    const given = found.get(kind)
    let patterns = given === undefined ? [] : listOf(given, `${path}.${kind}`, kind, warn)
    // a box beside work that is not recognized would count as rest
    if (given !== undefined && kind === "done" && isPartial && patterns.includes(restingBox)) {
      warn(given, `"${restingBox}" of "${path}.done" was left out: a pattern of "busy" was`)
      patterns = patterns.filter((pattern) => pattern !== restingBox)
    }
    if (given !== undefined && kind === "busy")
      isPartial = patterns.length < (given.kind === "array" ? given.items.length : 1)
    if (patterns.length > 0) screen[kind] = patterns
  }
  return { screen }
}

const keyFields = ["submit", "interrupt", "clear", "quit"] as const

export const keysOf = (node: LenientNode | undefined, path: string, warn: Warn): Pick<CliSettings, "keys"> => {
  const found = node === undefined ? null : membersOf(node, path, [...keyFields, "paste"], warn)
  if (found === null) return {}
  const keys: { -readonly [K in keyof KeySettings]: KeySettings[K] } = {}
  for (const field of keyFields) {
    const given = found.get(field)
    if (given === undefined) continue
    const value = leafOf(given)
    const read = typeof value === "string" ? keysNamed(value) : Result.fail("it must be a text")
    if (Result.isFailure(read)) warn(given, `"${path}.${field}" was left out: ${read.failure}`)
    else keys[field] = String(value)
  }
  const paste = found.get("paste")
  const isPaste = leafAt(found, "paste")
  if (typeof isPaste === "boolean") keys.paste = isPaste
  else if (paste !== undefined) warn(paste, `"${path}.paste" must be true or false`)
  return { keys }
}
