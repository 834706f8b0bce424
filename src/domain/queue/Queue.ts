import type { RefusalReason } from "../session/Refusal.ts"
import { DateTime, Result, Schema, Struct } from "effect"
import { Condition, QueuedMessage, type MessageStatus, TurnOutcome } from "../session/Message.ts"
import { messageNamed, nameOf } from "./MessageName.ts"
import type { QueueRefusal } from "./QueueRefusal.ts"
import { cleanText, stripControls } from "./MessageText.ts"

const v = Schema.Literal(1)
const id = Schema.String
const at = Schema.Finite
const why = Schema.NullOr(Schema.String)

/** Messages that may wait at once. */
export const maxEntries = 1_000
/** Finished messages whose receipts are kept. */
export const historyLength = 50

/** A message and how far its delivery is. `at`: milliseconds since the epoch of its last change of status. */
export const QueueEntry = Schema.Struct({
  message: QueuedMessage,
  /** Attempts to type it that came to nothing. */
  attempts: Schema.Int,
  /** Its bytes may be on their way: recorded before the first one is written. */
  attempting: Schema.Boolean,
  at,
  /** When the last attempt began. */
  attemptedAt: Schema.optionalKey(at)
})
export type QueueEntry = typeof QueueEntry.Type

/** One line of the queue's log: what happened to a message. `v` is the version of the format. */
export const QueueRecord = Schema.TaggedUnion({
  Accepted: { v, at, message: QueuedMessage, front: Schema.Boolean },
  Edited: { v, id, text: Schema.String },
  /** Now stands before that message, or last. */
  Moved: { v, id, before: Schema.NullOr(id) },
  Removed: { v, at, id },
  Cleared: { v, at, ids: Schema.Array(id) },
  /** The next byte written may be the message's. */
  Attempted: { v, at, id },
  /** Taken back, unsent. `counted`: the attempt failed by itself. */
  Requeued: { v, at, id, counted: Schema.Boolean, why },
  /** The user's word that a held message may go out. */
  Released: { v, at, id },
  /** The user's word that a message that waits goes next, without waiting for ready. */
  Forced: { v, at, id },
  /** What it still waits for; none: it waits for its turn alone. */
  Conditioned: { v, at, id, when: Schema.Array(Condition) },
  StatusChanged: {
    v,
    at,
    id,
    status: Schema.Literals(["held", "typed", "submitted", "started", "done", "failed"]),
    why,
    outcome: Schema.optionalKey(TurnOutcome)
  },
  /** A message as compaction found it. */
  Kept: { v, entry: QueueEntry },
  /** The whole queue, said again after the log could not be written for a while. */
  Restated: { v, entries: Schema.Array(QueueEntry), finished: Schema.Array(QueueEntry) }
})
export type QueueRecord = typeof QueueRecord.Type

/**
 * Messages not finished, in the order in which they go out (those under way first), and the last finished ones, oldest
 * first.
 */
export interface QueueState {
  readonly entries: ReadonlyArray<QueueEntry>
  readonly finished: ReadonlyArray<QueueEntry>
}

export const emptyQueue: QueueState = { entries: [], finished: [] }

export type { QueueRefusal } from "./QueueRefusal.ts"

/** Records that carry an operation out once they are durable, and what the user should know of it. */
export interface QueueChange {
  readonly records: ReadonlyArray<QueueRecord>
  readonly note: string | null
}
type Changed = Result.Result<QueueChange, QueueRefusal>

const inFlight = ({ attempting, message }: QueueEntry) =>
  attempting || message.status === "typed" || message.status === "submitted" || message.status === "started"
const finishedStatus = (status: MessageStatus) => status === "done" || status === "failed" || status === "removed"

/** Messages that the user may still change: queued and held ones, in order. */
export const waiting = (state: QueueState): ReadonlyArray<QueueEntry> =>
  state.entries.filter((entry) => !inFlight(entry))

/** The message that goes out next; held ones wait for the user's word, others for what they have as a condition. */
export const next = (state: QueueState): QueueEntry | null =>
  state.entries.find(
    (entry) => !inFlight(entry) && entry.message.status === "queued" && entry.message.when === undefined
  ) ?? null

/** The receipt of a message, finished ones included while they are remembered. */
export const find = (state: QueueState, id: string): QueueEntry | null =>
  [...state.entries, ...state.finished].find((entry) => entry.message.id === id) ?? null

/** Messages not finished, as clients see them. */
export const messages = (state: QueueState): ReadonlyArray<QueuedMessage> => state.entries.map((entry) => entry.message)

/** The id of the message that a word of the user's means; of one that is finished too, so that it can be told so. */
export const idNamed = (state: QueueState, given: string): Result.Result<string, QueueRefusal> => {
  const waits = messageNamed(messages(state), given)
  if (Result.isSuccess(waits) || waits.failure.reason !== "not-found") return Result.map(waits, ({ id }) => id)
  const over = messageNamed(
    state.finished.map(({ message }) => message),
    given
  )
  return Result.isSuccess(over) ? Result.succeed(over.success.id) : Result.fail(waits.failure)
}

const finish = (state: QueueState, entry: QueueEntry): QueueState => ({
  entries: state.entries.filter((other) => other.message.id !== entry.message.id),
  finished: [...state.finished, entry].slice(-historyLength)
})

const place = (entries: ReadonlyArray<QueueEntry>, index: number, entry: QueueEntry) =>
  index < 0 ? [...entries, entry] : entries.toSpliced(index, 0, entry)

/** Before all that wait, but for those that go without waiting for ready. */
const firstPlace = (entries: ReadonlyArray<QueueEntry>): number =>
  entries.findIndex((other) => !inFlight(other) && !(other.message.force && other.message.status === "queued"))

const update = (state: QueueState, id: string, change: (entry: QueueEntry) => QueueEntry): QueueState => ({
  ...state,
  entries: state.entries.map((entry) => (entry.message.id === id ? change(entry) : entry))
})

/** The message with these conditions alone. */
const waitingFor = (message: QueuedMessage, when: ReadonlyArray<Condition>): QueuedMessage =>
  when.length > 0 ? { ...message, when } : Struct.omit(message, ["when"])

// Kept for whoever waits for its receipt, and for the list; compaction forgets it.
const drop = (state: QueueState, id: string, at: number): QueueState => {
  const entry = state.entries.find((entry) => entry.message.id === id)
  return entry === undefined
    ? state
    : finish(state, {
        ...entry,
        at,
        message: { ...entry.message, status: "removed", why: "removed from the queue before it was sent" }
      })
}

/** How the turn of a message that is done ended, where the CLI told it late. */
const restateEnding = (
  { entries, finished }: QueueState,
  { id, outcome, why }: Extract<QueueRecord, { _tag: "StatusChanged" }>
): QueueState => ({
  entries,
  finished: finished.map((entry) =>
    entry.message.id !== id || entry.message.status !== "done" || outcome === undefined
      ? entry
      : { ...entry, message: { ...entry.message, why, outcome } }
  )
})

/**
 * What one record makes of the queue. Total: a record about an unknown message changes nothing, a second `Accepted`
 * neither.
 */
export const applyRecord = (state: QueueState, record: QueueRecord): QueueState => {
  switch (record._tag) {
    case "Accepted": {
      if (find(state, record.message.id) !== null) return state
      const entry = { message: record.message, attempts: 0, attempting: false, at: record.at }
      const ahead = record.front || record.message.force
      return { ...state, entries: place(state.entries, ahead ? firstPlace(state.entries) : -1, entry) }
    }
    case "Edited":
      return update(state, record.id, (entry) => ({ ...entry, message: { ...entry.message, text: record.text } }))
    case "Moved": {
      const entry = state.entries.find((entry) => entry.message.id === record.id)
      if (entry === undefined) return state
      const others = state.entries.filter((other) => other !== entry)
      const index = others.findIndex((other) => other.message.id === record.before)
      return { ...state, entries: place(others, index, entry) }
    }
    case "Removed":
      return drop(state, record.id, record.at)
    case "Cleared":
      return record.ids.reduce((state, id) => drop(state, id, record.at), state)
    case "Attempted": {
      const entry = state.entries.find((entry) => entry.message.id === record.id)
      if (entry === undefined) return state
      // Under way, it stands before all that wait, held ones too: taken back, it is the next again.
      const others = state.entries.filter((other) => other !== entry)
      const started = { ...entry, attempting: true, at: record.at, attemptedAt: record.at }
      return {
        ...state,
        entries: place(
          others,
          others.findIndex((other) => !inFlight(other)),
          started
        )
      }
    }
    case "Requeued":
      return update(state, record.id, (entry) => ({
        message: { ...entry.message, status: "queued", why: record.why },
        attempting: false,
        attempts: entry.attempts + (record.counted ? 1 : 0),
        at: record.at
      }))
    case "Released":
      return update(state, record.id, (entry) => ({
        // Let go after a while, it waits for ready like any other: what "force" was for has passed.
        message: { ...entry.message, status: "queued", force: false, why: null },
        attempting: false,
        attempts: 0,
        at: record.at
      }))
    case "Forced": {
      const entry = state.entries.find((entry) => entry.message.id === record.id)
      if (entry === undefined) return state
      const message = { ...waitingFor(entry.message, []), status: "queued" as const, force: true, why: null }
      const others = state.entries.filter((other) => other !== entry)
      const forced = { ...entry, message, attempting: false, attempts: 0, at: record.at }
      return { ...state, entries: place(others, firstPlace(others), forced) }
    }
    case "Conditioned":
      return update(state, record.id, (entry) => ({ ...entry, message: waitingFor(entry.message, record.when) }))
    case "StatusChanged": {
      const entry = state.entries.find((entry) => entry.message.id === record.id)
      if (entry === undefined) return record.status === "done" ? restateEnding(state, record) : state
      const changed = {
        ...entry,
        attempting: false,
        at: record.at,
        message: {
          ...entry.message,
          status: record.status,
          why: record.why,
          ...(record.outcome === undefined ? {} : { outcome: record.outcome })
        }
      }
      return finishedStatus(record.status) ? finish(state, changed) : update(state, record.id, () => changed)
    }
    case "Kept":
      if (find(state, record.entry.message.id) !== null) return state
      return finishedStatus(record.entry.message.status)
        ? finish(state, record.entry)
        : { ...state, entries: [...state.entries, record.entry] }
    case "Restated":
      return { entries: record.entries, finished: record.finished }
  }
}

/** The queue that a log tells of. */
export const replayLog = (records: ReadonlyArray<QueueRecord>, state: QueueState = emptyQueue): QueueState =>
  records.reduce(applyRecord, state)

/** The record that makes a log tell of this queue, whatever it told before. */
export const restate = ({ entries, finished }: QueueState): QueueRecord =>
  QueueRecord.cases.Restated.make({ v: 1, entries, finished })

/** The shortest log that tells of this queue, but for what was taken out: that text does not outlive its host. */
export const compact = ({ entries, finished }: QueueState): ReadonlyArray<QueueRecord> =>
  [...finished.filter(({ message }) => message.status !== "removed"), ...entries].map((entry) =>
    QueueRecord.cases.Kept.make({ v: 1, entry })
  )

const change = (records: ReadonlyArray<QueueRecord>, note: string | null = null): Changed =>
  Result.succeed({ records, note })
const refuse = (reason: RefusalReason, why: string): Changed => Result.fail({ why, reason })

/** What the caller says of a new message. `id` is unique, `at` is now. */
export interface NewMessage {
  readonly id: string
  readonly at: number
  readonly text: string
  readonly images: ReadonlyArray<string>
  readonly front: boolean
  readonly force: boolean
  readonly when?: ReadonlyArray<Condition>
  readonly night?: true
  /** The agent that wrote it, and why it is kept back until the user releases it; null for not. */
  readonly letter?: { readonly from: string; readonly hops: number; readonly held: string | null }
}

/** Accepts a message: last, before all that wait (`front`), or next without waiting for ready (`force`). */
export const add = (
  state: QueueState,
  { at, force, front, id, images, letter, night, text, when = [] }: NewMessage
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
    ...(letter === undefined ? {} : { from: letter.from, hops: letter.hops }),
    ...(when.length === 0 ? {} : { when }),
    ...(night === undefined ? {} : { night })
  }
  const accepted = QueueRecord.cases.Accepted.make({ v: 1, at, message, front })
  const why = letter?.held ?? null
  const held = why === null ? [] : [QueueRecord.cases.StatusChanged.make({ v: 1, at, id, status: "held", why })]
  return change([accepted, ...held], clean.success.note)
}

/** The waiting message of that id, or why it cannot be changed. */
const changeable = (state: QueueState, id: string): Result.Result<QueueEntry, QueueRefusal> => {
  const entry = find(state, id)
  if (entry === null) return Result.fail({ reason: "not-found", why: `there is no message ${id} in the queue` })
  const { status } = entry.message
  if (!inFlight(entry) && !finishedStatus(status)) return Result.succeed(entry)
  const said = finishedStatus(status)
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

/** Takes a waiting message out. */
export const remove = (state: QueueState, id: string, at: number): Changed =>
  Result.flatMap(changeable(state, id), () => change([QueueRecord.cases.Removed.make({ v: 1, at, id })]))

/** Takes all waiting messages out; one that is being typed goes its way. */
export const clear = (state: QueueState, at: number): QueueChange => {
  const ids = waiting(state).map((entry) => entry.message.id)
  return { records: ids.length === 0 ? [] : [QueueRecord.cases.Cleared.make({ v: 1, at, ids })], note: null }
}

/** Lets a waiting message go next, without waiting for ready; a held one too. */
export const force = (state: QueueState, id: string, at: number): Changed =>
  Result.flatMap(changeable(state, id), () => change([QueueRecord.cases.Forced.make({ v: 1, at, id })]))

/** Why a message is held that the user holds. */
export const heldByUser = "you held it"

/** Keeps all that wait back until they are released. */
export const holdAll = (state: QueueState, at: number, why: string): QueueChange => ({
  records: waiting(state)
    .filter(({ message }) => message.status === "queued")
    .map(({ message: { id } }) => QueueRecord.cases.StatusChanged.make({ v: 1, at, id, status: "held", why })),
  note: null
})

/** Keeps a waiting message back until it is released. */
export const hold = (state: QueueState, id: string, at: number, why: string): Changed =>
  Result.flatMap(changeable(state, id), () =>
    change([QueueRecord.cases.StatusChanged.make({ v: 1, at, id, status: "held", why })])
  )

/** Lets a held message go out, or all of them with `id` null. A message that is not held stays as it is. */
export const release = (state: QueueState, id: string | null, at: number): Changed => {
  const released = (id: string) => QueueRecord.cases.Released.make({ v: 1, at, id })
  const held = (entry: QueueEntry) => entry.message.status === "held"
  return id === null
    ? change(state.entries.filter(held).map((entry) => released(entry.message.id)))
    : Result.flatMap(changeable(state, id), (entry) => change(held(entry) ? [released(id)] : []))
}
