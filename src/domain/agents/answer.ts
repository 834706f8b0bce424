import { Option, Result } from "effect"

const parse = (text: string): Option.Option<unknown> => Result.getSuccess(Result.try((): unknown => JSON.parse(text)))

/** A fence around all of an answer, whatever it is said to hold. */
const fence = /^\s*(`{3,}|~{3,})[^\n`]*\r?\n([\s\S]*?)\r?\n?[ \t]*\1\s*$/
/** The last fence in an answer that is said to hold JSON. */
const fences = /(?:^|\n)[ \t]*(`{3,}|~{3,})json[c5]?[ \t]*\r?\n([\s\S]*?)\r?\n[ \t]*\1(?=\s|$)/gi

/** An answer as JSON: as it stands, out of the fence that is all of it, or out of the only fence in it that says JSON. */
export const jsonIn = (text: string): Option.Option<unknown> => {
  const whole = parse(text.trim())
  if (Option.isSome(whole)) return whole
  const inner = fence.exec(text)?.[2]
  const unfenced = inner === undefined ? Option.none() : parse(inner)
  if (Option.isSome(unfenced)) return unfenced
  const found = [...text.matchAll(fences)]
  return found.length === 1 ? parse(found[0]?.[2] ?? "") : Option.none()
}
