import { fieldsOf, textsOf, timeOf } from "../../words/reading/Fields.ts"
import type { Signal } from "../../words/session/Signal.ts"

const interrupted = /^\[Request interrupted by user(?: for tool use)?\]$/

const textTypes: ReadonlySet<unknown> = new Set(["text"])

/**
 * Translates a record of Claude Code's transcript: an interrupt by the user, which no hook reports. An interrupt that
 * leap does not see itself (by another client of the session) appears only here. Total.
 */
export const readTranscript = (record: unknown): ReadonlyArray<Signal> => {
  const { isSidechain, message, timestamp, type } = fieldsOf(record)
  const at = timeOf(timestamp)
  if (type !== "user" || isSidechain === true || at === null) return []
  return textsOf(fieldsOf(message)["content"], textTypes).some((text) => interrupted.test(text.trim()))
    ? [{ _tag: "Interrupted", at }]
    : []
}
