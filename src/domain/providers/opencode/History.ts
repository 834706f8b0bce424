import { fieldsOf, itemsOf } from "../../words/reading/Fields.ts"
import { filled, recalled, recordsOf } from "../../cli/usage/InputHistory.ts"

const pastesOf = (parts: unknown) =>
  itemsOf(parts)
    .map(fieldsOf)
    .flatMap(({ source, text, type }) => {
      const { start, value } = fieldsOf(fieldsOf(source)["text"])
      const isPaste = type === "text" && typeof text === "string"
      return isPaste && typeof start === "number" && typeof value === "string" && value !== ""
        ? [{ start, value, text }]
        : []
    })

/** The prompt as it was sent. Folded pastes are unfolded, the last first, so that the other offsets stay valid. */
const unfoldPastes = (input: unknown, parts: unknown): unknown => {
  if (typeof input !== "string") return null
  const pastes = pastesOf(parts)
  if (pastes.length === 0) return input
  const unfolded = [...pastes]
    .sort((a, b) => b.start - a.start)
    .reduce(
      (text, { start, text: pasted, value }) =>
        text.startsWith(value, start)
          ? text.slice(0, start) + pasted + text.slice(start + value.length)
          : text.replace(value, () => pasted),
      input
    )
  // OpenCode adds a space, which was not typed, after a folded paste.
  return unfolded.trimEnd()
}

/** OpenCode keeps the prompts of all directories in one file. */
export const opencodeHistory = recalled({
  file: (env) => `${env["XDG_STATE_HOME"] || `${env["HOME"] ?? ""}/.local/state`}/opencode/prompt-history.jsonl`,
  prompts: (text) => filled(recordsOf(text).map(({ input, parts }) => unfoldPastes(input, parts)))
})
