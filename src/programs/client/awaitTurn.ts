import { Effect, Option, Stream } from "effect"
import { isFailed } from "../../domain/engine/queue/QueueFold.ts"
import type { QueuedMessage } from "../../domain/words/session/Message.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { turnEnding } from "../../domain/words/wording/TurnEnding.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import { lastStatus, whileHostLives } from "./client.ts"

/** States with which a message's receipt ends. */
const settled: ReadonlySet<string> = new Set(["done", "failed", "held", "removed"])

/** It is kept from going out, and no turn of it is over. */
export const isHeldBack = (message: QueuedMessage | null): boolean =>
  message !== null && message.status === "held" && !isFailed(message)

/** The receipt tells of a turn that is over, or says that there will be none by itself. */
export const isSettled = (message: QueuedMessage): boolean => settled.has(message.status) || isFailed(message)

/** A message's last receipt; waits for it. Null where its host ended before that. */
export const settledReceipt = (client: HostClient, id: string) =>
  client.Receipt({ id }).pipe(
    Stream.filter(isSettled),
    Stream.runHead,
    whileHostLives,
    Effect.map((receipt) => Option.getOrNull(Option.flatten(receipt)))
  )

/** What the assistant said last in a session that has ended; null where it said nothing after `before`. */
const lastWords = (tag: Tag, before: string | null) =>
  Effect.map(lastStatus(tag), (status) => {
    const text = Option.getOrNull(status)?.lastResponse ?? null
    return { text: text === before ? null : text, failure: null }
  })

export interface AwaitedTurn {
  readonly tag: Tag
  readonly client: HostClient
  readonly id: string
  /** The message's last receipt; null where the host ended before there was one. */
  readonly last: QueuedMessage | null
  /** What the assistant had said last when the message was sent. */
  readonly before: string | null
}

/** The CLI's answer to a message whose receipt has settled, and why it is none, if so. */
export const turnResult = Effect.fnUntraced(function* ({ before, client, id, last, tag }: AwaitedTurn) {
  const said = Option.getOrNull(yield* whileHostLives(client.Response({ id })))
  const { failure = null, text: response } = said ?? (yield* lastWords(tag, before))
  const lost = `session '${tag}' ended before its turn was over; 'leap queue ${tag}' shows what became of it`
  // how it ended may have been told while the answer was waited for
  const isUntold = last !== null && last.status === "done" && last.outcome === undefined
  const now = isUntold ? ((yield* settledReceipt(client, id)) ?? last) : last
  const { outcome, why } = now === null ? { outcome: null, why: lost } : turnEnding(now, failure)
  return { response, outcome, why }
})
