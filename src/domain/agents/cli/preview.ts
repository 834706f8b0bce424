import { type Fields, fieldsOf } from "../../usage/Fields.ts"

/** The longest preview, in characters as they are seen. */
export const previewLength = 80
/** The longest output of a tool that an event carries. */
export const outputLength = 4_096

/** The arguments that tell most, in this order. */
const keys = [
  "file_path", "filePath", "path", "notebook_path", "command", "cmd", "query", "pattern", "regex", "glob", "url", "description", "prompt", "subagent_type"
]

/** Cuts a text to so many characters as they are seen, the last one `…`; never within one. */
export const cutTo = (text: string, length: number): string => {
  // no character is shorter than one code unit
  if (text.length <= length) return text
  let kept = ""
  let count = 0
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, length * 64))) {
    if (count === length) return [...new Intl.Segmenter().segment(kept)].slice(0, length - 1).map(({ segment }) => segment).join("") + "…"
    kept += segment
    count++
  }
  return kept.length < text.length ? `${kept}…` : kept
}

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim()

const said = (value: unknown): string | null => {
  if (typeof value === "string") return oneLine(value) === "" ? null : value
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "string") ? value.join(" ") : null
}

/** Lists of which the number tells enough. */
const counted = (input: Fields): string | null => {
  const { changes, questions, todos } = input
  if (Array.isArray(todos)) return `${todos.length} todos`
  if (Array.isArray(changes)) {
    return changes.flatMap((change) => {
      const path = fieldsOf(change)["path"]
      return typeof path === "string" ? [path] : []
    }).join(", ")
  }
  if (!Array.isArray(questions)) return null
  const first = fieldsOf(questions[0])["question"]
  return typeof first === "string" ? first : null
}

/** The argument of a tool call that tells most, in one line. Arguments may come as JSON text. */
export const previewOf = (input: unknown): string => {
  const fields = typeof input === "string" ? parsed(input) : fieldsOf(input)
  const text = keys.map((key) => said(fields[key])).find((value) => value !== null) ?? counted(fields) ?? ""
  return cutTo(oneLine(text), previewLength)
}

const parsed = (text: string): Fields => {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Parts of a tool's answer as one text: a string, or a list of parts that have one. */
const joined = (value: unknown): string => {
  if (typeof value === "string") return value
  if (Array.isArray(value)) return value.map((part) => typeof part === "string" ? part : joined(fieldsOf(part)["text"])).filter((part) => part !== "").join("\n")
  const { content, message, text } = fieldsOf(value)
  return [text, content, message].map((part) => typeof part === "string" ? part : "").find((part) => part !== "") ?? ""
}

/** What a tool gave, cut. */
export const outputOf = (value: unknown): string => {
  const text = joined(value)
  return text.length > outputLength ? `${text.slice(0, outputLength - 1).replace(/[\ud800-\udbff]$/u, "")}…` : text
}
