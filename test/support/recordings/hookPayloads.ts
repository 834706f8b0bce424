import { listOf, type RecordedCli, textOf } from "./recordings.ts"

/** A payload that a real CLI gave to a hook of this event, as it gave it. */
export interface HookPayload {
  readonly event: string
  readonly text: string
}

/** The payloads of these events in a CLI's recordings, one of each set of fields. */
export const hookPayloads = (cli: RecordedCli, events: ReadonlyArray<string>): ReadonlyArray<HookPayload> => {
  const found = new Map<string, HookPayload>()
  for (const name of listOf(cli)) {
    const text = textOf(name)
    for (let at = text.indexOf('"hook:'); at >= 0; at = text.indexOf('"hook:', at + 1)) {
      const start = text.lastIndexOf("\n", at) + 1
      const end = text.indexOf("\n", at)
      const [, , marker] = JSON.parse(text.slice(start, end < 0 ? undefined : end)) as [number, string, string]
      const [, event = "", payload = ""] = /^hook:(\S+) (.*)$/s.exec(marker) ?? []
      if (!events.includes(event)) continue
      // what is said differs from recording to recording, and what it is called does not
      const names = payload.match(/"\w+"(?=:)|"(?:tool_name|toolName|permission|tool)":"[^"]*"/g) ?? []
      const kind = [event, ...new Set(names)].join()
      if (!found.has(kind)) found.set(kind, { event, text: payload })
    }
  }
  return [...found.values()]
}
