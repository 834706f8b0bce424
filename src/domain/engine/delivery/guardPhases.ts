import { type Delivery, type DeliveryMove, record, stay } from "./DeliveryMemory.ts"
import { moved, type Transition, waitsAside } from "./Transition.ts"
import { heldRecord, type QueueChange, QueueRecord, waiting } from "../queue/Queue.ts"
import { goesByItself } from "../../words/session/states.ts"
import type { MessageCause } from "../../words/session/MessageCause.ts"
import { type HookGuard, overBudgetAt, type Unproven, unprovenAt } from "./HookGuard.ts"

/** The delivery with these facts; the memory itself if nothing has changed. */
export const guarded = (m: Delivery, unproven: Unproven | null): Delivery =>
  JSON.stringify(m.guard.unproven) === JSON.stringify(unproven) ? m : { ...m, guard: { ...m.guard, unproven } }

/** While the queue waits for the user, holds the messages that would be sent: surfaces show it. Releases them later. */
export const guardTransition = (m: Delivery): Transition | null => {
  const { guard } = m
  const unproven = unprovenAt(guard)
  const budget = overBudgetAt(guard)
  if (unproven === null && budget === null)
    return guard.keptBack.length === 0 ? null : moved(released({ ...m, guard: { ...guard, keptBack: [] } }, guard))
  if (unproven !== null && unproven.unwired === null) return waitsAside(m, "an event of its CLI's hooks")
  // The next day brings room by itself, so no message is held for the user.
  if (unproven === null && budget !== null && budget.until !== null) return waitsAside(m, "room in a budget")
  const ids = waiting(m.queue)
    .filter(({ message }) => goesByItself(message))
    .map(({ message }) => message.id)
  if (ids.length === 0) return null
  const off = unproven?.unwired?._tag === "SwitchedOff" ? unproven.unwired.by : []
  const cause: MessageCause =
    unproven === null ? { _tag: "OverBudget", of: budget?.over?.of ?? null } : { _tag: "NotWired", off }
  return moved(
    record(
      { ...m, guard: { ...guard, keptBack: [...guard.keptBack, ...ids] } },
      ids.map((id) => heldRecord(id, m.evidence.at, cause))
    )
  )
}

const released = (m: Delivery, { keptBack }: HookGuard): DeliveryMove => {
  const records = waiting(m.queue)
    .filter(({ message }) => message.status === "held" && keptBack.includes(message.id))
    .map(({ message }) => QueueRecord.cases.Released.make({ v: 1, at: m.evidence.at, id: message.id }))
  return records.length === 0 ? stay(m) : record(m, records)
}

/** The effect of the user's operation: messages may be sent; with `all` also those that are held for this reason. */
export const guardSeenTo = (m: Delivery, resumes: QueueChange["resumes"]): Delivery =>
  resumes === undefined || ((unprovenAt(m.guard)?.unwired ?? null) === null && overBudgetAt(m.guard) === null)
    ? m
    : {
        ...m,
        guard: { ...m.guard, wordAt: m.evidence.at, keptBack: resumes === "all" ? m.guard.keptBack : [] }
      }
