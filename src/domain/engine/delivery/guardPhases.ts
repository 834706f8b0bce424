import { type Delivery, type DeliveryMove, record, stay } from "./DeliveryMemory.ts"
import { moved, type Verdict, waitsAside } from "./Verdict.ts"
import { heldRecord, type QueueChange, QueueRecord, waiting } from "../queue/Queue.ts"
import { goesByItself } from "../../words/session/states.ts"
import { type HookGuard, type Unproven, unprovenAt } from "./HookGuard.ts"

/** The delivery, knowing that; the memory itself where nothing is new. */
export const guarded = (m: Delivery, unproven: Unproven | null): Delivery =>
  JSON.stringify(m.guard.unproven) === JSON.stringify(unproven) ? m : { ...m, guard: { ...m.guard, unproven } }

/** Holds what would go out while the user's word is waited for, so that every surface says so, and lets it go after. */
export const guardTransition = (m: Delivery): Verdict | null => {
  const { guard } = m
  const unproven = unprovenAt(guard)
  if (unproven === null)
    return guard.keptBack.length === 0 ? null : moved(released({ ...m, guard: { ...guard, keptBack: [] } }, guard))
  if (unproven.unwired === null) return waitsAside(m, "an event of its CLI's hooks")
  const ids = waiting(m.queue)
    .filter(({ message }) => goesByItself(message))
    .map(({ message }) => message.id)
  if (ids.length === 0) return null
  const off = unproven.unwired._tag === "SwitchedOff" ? unproven.unwired.by : []
  return moved(
    record(
      { ...m, guard: { ...guard, keptBack: [...guard.keptBack, ...ids] } },
      ids.map((id) => heldRecord(id, m.evidence.at, { _tag: "NotWired", off }))
    )
  )
}

const released = (m: Delivery, { keptBack }: HookGuard): DeliveryMove => {
  const records = waiting(m.queue)
    .filter(({ message }) => message.status === "held" && keptBack.includes(message.id))
    .map(({ message }) => QueueRecord.cases.Released.make({ v: 1, at: m.evidence.at, id: message.id }))
  return records.length === 0 ? stay(m) : record(m, records)
}

/** What the user's word on the queue does to it: messages may go, those that are held because of it with `all`. */
export const guardSeenTo = (m: Delivery, resumes: QueueChange["resumes"]): Delivery =>
  resumes === undefined || (unprovenAt(m.guard)?.unwired ?? null) === null
    ? m
    : {
        ...m,
        guard: { ...m.guard, wordAt: m.evidence.at, keptBack: resumes === "all" ? m.guard.keptBack : [] }
      }
