import { Option } from "effect"
import { parseJson } from "../../words/formats/Json.ts"
import { oneLine } from "../../words/text/printable.ts"

/** A JSON value and its source, which keeps numbers and keys as the model wrote them. */
export interface JsonAnswer {
  readonly source: string
  readonly value: unknown
}

const wholeFence = /^\s*(`{3,}|~{3,})[^\n`]*\r?\n([\s\S]*?)\r?\n?[ \t]*\1\s*$/
const anyFence = /(?:^|\n)[ \t]*(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n`]*\r?\n(?:([\s\S]*?)\r?\n)??[ \t]*\1(?=\s|$)/g
const jsonLanguage = /^json[c5]?$/i

/** The tags around the thoughts before an answer. A server may have removed the opening tag. */
const openingTag = /^\s*<think(?:ing)?>/i
const closingTag = /<\/think(?:ing)?>/gi

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
  const found = [...text.matchAll(anyFence)].map(([, , language = "", inner = ""]) => ({ language, inner }))
  const labelled = found.filter(({ language }) => jsonLanguage.test(language))
  // If two values are marked as the answer, neither counts.
  if (labelled.length > 0) return labelled.length === 1 ? parsed(labelled[0]?.inner) : Option.none()
  return only(found.flatMap(({ inner, language }) => (language === "" ? [inner] : [])))
}

/**
 * The texts that may be the answer: after the last closing tag, after the first one, and the whole text unless it
 * begins with an opening tag.
 */
const candidates = (text: string): ReadonlyArray<string> => {
  const ends = [...text.matchAll(closingTag)].map((end) => end.index + end[0].length)
  const rests = [ends.at(-1), ends[0]].flatMap((end) => (end === undefined ? [] : [text.slice(end)]))
  return openingTag.test(text) ? rests : [...rests, text]
}

/**
 * Reads an answer as JSON: the whole text, else a text that is one code fence, else the only fence marked as JSON.
 * Without such a mark, the only unmarked fence that holds JSON counts.
 */
export const jsonAnswer = (text: string): Option.Option<JsonAnswer> =>
  Option.orElse(parsed(text), () =>
    Option.firstSomeOf(
      candidates(text).map((rest) =>
        parsed(rest).pipe(
          Option.orElse(() => parsed(wholeFence.exec(rest)?.[2])),
          Option.orElse(() => fenced(rest))
        )
      )
    )
  )

export const jsonIn = (text: string): Option.Option<unknown> => Option.map(jsonAnswer(text), ({ value }) => value)

/** The end of a message, which quotes the first line that has text. Empty if there is none. */
export const quotedStart = (text: string): string => {
  const first = text.split("\n").find((line) => line.trim() !== "")
  return first === undefined ? "" : `: “${oneLine(first, 100)}”`
}
