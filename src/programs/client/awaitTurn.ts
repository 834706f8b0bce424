import { Effect, Option, Stream } from "effect"
import { isFailed } from "../../domain/engine/queue/QueueFold.ts"
import type { QueuedMessage } from "../../domain/words/session/Message.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { turnEnding } from "../../domain/words/wording/TurnEnding.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import { lastStatus, whileHostLives } from "./client.ts"

/** States that end a message's receipt. */
const settled: ReadonlySet<string> = new Set(["done", "failed", "held", "removed"])

export const isHeldBack = (message: QueuedMessage | null): boolean =>
  message !== null && message.status === "held" && !isFailed(message)

export const isSettled = (message: QueuedMessage): boolean => settled.has(message.status) || isFailed(message)

/** Waits for a message's last receipt; null if its host ended first. */
export const settledReceipt = (client: HostClient, id: string) =>
  client.Receipt({ id }).pipe(
    Stream.filter(isSettled),
    Stream.runHead,
    whileHostLives,
    Effect.map((receipt) => Option.getOrNull(Option.flatten(receipt)))
  )

/** The last response of an ended session; null if it is the same as `before`. */
const lastWords = (tag: Tag, before: string | null) =>
  Effect.map(lastStatus(tag), (status) => {
    const text = Option.getOrNull(status)?.lastResponse ?? null
    return { text: text === before ? null : text, failure: null }
  })

/** The CLI's answer to a message with a settled receipt, and the reason if there is none. */
export const turnResult = Effect.fnUntraced(function* (turn: {
  readonly tag: Tag
  readonly client: HostClient
  readonly id: string
  readonly last: QueuedMessage | null
  readonly before: string | null
}) {
  const { before, client, id, last, tag } = turn
  const answer = Option.getOrNull(yield* whileHostLives(client.Response({ id })))
  const { failure = null, text: response } = answer ?? (yield* lastWords(tag, before))
  const lost = `session '${tag}' ended before its turn was over; 'leap queue ${tag}' shows what became of it`
  // its outcome may have arrived while the answer was read
  const isUntold = last !== null && last.status === "done" && last.outcome === undefined
  const now = isUntold ? ((yield* settledReceipt(client, id)) ?? last) : last
  const { outcome, why } = now === null ? { outcome: null, why: lost } : turnEnding(now, failure)
  return { response, outcome, why }
})
