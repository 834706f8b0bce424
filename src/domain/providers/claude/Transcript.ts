import { fieldsOf, itemsOf, nonEmptyOf, textsOf, timeOf } from "../../words/reading/Fields.ts"
import type { Signal } from "../../words/session/Signal.ts"

export const interrupted = /^\[Request interrupted by user(?: for tool use)?\]$/

const textTypes: ReadonlySet<unknown> = new Set(["text"])

/** Translates a transcript's record: interrupts, which no hook reports, and tools that ran. Total. */
export const readTranscript = (record: unknown): ReadonlyArray<Signal> => {
  const { isSidechain, message, timestamp, type } = fieldsOf(record)
  const at = timeOf(timestamp)
  if (type !== "user" || isSidechain === true || at === null) return []
  const { content } = fieldsOf(message)
  if (textsOf(content, textTypes).some((text) => interrupted.test(text.trim()))) return [{ _tag: "Interrupted", at }]
  return itemsOf(content)
    .map(fieldsOf)
    .flatMap(({ is_error, tool_use_id, type }) =>
      type === "tool_result"
        ? [{ _tag: "ToolRan", tool: null, id: nonEmptyOf(tool_use_id), at, ok: is_error !== true } as const]
        : []
    )
}
