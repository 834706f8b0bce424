import { maskSecrets } from "../../words/text/Secrets.ts"
import { cutTo } from "./toolPreview.ts"
import { jsonOf } from "../../words/formats/Json.ts"
import type { AgentEvent } from "./AgentEvent.ts"

const mark = "***"

/** Values that no event, result or error may contain: `values` in failures, `answers` in the model's texts. */
export interface Secrets {
  readonly values: ReadonlyArray<string>
  readonly answers: ReadonlyArray<string>
}

/** Shorter secrets are part of too many words. Answers are masked less than reports. */
const shortest = 4
/** Placeholders for a key (`ollama`, `not-needed`) are no secrets, and occur as ordinary words in answers. */
const placeholder = /^(?=.{0,19}$)[a-z]+(?:[-_ ][a-z]+)*$/i
const shortestInAnswers = 8

/** The forms of a secret in texts: plain, escaped in JSON, escaped in a URL. The longest first. */
const forms = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  longestFirst(
    values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())])
  )

const longestFirst = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(values)].sort((a, b) => b.length - a.length)

/** A text without these values ({@link secretsInAnswers}). */
export const maskAnswer = (text: string, values: ReadonlyArray<string>): string =>
  values.reduce((masked, value) => masked.replaceAll(value, mark), text)

/** A report without these values and anything else that looks like a secret. */
export const maskReport = (text: string, values: ReadonlyArray<string>): string =>
  maskSecrets(maskAnswer(text, forms(values.filter((value) => value.length >= shortest))))

/** The beginning of a text in one masked line; markup of a web page is removed. */
export const excerptOf = (text: string, values: ReadonlyArray<string>, length: number): string =>
  cutTo(
    maskReport(text, values)
      .replace(/<(?:script|style)\b[\s\S]*?<\/(?:script|style)>|<[^>]{0,512}>/gi, " ")
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim(),
    length
  )

/** The values that are masked in the model's texts, in all their forms. */
export const secretsInAnswers = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  forms(values.filter((value) => value.length >= shortestInAnswers && !placeholder.test(value)))

export const secretsOf = (values: ReadonlyArray<string>): Secrets => ({ values, answers: secretsInAnswers(values) })

/** The index at the end of a text where the secret may begin; otherwise the text's length. */
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

/** Masks streamed text: an end that may begin a secret, or is half a character, is held back. */
export const maskPiece = (
  held: string,
  piece: string,
  secrets: ReadonlyArray<string>
): readonly [held: string, text: string] => {
  const text = maskAnswer(held + piece, secrets)
  const to = secrets.reduce(
    (to, secret) => Math.min(to, secretStart(text, secret)),
    half.test(text) ? text.length - 1 : text.length
  )
  return [text.slice(to), text.slice(0, to)]
}

const secretName = /key|token|secret|passw|credential|auth/i
/** Shorter values are part of ordinary words. */
const shortestValue = 8

/** The values of variables and options whose names mark them as secrets. Longest first. */
export const secretValues = (
  ...named: ReadonlyArray<Readonly<Record<string, string | null | undefined>>>
): ReadonlyArray<string> =>
  longestFirst(
    named
      .flatMap(Object.entries<string | null | undefined>)
      .flatMap(([name, value]) =>
        typeof value === "string" &&
        value.length >= shortestValue &&
        secretName.test(name) &&
        !/^[\d./:~-]|^(?:true|false)$/i.test(value)
          ? [value]
          : []
      )
  )

type Text = Extract<AgentEvent, { readonly _tag: "Text" | "Thought" }>

/** The held-back end of a streamed text, which may begin a secret; null: none. */
export type HeldText = { readonly event: Text; readonly text: string } | null

const isSameText = (a: Text, b: Text): boolean =>
  a._tag === b._tag &&
  a.delta &&
  b.delta &&
  a.agent === b.agent &&
  (a._tag === "Thought" || b._tag === "Thought" || a.message === b.message)

const maskInput = (input: unknown, secrets: ReadonlyArray<string>): unknown => {
  const text = (JSON.stringify(input) as string | undefined) ?? ""
  const masked = maskAnswer(text, secrets)
  return masked === text ? input : jsonOf(masked)
}

const maskWhole = (event: AgentEvent, secrets: ReadonlyArray<string>): AgentEvent => {
  const mask = (text: string) => maskAnswer(text, secrets)
  switch (event._tag) {
    case "Text":
    case "Thought":
    case "Answered":
      return { ...event, text: mask(event.text) }
    case "ToolStarted":
      return { ...event, preview: mask(event.preview), input: maskInput(event.input, secrets) }
    case "ToolEnded":
      return { ...event, output: mask(event.output), diff: typeof event.diff === "string" ? mask(event.diff) : null }
    case "HookRan":
      return { ...event, output: mask(event.output) }
    case "Native":
      return { ...event, line: mask(event.line) }
    default:
      return event
  }
}

/** Emits the held-back text when no later piece can complete a secret. */
export const release = (held: HeldText): ReadonlyArray<AgentEvent> =>
  held === null ? [] : [{ ...held.event, text: held.text }]

/** Masks these values ({@link secretsInAnswers}) in events, even if a secret spans several pieces. */
export const maskEvents = (
  held: HeldText,
  events: ReadonlyArray<AgentEvent>,
  secrets: ReadonlyArray<string>
): readonly [HeldText, ReadonlyArray<AgentEvent>] => {
  if (secrets.length === 0) return [held, events]
  const masked: Array<AgentEvent> = []
  let heldNow = held
  for (const event of events) {
    if ((event._tag !== "Text" && event._tag !== "Thought") || !event.delta) {
      masked.push(...release(heldNow), maskWhole(event, secrets))
      heldNow = null
      continue
    }
    if (heldNow !== null && !isSameText(heldNow.event, event)) {
      masked.push(...release(heldNow))
      heldNow = null
    }
    const [rest, text] = maskPiece(heldNow?.text ?? "", event.text, secrets)
    if (text !== "") masked.push({ ...event, text })
    heldNow = rest === "" ? null : { event, text: rest }
  }
  return [heldNow, masked]
}

/** Masks these values, and anything else that looks like a secret, in reports of failures. */
export const maskProblems = (event: AgentEvent, values: ReadonlyArray<string>): AgentEvent => {
  switch (event._tag) {
    case "Notice":
    case "ErrorOutput":
      return { ...event, text: maskReport(event.text, values) }
    case "Refused":
      return { ...event, why: maskReport(event.why, values) }
    case "Failed":
    case "Retrying":
      return { ...event, problem: { ...event.problem, message: maskReport(event.problem.message, values) } }
    default:
      return event
  }
}
