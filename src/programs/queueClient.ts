import { Effect, Ref, Stream } from "effect"
import { oneLine, stateLine } from "../domain/StateLine.ts"
import type { SessionStatus } from "../domain/Session.ts"
import type { Tag } from "../domain/Tag.ts"
import { LinePrompt, type LinePromptHandle } from "../services/LinePrompt.ts"
import { Output } from "../services/Output.ts"
import { connectTo } from "./client.ts"

const asks: ReadonlySet<string> = new Set(["needs_permission", "needs_input"])

/** What changed between two statuses that the user should read, line by line. */
const news = (tag: string, before: SessionStatus | null, now: SessionStatus): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const known = new Map(before?.queue.map((message) => [message.id, message.status]))
  for (const message of now.queue) {
    const was = known.get(message.id)
    if (message.status === was || before === null) continue
    if (message.status === "queued" && was === undefined) lines.push(`+ ${oneLine(message.text, 70)}`)
    if (message.status === "started") lines.push(`→ ${oneLine(message.text, 70)}`)
    if (message.status === "held" || message.status === "failed") {
      lines.push(`! ${message.status}: ${oneLine(message.text, 50)} (${message.why ?? "no reason known"})`)
    }
  }
  if (asks.has(now.state) && before?.state !== now.state) {
    lines.push(`? ${oneLine(now.message ?? "it asks something", 80)}: answer with 'leap answer ${tag} <number or text>'`)
  }
  return lines
}

/** Messages whose turns have just ended. */
const justDone = (before: SessionStatus | null, now: SessionStatus): ReadonlyArray<string> =>
  before === null ? [] : now.queue.flatMap(({ id, status }) =>
    status === "done" && before.queue.some((message) => message.id === id && message.status !== "done") ? [id] : [])

/**
 * The queue client: what `leap <tag>` is in a second terminal. Over its input line stands the session's state, kept
 * current; each entry is queued; it ends with the session, or at Ctrl+D.
 */
export const queueClient = Effect.fn("queueClient")(function*(tag: Tag) {
  const output = yield* Output
  const client = yield* connectTo(tag)
  yield* output.note(`what you enter is queued for session '${tag}', which runs elsewhere ('leap attach ${tag}' shows it; Alt+Enter is a line break, Ctrl+D leaves)`)
  const last = yield* Ref.make<SessionStatus | null>(null)

  const ended = yield* Effect.gen(function*() {
    const editor = yield* (yield* LinePrompt).open
    const watch = client.Watch().pipe(
      Stream.runForEach(Effect.fnUntraced(function*(status) {
        const before = yield* Ref.getAndSet(last, status)
        for (const line of news(tag, before, status)) yield* editor.print(line)
        for (const id of justDone(before, status)) yield* Effect.forkScoped(printAnswer(editor, id))
        yield* editor.prompt(`${stateLine(status, output.colour)}\n› `)
      })),
      Effect.match({ onSuccess: () => "ended", onFailure: () => "lost" } as const)
    )
    const printAnswer = (editor: LinePromptHandle, id: string) =>
      client.Response({ id }).pipe(
        Effect.flatMap(({ text }) => text === null ? Effect.void : editor.print(`← ${oneLine(text, 100)}`)),
        // the session's end says it all
        Effect.ignore
      )
    const entries = editor.entries.pipe(
      Stream.filter((text) => text.trim() !== ""),
      Stream.runForEach((text) => enter(editor, text)),
      Effect.as("left" as const)
    )
    const enter = (editor: LinePromptHandle, text: string) =>
      Effect.gen(function*() {
        const now = yield* Ref.get(last)
        if (now !== null && asks.has(now.state) && /^\d$/.test(text.trim())) {
          return yield* editor.print(`! not queued: to answer the dialog use 'leap answer ${tag} ${text.trim()}'`)
        }
        yield* client.Send({ text, images: [], front: false, force: false })
      }).pipe(Effect.catch((error) => editor.print(`! not queued: ${error.message}`)))
    // whichever ends first: the session, or the user's entries
    return yield* Effect.raceFirst(watch, entries)
  }).pipe(Effect.scoped)

  if (ended === "ended") yield* output.note(`[session '${tag}' ended]`)
  if (ended === "lost") yield* output.note(`[the host of session '${tag}' ended without a word; its queue is kept: 'leap ${tag}' starts it again]`)
}, Effect.scoped)
