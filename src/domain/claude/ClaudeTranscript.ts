import type { Signal } from "../Signal.ts"

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields => typeof value === "object" && value !== null && !Array.isArray(value) ? value as Fields : {}

const interrupted = /^\[Request interrupted by user(?: for tool use)?\]$/

const texts = (content: unknown): ReadonlyArray<string> =>
  typeof content === "string"
    ? [content]
    : Array.isArray(content)
    ? content.flatMap((part) => {
      const { text, type } = fieldsOf(part)
      return type === "text" && typeof text === "string" ? [text] : []
    })
    : []

/**
 * What a record of Claude Code's transcript says of the turn: that the user stopped it, which no hook tells. A stop by a
 * way that leap does not see (another client of the session) shows here alone. Total.
 */
export const readTranscript = (record: unknown): ReadonlyArray<Signal> => {
  const { isSidechain, message, timestamp, type } = fieldsOf(record)
  if (type !== "user" || isSidechain === true || typeof timestamp !== "string") return []
  const at = Date.parse(timestamp)
  if (!Number.isFinite(at)) return []
  return texts(fieldsOf(message)["content"]).some((text) => interrupted.test(text.trim())) ? [{ _tag: "Interrupted", at }] : []
}
