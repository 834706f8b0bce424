import { DateTime, Result, Schema } from "effect"
import { QueuedMessage, type MessageStatus } from "./Message.ts"
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
  StatusChanged: { v, at, id, status: Schema.Literals(["held", "typed", "submitted", "started", "done", "failed"]), why },
  /** A message as compaction found it. */
  Kept: { v, entry: QueueEntry },
  /** The whole queue, said again after the log could not be written for a while. */
  Restated: { v, entries: Schema.Array(QueueEntry), finished: Schema.Array(QueueEntry) }
})
export type QueueRecord = typeof QueueRecord.Type

/** Messages not finished, in the order in which they go out (those under way first), and the last finished ones, oldest first. */
export interface QueueState {
  readonly entries: ReadonlyArray<QueueEntry>
  readonly finished: ReadonlyArray<QueueEntry>
}

export const emptyQueue: QueueState = { entries: [], finished: [] }

/** Why an operation was refused, with the client's exit code. */
export interface QueueRefusal {
  readonly why: string
  readonly exitCode: 1 | 2 | 3 | 5
}

/** Records that carry an operation out once they are durable, and what the user should know of it. */
export interface QueueChange {
  readonly records: ReadonlyArray<QueueRecord>
  readonly note: string | null
}
type Changed = Result.Result<QueueChange, QueueRefusal>

const inFlight = ({ attempting, message }: QueueEntry) =>
  attempting || message.status === "typed" || message.status === "submitted" || message.status === "started"
const finishedStatus = (status: MessageStatus) => status === "done" || status === "failed"

/** Messages that the user may still change: queued and held ones, in order. */
export const waiting = (state: QueueState): ReadonlyArray<QueueEntry> => state.entries.filter((entry) => !inFlight(entry))

/** The message that goes out next; held ones wait for the user's word. */
export const next = (state: QueueState): QueueEntry | null =>
  state.entries.find((entry) => !inFlight(entry) && entry.message.status === "queued") ?? null

/** The receipt of a message, finished ones included while they are remembered. */
export const find = (state: QueueState, id: string): QueueEntry | null =>
  [...state.entries, ...state.finished].find((entry) => entry.message.id === id) ?? null

/**
 * The id that a user means: an id, the beginning of exactly one (four characters or more), or a position in the list
 * of messages not finished, counted from 1. What is none of these is given back as it is.
 */
export const idLike = (state: QueueState, given: string): string => {
  if (find(state, given) !== null) return given
  if (/^[1-9]\d{0,2}$/.test(given)) return state.entries[Number(given) - 1]?.message.id ?? given
  const found = given.length < 4 ? [] : state.entries.filter(({ message }) => message.id.startsWith(given.toUpperCase()))
  return found.length === 1 ? found[0]!.message.id : given
}

/** Messages not finished, as clients see them. */
export const messages = (state: QueueState): ReadonlyArray<QueuedMessage> => state.entries.map((entry) => entry.message)

const finish = (state: QueueState, entry: QueueEntry): QueueState => ({
  entries: state.entries.filter((other) => other.message.id !== entry.message.id),
  finished: [...state.finished, entry].slice(-historyLength)
})

const place = (entries: ReadonlyArray<QueueEntry>, index: number, entry: QueueEntry) =>
  index < 0 ? [...entries, entry] : entries.toSpliced(index, 0, entry)

const update = (state: QueueState, id: string, change: (entry: QueueEntry) => QueueEntry): QueueState => ({
  ...state,
  entries: state.entries.map((entry) => entry.message.id === id ? change(entry) : entry)
})

// A removed text is forgotten; that it was removed is kept for whoever waits for its receipt.
const drop = (state: QueueState, id: string, at: number): QueueState => {
  const entry = state.entries.find((entry) => entry.message.id === id)
  return entry === undefined ? state : finish(state, {
    ...entry,
    at,
    message: { ...entry.message, text: "", images: [], status: "failed", why: "removed from the queue before it was sent" }
  })
}

/** What one record makes of the queue. Total: a record about an unknown message changes nothing, a second `Accepted` neither. */
export const applyRecord = (state: QueueState, record: QueueRecord): QueueState => {
  switch (record._tag) {
    case "Accepted": {
      if (find(state, record.message.id) !== null) return state
      const entry = { message: record.message, attempts: 0, attempting: false, at: record.at }
      const ahead = record.front || record.message.force
      const goesFirst = ({ message }: QueueEntry) => message.force && message.status === "queued"
      const index = ahead ? state.entries.findIndex((other) => !inFlight(other) && !goesFirst(other)) : -1
      return { ...state, entries: place(state.entries, index, entry) }
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
      return { ...state, entries: place(others, others.findIndex((other) => !inFlight(other)), started) }
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
    case "StatusChanged": {
      const entry = state.entries.find((entry) => entry.message.id === record.id)
      if (entry === undefined) return state
      const changed = {
        ...entry,
        attempting: false,
        at: record.at,
        message: { ...entry.message, status: record.status, why: record.why }
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

/** The shortest log that tells of this queue. */
export const compact = (state: QueueState): ReadonlyArray<QueueRecord> =>
  [...state.finished, ...state.entries].map((entry) => QueueRecord.cases.Kept.make({ v: 1, entry }))

const change = (records: ReadonlyArray<QueueRecord>, note: string | null = null): Changed =>
  Result.succeed({ records, note })
const refuse = (exitCode: 1 | 2 | 3 | 5, why: string): Changed => Result.fail({ why, exitCode })

/** What the caller says of a new message. `id` is unique, `at` is now. */
export interface NewMessage {
  readonly id: string
  readonly at: number
  readonly text: string
  readonly images: ReadonlyArray<string>
  readonly front: boolean
  readonly force: boolean
}

/** Accepts a message: last, before all that wait (`front`), or next without waiting for ready (`force`). */
export const add = (state: QueueState, { at, force, front, id, images, text }: NewMessage): Changed => {
  if (find(state, id) !== null) return refuse(1, `there is already a message ${id}`)
  if (state.entries.length >= maxEntries) return refuse(5, `the queue is full: ${maxEntries} messages wait in it`)
  const bad = images.find((path) => path === "" || stripControls(path) !== path || path.includes("\n") || path.includes("\t"))
  if (bad !== undefined) return refuse(2, `the image's path cannot be typed: ${JSON.stringify(bad)}`)
  const clean = text.trim() === "" && images.length > 0 ? Result.succeed({ text: "", note: null }) : cleanText(text)
  if (Result.isFailure(clean)) return refuse(2, clean.failure)
  const queuedAt = DateTime.formatIso(DateTime.makeUnsafe(at))
  const message = { id, text: clean.success.text, images, queuedAt, status: "queued" as const, force, why: null }
  return change([QueueRecord.cases.Accepted.make({ v: 1, at, message, front })], clean.success.note)
}

/** The waiting message of that id, or why it cannot be changed. */
const changeable = (state: QueueState, id: string): Result.Result<QueueEntry, QueueRefusal> => {
  const entry = find(state, id)
  if (entry === null) return Result.fail({ exitCode: 3, why: `there is no message ${id} in the queue` })
  const { status } = entry.message
  if (!inFlight(entry) && !finishedStatus(status)) return Result.succeed(entry)
  const said = finishedStatus(status)
    ? `is ${status} already`
    : status === "submitted" || status === "started"
    ? "has been sent already"
    : "is being typed now"
  return Result.fail({ exitCode: 5, why: `message ${id} ${said} and cannot be changed any more` })
}

/** Gives a waiting message another text. */
export const edit = (state: QueueState, id: string, text: string): Changed =>
  Result.flatMap(changeable(state, id), () => {
    const clean = cleanText(text)
    return Result.isFailure(clean)
      ? refuse(2, clean.failure)
      : change([QueueRecord.cases.Edited.make({ v: 1, id, text: clean.success.text })], clean.success.note)
  })

/** Puts a message at a place, counted from 1 among the waiting ones; beyond the end means last. */
export const move = (state: QueueState, id: string, position: number): Changed =>
  Result.flatMap(changeable(state, id), () => {
    if (!Number.isInteger(position) || position < 1) return refuse(2, `there is no position ${position}; they count from 1`)
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

/** Keeps a waiting message back until it is released. */
export const hold = (state: QueueState, id: string, at: number, why: string): Changed =>
  Result.flatMap(changeable(state, id), () =>
    change([QueueRecord.cases.StatusChanged.make({ v: 1, at, id, status: "held", why })]))

/** Lets a held message go out, or all of them with `id` null. A message that is not held stays as it is. */
export const release = (state: QueueState, id: string | null, at: number): Changed => {
  const released = (id: string) => QueueRecord.cases.Released.make({ v: 1, at, id })
  const held = (entry: QueueEntry) => entry.message.status === "held"
  return id === null
    ? change(state.entries.filter(held).map((entry) => released(entry.message.id)))
    : Result.flatMap(changeable(state, id), (entry) => change(held(entry) ? [released(id)] : []))
}

/**
 * What a host records before anything else when it starts on a queue that a former host left: nothing of it goes out
 * unasked, and what was under way is said to be in doubt.
 */
export const recover = (state: QueueState, at: number): ReadonlyArray<QueueRecord> =>
  state.entries.flatMap(({ attempting, message }) => {
    const mark = (status: "held" | "failed", why: string) =>
      [QueueRecord.cases.StatusChanged.make({ v: 1, at, id: message.id, status, why })]
    if (message.status === "started") return mark("failed", "leap ended during its turn, and how that turn ended was not seen")
    if (message.status === "submitted") return mark("held", "it was sent just before leap ended; whether its turn began was not seen")
    if (attempting || message.status === "typed") return mark("held", "leap ended while it was being typed; it may have been sent")
    return message.status === "queued" ? mark("held", "left over from an earlier run") : []
  })
