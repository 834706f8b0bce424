import { Effect, Ref, Stream } from "effect"
import { oneLine, stateLine } from "../domain/StateLine.ts"
import type { Tag } from "../domain/Tag.ts"
import { LinePrompt } from "../services/LinePrompt.ts"
import { Output } from "../services/Output.ts"
import { connectTo } from "./client.ts"

/**
 * The queue client: what `leap <tag>` is in a second terminal. Its prompt is the session's state line, kept current;
 * each entry is queued; it ends with the session, or at Ctrl+D.
 */
export const queueClient = Effect.fn("queueClient")(function*(tag: Tag) {
  const output = yield* Output
  const client = yield* connectTo(tag)
  yield* output.note(`session '${tag}' runs elsewhere: what you enter is queued for it ('leap attach ${tag}' shows it, Ctrl+D leaves)`)
  const editor = yield* (yield* LinePrompt).open
  const delivered = yield* Ref.make(new Map<string, string>())

  const watch = client.Watch().pipe(
    Stream.runForEach(Effect.fnUntraced(function*(status) {
      const before = yield* Ref.get(delivered)
      for (const message of status.queue) {
        if (before.get(message.id) !== message.status && before.has(message.id)) {
          if (message.status === "started") yield* editor.print(`→ ${oneLine(message.text, 70)}`)
          if (message.status === "held" || message.status === "failed") {
            yield* editor.print(`! ${message.status}: ${oneLine(message.text, 50)} (${message.why ?? "no reason known"})`)
          }
        }
      }
      yield* Ref.set(delivered, new Map(status.queue.map((message) => [message.id, message.status])))
      yield* editor.prompt(`${stateLine(status, output.colour)} › `)
    }))
  )
  const entries = editor.entries.pipe(
    Stream.filter((text) => text.trim() !== ""),
    Stream.runForEach((text) =>
      client.Send({ text, images: [], front: false, force: false }).pipe(
        Effect.catchTag("RefusedError", (error) => editor.print(`! not queued: ${error.why}`))
      )
    )
  )
  // whichever ends first: the session, or the user's entries
  yield* Effect.raceFirst(watch, entries)
}, Effect.scoped)
