import { Result } from "effect"
import * as Queue from "../../../src/domain/engine/queue/Queue.ts"

/** An operation that must have been allowed: its records. */
export const allowed = (
  change: Result.Result<Queue.QueueChange, Queue.QueueRefusal>
): ReadonlyArray<Queue.QueueRecord> => {
  if (Result.isFailure(change)) throw new Error(`refused: ${change.failure.why}`)
  return change.success.records
}

/** The record of a message's acceptance. */
export const accepted = (id: string, text = `text of ${id}`): Queue.QueueRecord => {
  const [record] = allowed(Queue.add(Queue.emptyQueue, { id, at: 1_000, text, images: [], front: false, force: false }))
  if (record === undefined) throw new Error("nothing was recorded")
  return record
}

/** A queue of messages, by ids. */
export const queueOf = (...ids: ReadonlyArray<string>): Queue.QueueState =>
  Queue.replayLog(ids.map((id) => accepted(id)))

/** Ids in the order in which messages go out. */
export const order = (state: Queue.QueueState): ReadonlyArray<string> => state.entries.map((entry) => entry.message.id)
