import type { RefusalReason } from "../../words/session/Refusal.ts"
import { DateTime, Result } from "effect"
import type { Condition, QueuedMessage } from "../../words/session/Message.ts"
import type { MessageCause } from "../../words/session/MessageCause.ts"
import type { DeliveryCause } from "../../words/wording/deliveryWords.ts"
import { messageNamed, nameOf } from "./MessageName.ts"
import { find, inFlight, isFailed, isOver, messages, waiting } from "./QueueFold.ts"
import { heldRecord, type QueueEntry, QueueRecord, type QueueState } from "./QueueRecord.ts"
import type { QueueRefusal } from "./QueueRefusal.ts"
import { cleanText, stripControls } from "./MessageText.ts"

/** The most messages that may wait at the same time. */
export const maxEntries = 1_000

export {
  applyRecord,
  emptyQueue,
  find,
  historyLength,
  isFailed,
  listed,
  messages,
  recent,
  replayLog,
  waiting
} from "./QueueFold.ts"
export { heldRecord, QueueEntry, QueueRecord, type QueueState } from "./QueueRecord.ts"
export type { QueueRefusal } from "./QueueRefusal.ts"

/** The records of an operation, which takes effect once they are durable, and a note for the user. */
export interface QueueChange {
  readonly records: ReadonlyArray<QueueRecord>
  readonly note: string | null
  /**
   * The user has handled the reason why the queue waits after a failed turn: the next message may be sent, or all that
   * wait because of it.
   */
  readonly resumes?: "one" | "all"
}
type Changed = Result.Result<QueueChange, QueueRefusal>

/** The message that is sent next. Held ones wait for the user, others for their conditions. */
export const next = (state: QueueState): QueueEntry | null =>
  state.entries.find(
    (entry) => !inFlight(entry) && entry.message.status === "queued" && entry.message.when === undefined
  ) ?? null

/** The id of the message that the user's word means, even of a finished one, so that the answer can say so. */
export const idNamed = (state: QueueState, given: string): Result.Result<string, QueueRefusal> => {
  const waits = messageNamed(messages(state), given)
  if ("message" in waits) return Result.succeed(waits.message.id)
  if (waits.refusal.reason !== "not-found") return Result.fail(waits.refusal)
  const over = messageNamed(
    state.finished.map(({ message }) => message),
    given
  )
  return "message" in over ? Result.succeed(over.message.id) : Result.fail(waits.refusal)
}

/** The record that makes a log describe this queue, whatever it contained before. */
export const restate = ({ entries, finished }: QueueState): QueueRecord =>
  QueueRecord.cases.Restated.make({ v: 1, entries, finished })

/** The shortest log of this queue, without removed messages: their text must not outlive the host. */
export const compact = ({ entries, finished }: QueueState): ReadonlyArray<QueueRecord> =>
  [...finished.filter(({ message }) => message.status !== "removed"), ...entries].map((entry) =>
    QueueRecord.cases.Kept.make({ v: 1, entry })
  )

const change = (records: ReadonlyArray<QueueRecord>, note: string | null = null): Changed =>
  Result.succeed({ records, note })
const resuming = (records: ReadonlyArray<QueueRecord>, resumes: "one" | "all"): Changed =>
  Result.succeed({ records, note: null, resumes })
const refuse = (reason: RefusalReason, why: string): Changed => Result.fail({ why, reason })

/** The caller's part of a new message. `id` is unique, `at` is now. */
export interface NewMessage {
  readonly id: string
  readonly at: number
  readonly text: string
  readonly images: ReadonlyArray<string>
  readonly front: boolean
  readonly force: boolean
  readonly when?: ReadonlyArray<Condition>
  readonly night?: true
  /** The agent that wrote it, and why it is held until the user releases it; null: it is not held. */
  readonly byAgent?: { readonly from: string; readonly hops: number; readonly held: DeliveryCause | null }
}

/** Accepts a message: last, before all that wait (`front`), or next without waiting for ready (`force`). */
export const add = (
  state: QueueState,
  { at, force, front, id, images, byAgent, night, text, when = [] }: NewMessage
): Changed => {
  if (find(state, id) !== null) return refuse("failed", `there is already a message ${id}`)
  if (state.entries.length >= maxEntries)
    return refuse("refused", `the queue is full: ${maxEntries} messages wait in it`)
  if (when.length > 0 && force) return refuse("invalid", "a message that goes at once cannot wait for something")
  const wrong = when.find((condition) => condition._tag === "At" && Number.isNaN(Date.parse(condition.at)))
  if (wrong !== undefined) return refuse("invalid", "the time at which it is to go cannot be read")
  const bad = images.find(
    (path) => path === "" || stripControls(path) !== path || path.includes("\n") || path.includes("\t")
  )
  if (bad !== undefined) return refuse("invalid", `the image's path cannot be typed: ${JSON.stringify(bad)}`)
  const clean = text.trim() === "" && images.length > 0 ? Result.succeed({ text: "", note: null }) : cleanText(text)
  if (Result.isFailure(clean)) return refuse("invalid", clean.failure)
  const queuedAt = DateTime.formatIso(DateTime.makeUnsafe(at))
  const message: QueuedMessage = {
    id,
    text: clean.success.text,
    images,
    queuedAt,
    status: "queued",
    force,
    why: null,
    ...(byAgent === undefined ? {} : { from: byAgent.from, hops: byAgent.hops }),
    ...(when.length === 0 ? {} : { when }),
    ...(night === undefined ? {} : { night })
  }
  const accepted = QueueRecord.cases.Accepted.make({ v: 1, at, message, front })
  const held = byAgent?.held ?? null
  return change([accepted, ...(held === null ? [] : [heldRecord(id, at, held)])], clean.success.note)
}

/** The waiting message of that id, or why it cannot be changed. */
const changeable = (state: QueueState, id: string): Result.Result<QueueEntry, QueueRefusal> => {
  const entry = find(state, id)
  if (entry === null) return Result.fail({ reason: "not-found", why: `there is no message ${id} in the queue` })
  const { status } = entry.message
  if (!inFlight(entry) && !isOver(status)) return Result.succeed(entry)
  const said = isOver(status)
    ? `${status === "removed" ? "has been removed" : `is ${status}`} already`
    : status === "submitted" || status === "started"
      ? "has been sent already"
      : "is being typed now"
  return Result.fail({
    reason: "refused",
    why: `message ${nameOf(entry.message)} ${said} and cannot be changed any more`
  })
}

/** Gives a waiting message another text. */
export const edit = (state: QueueState, id: string, text: string): Changed =>
  Result.flatMap(changeable(state, id), () => {
    const clean = cleanText(text)
    return Result.isFailure(clean)
      ? refuse("invalid", clean.failure)
      : change([QueueRecord.cases.Edited.make({ v: 1, id, text: clean.success.text })], clean.success.note)
  })

/** Puts a message at a place, counted from 1 among the waiting ones; beyond the end means last. */
export const move = (state: QueueState, id: string, position: number): Changed =>
  Result.flatMap(changeable(state, id), () => {
    if (!Number.isInteger(position) || position < 1)
      return refuse("invalid", `there is no position ${position}; they count from 1`)
    const others = waiting(state).filter((entry) => entry.message.id !== id)
    return change([QueueRecord.cases.Moved.make({ v: 1, id, before: others[position - 1]?.message.id ?? null })])
  })

/** Takes a waiting message out, or one whose turn failed. */
export const remove = (state: QueueState, id: string, at: number): Changed => {
  const removed = [QueueRecord.cases.Removed.make({ v: 1, at, id })]
  if (failedOf(state).some(({ message }) => message.id === id)) return resuming(removed, "one")
  return Result.flatMap(changeable(state, id), ({ message }) =>
    isFailed(message) ? resuming(removed, "one") : change(removed)
  )
}

/** Removes all waiting messages, and those whose turns failed; one in delivery continues. */
export const clear = (state: QueueState, at: number): QueueChange => {
  const ids = [...failedOf(state), ...waiting(state)].map((entry) => entry.message.id)
  const records = ids.length === 0 ? [] : [QueueRecord.cases.Cleared.make({ v: 1, at, ids })]
  return { records, note: null, resumes: "one" }
}

/** Makes a waiting message the next one, even a held one, without waiting for ready. */
export const force = (state: QueueState, id: string, at: number): Changed =>
  Result.flatMap(changeable(state, id), () => change([QueueRecord.cases.Forced.make({ v: 1, at, id })]))

/** Holds all waiting messages until they are released. */
export const holdAll = (state: QueueState, at: number, cause: MessageCause): QueueChange => ({
  records: waiting(state)
    .filter(({ message }) => message.status === "queued")
    .map(({ message: { id } }) => heldRecord(id, at, cause)),
  note: null
})

/** Holds a waiting message until it is released. */
export const hold = (state: QueueState, id: string, at: number, cause: MessageCause | DeliveryCause): Changed =>
  Result.flatMap(changeable(state, id), () => change([heldRecord(id, at, cause)]))

/**
 * Releases a held message, or all of them with `id` null, which also resumes an empty queue. A message that is not held
 * does not change.
 */
export const release = (state: QueueState, id: string | null, at: number): Changed => {
  const released = (id: string) => QueueRecord.cases.Released.make({ v: 1, at, id })
  const held = (entry: QueueEntry) => entry.message.status === "held"
  return id === null
    ? resuming(
        state.entries.filter(held).map((entry) => released(entry.message.id)),
        "all"
      )
    : Result.flatMap(changeable(state, id), (entry) => resuming(held(entry) ? [released(id)] : [], "one"))
}

/** Messages that are finished because their turns failed. */
const failedOf = ({ finished }: QueueState): ReadonlyArray<QueueEntry> =>
  finished.filter(({ message }) => isFailed(message))

/**
 * Whether a held message that did not fail itself stands behind one that did. One that a former host left over counts
 * too, since that host may have waited with it for the end of a limit, or of the turn that ended with it: what is
 * finished stands before all that wait.
 */
const isHeldBehind =
  (failed: ReadonlyArray<QueueEntry>) =>
  ({ message }: QueueEntry, at: number, all: ReadonlyArray<QueueEntry>): boolean =>
    message.status === "held" &&
    !isFailed(message) &&
    (message.cause?._tag === "BehindFailure" ||
      (message.cause?._tag === "LeftOver" &&
        (failed.length > 0 || all.slice(0, at).some(({ message }) => isFailed(message)))))

/**
 * Retries a message whose turn failed, or with `id` null all of them, with the messages held behind them; this also
 * resumes a queue without any.
 */
export const retry = (state: QueueState, id: string | null, at: number): Changed => {
  const retried = ({ message }: QueueEntry) => QueueRecord.cases.Retried.make({ v: 1, at, id: message.id })
  const failed = failedOf(state)
  const all = [...failed, ...waiting(state).filter(({ message }) => isFailed(message))]
  const behind = waiting(state)
    .filter(isHeldBehind(failed))
    .map(({ message }) => QueueRecord.cases.Released.make({ v: 1, at, id: message.id }))
  if (id === null) return resuming([...all.map(retried), ...behind], "all")
  const entry = find(state, id)
  if (entry === null) return refuse("not-found", `there is no message ${id} in the queue`)
  const { status } = entry.message
  const hint = status === "held" ? "; release lets it go out" : ""
  return all.includes(entry)
    ? resuming([retried(entry), ...behind], "all")
    : refuse("refused", `message ${nameOf(entry.message)} has not failed: it is ${status}${hint}`)
}
