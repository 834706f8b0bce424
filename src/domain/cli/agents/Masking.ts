import { maskSecrets } from "../../words/text/Secrets.ts"
import { cutTo } from "./toolPreview.ts"

const mark = "***"

/** Values that no event, result or error may have: `values` in failures, `answers` in what the model says. */
export interface Secrets {
  readonly values: ReadonlyArray<string>
  readonly answers: ReadonlyArray<string>
}

/** Shorter secrets are part of too many words to be masked. Answers are masked less than reports. */
const shortest = 4
/** Placeholders for a key (`ollama`, `not-needed`) are no secrets, and are ordinary words of answers. */
const placeholder = /^(?=.{0,19}$)[a-z]+(?:[-_ ][a-z]+)*$/i
const shortestInAnswers = 8

/** The forms that a secret has in texts: plain, escaped in JSON, escaped in a URL. The longest first. */
const forms = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), escaped(value)]))].sort(
    (a, b) => b.length - a.length
  )

const escaped = (value: string): string => encodeURIComponent(value.toWellFormed())

const replaceAll = (text: string, values: ReadonlyArray<string>): string =>
  values.reduce((masked, value) => masked.replaceAll(value, mark), text)

/** A report without these values, and without anything else that looks like a secret. */
export const maskReport = (text: string, values: ReadonlyArray<string>): string =>
  maskSecrets(replaceAll(text, forms(values.filter((value) => value.length >= shortest))))

/** One masked line of a text that may be a web page: its beginning, without markup. */
export const excerptOf = (text: string, values: ReadonlyArray<string>, length: number): string =>
  cutTo(
    maskReport(text, values)
      .replace(/<(?:script|style)\b[\s\S]*?<\/(?:script|style)>|<[^>]{0,512}>/gi, " ")
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim(),
    length
  )

/** The values that are searched for in what a model says, in all their forms. */
export const secretsInAnswers = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  forms(values.filter((value) => value.length >= shortestInAnswers && !placeholder.test(value)))

/** These values as both kinds of text are searched for them. */
export const secretsOf = (values: ReadonlyArray<string>): Secrets => ({ values, answers: secretsInAnswers(values) })

/** An answer without these values ({@link secretsInAnswers}). */
export const maskAnswer = (text: string, secrets: ReadonlyArray<string>): string => replaceAll(text, secrets)

/** Where, at the end of a text, the secret may begin; the length of the text where it does not. */
const secretStart = (text: string, secret: string): number => {
  const first = secret.charAt(0)
  for (
    let at = text.indexOf(first, Math.max(0, text.length - secret.length + 1));
    at >= 0;
    at = text.indexOf(first, at + 1)
  ) {
    if (secret.startsWith(text.slice(at))) return at
  }
  return text.length
}

const half = /[\ud800-\udbff]$/

/** Masks text that comes in pieces: an end that may begin a secret, or is half a character, is held back. */
export const maskPiece = (
  held: string,
  piece: string,
  secrets: ReadonlyArray<string>
): readonly [held: string, text: string] => {
  const text = replaceAll(held + piece, secrets)
  const to = secrets.reduce(
    (to, secret) => Math.min(to, secretStart(text, secret)),
    half.test(text) ? text.length - 1 : text.length
  )
  return [text.slice(to), text.slice(0, to)]
}

const secretName = /key|token|secret|passw|credential|auth/i
/** Shorter values are part of ordinary words. */
const shortestValue = 8

/** The values of variables and options whose names say that they are secrets. Longest first. */
export const secretValues = (
  ...named: ReadonlyArray<Readonly<Record<string, string | null | undefined>>>
): ReadonlyArray<string> =>
  [
    ...new Set(
      named.flatMap((values) =>
        Object.entries(values).flatMap(([name, value]) =>
          typeof value === "string" &&
          value.length >= shortestValue &&
          secretName.test(name) &&
          !/^[\d./:~-]|^(?:true|false)$/i.test(value)
            ? [value]
            : []
        )
      )
    )
  ].toSorted((a, b) => b.length - a.length)
