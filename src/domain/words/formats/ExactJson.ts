import { Option } from "effect"
import { parseJson } from "./Json.ts"

/** JSON that other programs may read differently: its value, and why the value is uncertain (null: it is certain). */
export interface ExactJson {
  /** Null if it could not be read. */
  readonly value: unknown
  /** The text is JSON, or nests too deeply to be examined. */
  readonly isJson: boolean
  readonly flaw: string | null
}

/** Deeper values are not read: later code may recurse into them. */
const deepest = 200

/** Reads JSON, and reports where programs differ: of two fields with one name some take the first, others the last. */
export const exactJson = (text: string): ExactJson => {
  const { depth, repeated } = survey(text)
  if (depth > deepest) return { value: null, isJson: true, flaw: "it is nested too deeply" }
  const value = parseJson(text)
  if (Option.isNone(value)) return { value: null, isJson: false, flaw: "it is no JSON" }
  const flaw = repeated === null ? null : `it names ${JSON.stringify(repeated)} twice`
  return { value: value.value, isJson: true, flaw }
}

const quote = 34
const backslash = 92

const isEscaped = (text: string, at: number): boolean => {
  let count = 0
  while (text.charCodeAt(at - 1 - count) === backslash) count++
  return count % 2 === 1
}

/** The depth of a text's values, and a duplicate name in one of its objects, in one pass: right if the text is JSON. */
const survey = (text: string): { readonly depth: number; readonly repeated: string | null } => {
  const objects: Array<Set<string> | null> = []
  let depth = 0
  let repeated: string | null = null
  let last: string | null = null
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case quote: {
        let end = text.indexOf('"', i + 1)
        while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
        if (end < 0) return { depth, repeated }
        // Names are short, so longer texts are not extracted.
        last = end - i > 1_000 ? null : text.slice(i, end + 1)
        i = end
        break
      }
      case 123: // {
        objects.push(new Set())
        depth = Math.max(depth, objects.length)
        break
      case 91: // [
        objects.push(null)
        depth = Math.max(depth, objects.length)
        break
      case 125: // }
      case 93: // ]
        objects.pop()
        break
      case 58: {
        // :
        const names = objects.at(-1)
        if (names === undefined || names === null || last === null) break
        const name = last.includes("\\") ? Option.getOrElse(parseJson(last), () => last) : last.slice(1, -1)
        if (names.has(String(name))) repeated ??= String(name)
        names.add(String(name))
        break
      }
    }
    if (depth > deepest) return { depth, repeated }
  }
  return { depth, repeated }
}
