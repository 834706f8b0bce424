import { maskSecrets } from "../Secrets.ts"
import { cutTo } from "./cli/preview.ts"

const mark = "***"

/** Shorter ones stand in too many words to be masked; in a report of a failure more may go than in an answer. */
const shortest = 4
/** Keys that local servers ask for and nobody keeps secret (`ollama`, `not-needed`) must not spoil an answer. */
const placeholder = /^(?=.{0,19}$)[a-z]+(?:[-_ ][a-z]+)*$/i
const shortestInAnswers = 8

/** A secret as it may stand in texts: as it is, within JSON, within a URL. The longest first. */
const forms = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), escaped(value)]))].sort((a, b) => b.length - a.length)

const escaped = (value: string): string => encodeURIComponent(value.toWellFormed())

const without = (text: string, values: ReadonlyArray<string>): string => values.reduce((masked, value) => masked.replaceAll(value, mark), text)

/** A text for people, without these values and without what else looks like a secret. */
export const maskReport = (text: string, values: ReadonlyArray<string>): string =>
  maskSecrets(without(text, forms(values.filter((value) => value.length >= shortest))))

/** One masked line of a text that may be a web page: its beginning, without markup. */
export const excerptOf = (text: string, values: ReadonlyArray<string>, length: number): string =>
  cutTo(
    maskReport(text, values).replace(/<(?:script|style)\b[\s\S]*?<\/(?:script|style)>|<[^>]{0,512}>/gi, " ").replace(/[\p{Cc}\s]+/gu, " ").trim(),
    length
  )

/** These values as they are looked for in what a model says. */
export const secretsInAnswers = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  forms(values.filter((value) => value.length >= shortestInAnswers && !placeholder.test(value)))

/** A text of a conversation without these values ({@link secretsInAnswers}). */
export const maskAnswer = (text: string, secrets: ReadonlyArray<string>): string => without(text, secrets)

/** Where a secret may have begun at the end of a text; its length where none has. */
const begun = (text: string, secret: string): number => {
  const first = secret.charAt(0)
  for (let at = text.indexOf(first, Math.max(0, text.length - secret.length + 1)); at >= 0; at = text.indexOf(first, at + 1)) {
    if (secret.startsWith(text.slice(at))) return at
  }
  return text.length
}

/** The first half of a character whose other half has not come. */
const half = /[\ud800-\udbff]$/

/** Masks a text that comes in pieces. What may be the beginning of a secret, or half a character, is held back: the first that is returned. */
export const maskPiece = (held: string, piece: string, secrets: ReadonlyArray<string>): readonly [held: string, text: string] => {
  const text = without(held + piece, secrets)
  const to = secrets.reduce((to, secret) => Math.min(to, begun(text, secret)), half.test(text) ? text.length - 1 : text.length)
  return [text.slice(to), text.slice(0, to)]
}
