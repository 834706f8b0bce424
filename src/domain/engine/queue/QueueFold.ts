import type { Condition, MessageStatus, QueuedMessage } from "../../words/session/Message.ts"
import { isFailed } from "../../words/session/failedMessage.ts"
import { lostWords } from "../../words/wording/lostWords.ts"
import type { QueueEntry, QueueRecord, QueueState } from "./QueueRecord.ts"

export { isFailed } from "../../words/session/failedMessage.ts"

/** The number of finished messages whose receipts are stored, and of those with failed turns not yet handled. */
export const historyLength = 50
const failedLength = 1_000

export const emptyQueue: QueueState = { entries: [], finished: [] }

/** It is being typed, or was sent and its turn is not over. */
export const inFlight = ({ attempting, message }: QueueEntry): boolean =>
  attempting || message.status === "typed" || message.status === "submitted" || message.status === "started"
/** The message is finished. Only a retry, or a late report that its turn failed, puts it back into the queue. */
export const isOver = (status: MessageStatus): boolean =>
  status === "done" || status === "failed" || status === "removed"

/** Messages that the user may still change: queued and held ones, in order. */
export const waiting = (state: QueueState): ReadonlyArray<QueueEntry> =>
  state.entries.filter((entry) => !inFlight(entry))

/** The receipt of a message, finished ones included while they are remembered. */
export const find = (state: QueueState, id: string): QueueEntry | null =>
  [...state.entries, ...state.finished].find((entry) => entry.message.id === id) ?? null

/** The queue as clients see it: messages whose turns failed, until somebody handles them, and all unfinished ones. */
export const listed = ({ entries, finished }: QueueState): ReadonlyArray<QueueEntry> => [
  ...finished.filter(({ message }) => isFailed(message)),
  ...entries
]

export const messages = (state: QueueState): ReadonlyArray<QueuedMessage> => listed(state).map(({ message }) => message)

/** The last finished messages whose turns did not fail, oldest first. */
export const recent = ({ finished }: QueueState): ReadonlyArray<QueueEntry> =>
  finished.filter(({ message }) => !isFailed(message))

const finish = (state: QueueState, entry: QueueEntry): QueueState => ({
  entries: state.entries.filter((other) => other.message.id !== entry.message.id),
  finished: remembered([...state.finished, entry])
})

/** The last finished messages with failed turns, and the last others, in their order. */
const remembered = (finished: ReadonlyArray<QueueEntry>): ReadonlyArray<QueueEntry> => {
  if (finished.length <= historyLength) return finished
  const failed = finished.filter(({ message }) => isFailed(message)).slice(-failedLength)
  const others = finished.filter(({ message }) => !isFailed(message)).slice(-historyLength)
  const kept = new Set([...failed, ...others])
  return finished.filter((entry) => kept.has(entry))
}

const place = (entries: ReadonlyArray<QueueEntry>, index: number, entry: QueueEntry) =>
  index < 0 ? [...entries, entry] : entries.toSpliced(index, 0, entry)

/** Before all waiting messages, except those that do not wait for ready. */
const firstPlace = (entries: ReadonlyArray<QueueEntry>): number =>
  entries.findIndex((other) => !inFlight(other) && !(other.message.force && other.message.status === "queued"))

const update = (state: QueueState, id: string, change: (entry: QueueEntry) => QueueEntry): QueueState => ({
  ...state,
  entries: state.entries.map((entry) => (entry.message.id === id ? change(entry) : entry))
})

/** The message with these conditions alone. */
const waitingFor = (message: QueuedMessage, when: ReadonlyArray<Condition>): QueuedMessage => {
  if (when.length > 0) return { ...message, when }
  const { when: _, ...others } = message
  return others
}

/** The message with this reason from now on; the earlier reason is over. */
const telling = (message: QueuedMessage, { cause, why }: Pick<QueuedMessage, "cause" | "why">): QueuedMessage => {
  if (cause !== undefined) return { ...message, why, cause }
  const { cause: _, ...others } = message
  return { ...others, why }
}

const untold = { why: null }

const withoutOutcome = (message: QueuedMessage): QueuedMessage => {
  if (message.outcome === undefined) return message
  const { outcome: _, ...others } = message
  return others
}

/** Puts a sent message, even a finished one, before all unsent ones; sent ones stand in the order of their attempts. */
const putBack = (
  state: QueueState,
  id: string,
  told: Pick<QueuedMessage, "cause" | "outcome" | "why"> & { readonly at: number }
): QueueState => {
  const { at, outcome } = told
  const entry = find(state, id)
  if (entry === null) return state
  const others = state.entries.filter(({ message }) => message.id !== id)
  const message = {
    ...telling(withoutOutcome(entry.message), told),
    status: "queued" as const,
    force: false,
    ...(outcome === undefined ? {} : { outcome })
  }
  const sentAt = entry.attemptedAt ?? -Infinity
  const before = others.findIndex((other) => !inFlight(other) && (other.attemptedAt ?? Infinity) > sentAt)
  return {
    entries: place(others, before, { ...entry, message, at, attempting: false, attempts: 0 }),
    finished: state.finished.filter(({ message }) => message.id !== id)
  }
}

// A removed message stays for those who wait for its receipt, and for the list, until compaction drops it.
const drop = (state: QueueState, id: string, at: number): QueueState => {
  const entry = find(state, id)
  if (entry === null || (isOver(entry.message.status) && !isFailed(entry.message))) return state
  const told = isFailed(entry.message) ? entry.message : { why: lostWords.removed }
  const others = { ...state, finished: state.finished.filter((other) => other.message.id !== id) }
  return finish(others, { ...entry, at, message: { ...telling(entry.message, told), status: "removed" } })
}

/** How the turn of a done message ended, if the CLI reported it late. */
const restateEnding = (
  { entries, finished }: QueueState,
  record: Extract<QueueRecord, { _tag: "StatusChanged" }>
): QueueState => ({
  entries,
  finished: finished.map((entry) =>
    entry.message.id !== record.id || entry.message.status !== "done" || record.outcome === undefined
      ? entry
      : { ...entry, message: { ...telling(entry.message, record), outcome: record.outcome } }
  )
})

/**
 * The queue after one record. Total: a record about an unknown message changes nothing, and neither does a second
 * `Accepted`.
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
      // While in delivery it stands before all waiting messages, even held ones: after a retreat it is the next.
      const others = state.entries.filter((other) => other !== entry)
      const started = {
        ...entry,
        message: withoutOutcome(entry.message),
        attempting: true,
        at: record.at,
        attemptedAt: record.at
      }
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
      if (record.outcome !== undefined) return putBack(state, record.id, record)
      return update(state, record.id, (entry) => ({
        message: { ...telling(entry.message, record), status: "queued" },
        attempting: false,
        attempts: entry.attempts + (record.counted ? 1 : 0),
        at: record.at
      }))
    case "Retried":
      return putBack(state, record.id, { at: record.at, ...untold })
    case "Released":
      return update(state, record.id, (entry) => ({
        // Released after a while, it waits for ready like any other: the reason for "force" is gone.
        message: { ...telling(withoutOutcome(entry.message), untold), status: "queued", force: false },
        attempting: false,
        attempts: 0,
        at: record.at
      }))
    case "Forced": {
      const entry = state.entries.find((entry) => entry.message.id === record.id)
      if (entry === undefined) return state
      const message = { ...telling(waitingFor(entry.message, []), untold), status: "queued" as const, force: true }
      const others = state.entries.filter((other) => other !== entry)
      const forced = { ...entry, message, attempting: false, attempts: 0, at: record.at }
      return { ...state, entries: place(others, firstPlace(others), forced) }
    }
    case "Conditioned":
      return update(state, record.id, (entry) => ({ ...entry, message: waitingFor(entry.message, record.when) }))
    case "StatusChanged": {
      const entry = state.entries.find((entry) => entry.message.id === record.id)
      if (entry === undefined && record.status === "held" && find(state, record.id) !== null)
        return applyRecord(putBack(state, record.id, record), record)
      if (entry === undefined) return record.status === "done" ? restateEnding(state, record) : state
      const changed = {
        ...entry,
        attempting: false,
        at: record.at,
        message: {
          ...telling(entry.message, record),
          status: record.status,
          ...(record.outcome === undefined ? {} : { outcome: record.outcome })
        }
      }
      return isOver(record.status) ? finish(state, changed) : update(state, record.id, () => changed)
    }
    case "Kept":
      if (find(state, record.entry.message.id) !== null) return state
      return isOver(record.entry.message.status)
        ? finish(state, record.entry)
        : { ...state, entries: [...state.entries, record.entry] }
    case "Restated":
      return { entries: record.entries, finished: record.finished }
  }
}

/** The queue that a log describes. */
export const replayLog = (records: ReadonlyArray<QueueRecord>, state: QueueState = emptyQueue): QueueState =>
  records.reduce(applyRecord, state)
