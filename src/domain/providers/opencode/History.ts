import { fieldsOf } from "../../words/reading/Fields.ts"
import { filled, type InputHistory, recordsOf } from "../../cli/usage/InputHistory.ts"

interface Paste {
  readonly start: number
  readonly value: string
  readonly text: string
}

const pastesOf = (parts: unknown): ReadonlyArray<Paste> =>
  (Array.isArray(parts) ? parts : []).map(fieldsOf).flatMap(({ source, text, type }) => {
    const { start, value } = fieldsOf(fieldsOf(source)["text"])
    return type === "text" &&
      typeof text === "string" &&
      typeof start === "number" &&
      typeof value === "string" &&
      value !== ""
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
export const opencodeHistory: InputHistory = {
  recalls: true,
  index: null,
  file: (env) => `${env["XDG_STATE_HOME"] || `${env["HOME"] ?? ""}/.local/state`}/opencode/prompt-history.jsonl`,
  lines: true,
  prompts: (text) => filled(recordsOf(text).map(({ input, parts }) => unfoldPastes(input, parts)))
}
