import { type Fields, fieldsOf, itemsOf, nonEmptyOf, stringOf } from "../../words/reading/Fields.ts"
import { jsonOf } from "../../words/formats/Json.ts"
import { namesIn } from "../../words/text/namesIn.ts"
import { graphemesIn } from "../../words/text/graphemes.ts"

/** The limit of a preview, in graphemes. */
export const previewLength = 80
/** The limit of a tool's output in an event, in UTF-16 units. */
export const outputLength = 65_536

const keys = namesIn(
  "file_path filePath path notebook_path command cmd query pattern regex glob url description prompt subagent_type"
)

/** Cuts a longer text to this many graphemes, of which the last is `…`. */
export const cutTo = (text: string, length: number): string => {
  // A grapheme has at least one code unit.
  if (text.length <= length) return text
  const kept: Array<string> = []
  for (const { segment } of graphemesIn(text.slice(0, length * 64))) {
    if (kept.length === length) return `${kept.slice(0, -1).join("")}…`
    kept.push(segment)
  }
  const all = kept.join("")
  return all.length < text.length ? `${all}…` : all
}

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim()

const textIn = (value: unknown): string | null => {
  if (typeof value === "string") return oneLine(value) === "" ? null : value
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "string")
    ? value.join(" ")
    : null
}

const textOfList = (input: Fields): string | null => {
  const { changes, questions, todos } = input
  if (Array.isArray(todos)) return `${todos.length} todos`
  if (Array.isArray(changes)) return changes.flatMap((change) => stringOf(fieldsOf(change)["path"]) ?? []).join(", ")
  return stringOf(fieldsOf(itemsOf(questions)[0])["question"])
}

/** The most telling argument of a tool call, in one line. Arguments may be JSON text. */
export const previewOf = (input: unknown): string => {
  const fields = typeof input === "string" ? fieldsOf(jsonOf(input)) : fieldsOf(input)
  const text = keys.map((key) => textIn(fields[key])).find((value) => value !== null) ?? textOfList(fields) ?? ""
  return cutTo(oneLine(text), previewLength)
}

const outputText = (value: unknown): string => {
  if (typeof value === "string") return value
  if (Array.isArray(value))
    return value
      .map((part) => (typeof part === "string" ? part : outputText(fieldsOf(part)["text"])))
      .filter((part) => part !== "")
      .join("\n")
  const { content, message, text } = fieldsOf(value)
  return nonEmptyOf(text) ?? nonEmptyOf(content) ?? nonEmptyOf(message) ?? ""
}

/** A tool's output, cut to {@link outputLength}, and its full length. */
export const outputOf = (value: unknown) => {
  const text = outputText(value)
  const cut = text.length > outputLength
  const output = cut ? `${text.slice(0, outputLength - 1).replace(/[\ud800-\udbff]$/u, "")}…` : text
  return { output, length: text.length, cut }
}
