import { Option } from "effect"
import { parseJson } from "../../words/formats/Json.ts"
import { oneLine } from "../../words/text/printable.ts"

/** A JSON value and its source, which keeps numbers and keys as the model wrote them. */
export interface JsonAnswer {
  readonly source: string
  readonly value: unknown
}

const fence = /^\s*(`{3,}|~{3,})[^\n`]*\r?\n([\s\S]*?)\r?\n?[ \t]*\1\s*$/
const fences = /(?:^|\n)[ \t]*(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n`]*\r?\n(?:([\s\S]*?)\r?\n)??[ \t]*\1(?=\s|$)/g
const json = /^json[c5]?$/i

/** Thoughts before an answer. A server may have removed their opening tag. */
const begun = /^\s*<think(?:ing)?>/i
const closed = /<\/think(?:ing)?>/gi

const parsed = (text: string | undefined): Option.Option<JsonAnswer> => {
  const source = (text ?? "").trim()
  return Option.map(parseJson(source), (value) => ({ source, value }))
}

/** The only text that is JSON; none if several are. */
const only = (texts: ReadonlyArray<string>): Option.Option<JsonAnswer> => {
  const found = texts.map(parsed).filter(Option.isSome)
  return found.length === 1 && found[0] !== undefined ? found[0] : Option.none()
}

const fenced = (text: string): Option.Option<JsonAnswer> => {
  const found = [...text.matchAll(fences)].map(([, , language = "", inner = ""]) => ({ language, inner }))
  const labelled = found.filter(({ language }) => json.test(language))
  // If two values are marked as the answer, neither counts.
  if (labelled.length > 0) return labelled.length === 1 ? parsed(labelled[0]?.inner) : Option.none()
  return only(found.flatMap(({ inner, language }) => (language === "" ? [inner] : [])))
}

/** The texts that may be the answer: the part after the thoughts, and all if it does not begin with thoughts. */
const candidates = (text: string): ReadonlyArray<string> => {
  const ends = [...text.matchAll(closed)].map((end) => end.index + end[0].length)
  const rests = [ends.at(-1), ends[0]].flatMap((end) => (end === undefined ? [] : [text.slice(end)]))
  return begun.test(text) ? rests : [...rests, text]
}

/** An answer as JSON: the whole text, its one code fence, or its only fence that is marked as JSON or unmarked. */
export const jsonAnswer = (text: string): Option.Option<JsonAnswer> =>
  Option.orElse(parsed(text), () =>
    Option.firstSomeOf(
      candidates(text).map((rest) =>
        parsed(rest).pipe(
          Option.orElse(() => parsed(fence.exec(rest)?.[2])),
          Option.orElse(() => fenced(rest))
        )
      )
    )
  )

export const jsonIn = (text: string): Option.Option<unknown> => Option.map(jsonAnswer(text), ({ value }) => value)

export const saidInstead = (text: string): string => {
  const first = text.split("\n").find((line) => line.trim() !== "")
  return first === undefined ? "" : `: “${oneLine(first, 100)}”`
}
