import { Option } from "effect"
import { parseJson } from "../../words/reading/Json.ts"
import { oneLine } from "../../words/text/printable.ts"

/** A JSON value, and the text that says it: numbers and keys in it are as the model wrote them. */
export interface JsonAnswer {
  readonly source: string
  readonly value: unknown
}

/** A code fence around a whole answer, of any language. */
const fence = /^\s*(`{3,}|~{3,})[^\n`]*\r?\n([\s\S]*?)\r?\n?[ \t]*\1\s*$/
/** Code fences of an answer, with their language. */
const fences = /(?:^|\n)[ \t]*(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n`]*\r?\n(?:([\s\S]*?)\r?\n)??[ \t]*\1(?=\s|$)/g
const json = /^json[c5]?$/i

/** Thoughts that a model writes before its answer. A server may have taken the tag away that begins them. */
const begun = /^\s*<think(?:ing)?>/i
const closed = /<\/think(?:ing)?>/gi

const parsed = (text: string | undefined): Option.Option<JsonAnswer> => {
  const source = (text ?? "").trim()
  return Option.map(parseJson(source), (value) => ({ source, value }))
}

/** The one of these texts that is JSON; none where several are, or none is. */
const only = (texts: ReadonlyArray<string>): Option.Option<JsonAnswer> => {
  const found = texts.map(parsed).filter(Option.isSome)
  return found.length === 1 && found[0] !== undefined ? found[0] : Option.none()
}

const fenced = (text: string): Option.Option<JsonAnswer> => {
  const found = [...text.matchAll(fences)].map(([, , language = "", inner = ""]) => ({ language, inner }))
  const labelled = found.filter(({ language }) => json.test(language))
  // of two values that are marked as the answer neither is it
  if (labelled.length > 0) return labelled.length === 1 ? parsed(labelled[0]?.inner) : Option.none()
  return only(found.flatMap(({ inner, language }) => (language === "" ? [inner] : [])))
}

/** The texts that may be the answer: what comes after its thoughts, and all of it where it does not begin with one. */
const candidates = (text: string): ReadonlyArray<string> => {
  const ends = [...text.matchAll(closed)].map((end) => end.index + end[0].length)
  const rests = [ends.at(-1), ends[0]].flatMap((end) => (end === undefined ? [] : [text.slice(end)]))
  return begun.test(text) ? rests : [...rests, text]
}

/** An answer as JSON: all of it, its one code fence, or its only fence that is marked as JSON or not at all. */
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

/** The value that {@link jsonAnswer} finds. */
export const jsonIn = (text: string): Option.Option<unknown> => Option.map(jsonAnswer(text), ({ value }) => value)

/** The beginning of an answer that should have been JSON, as the end of a sentence; nothing where it is empty. */
export const saidInstead = (text: string): string => {
  const first = text.split("\n").find((line) => line.trim() !== "")
  return first === undefined ? "" : `: “${oneLine(first, 100)}”`
}
