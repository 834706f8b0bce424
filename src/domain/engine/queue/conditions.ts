import { latestEnd } from "../../words/problems/LimitEnd.ts"
import type { Condition } from "../../words/session/Message.ts"
import type { View } from "../../words/session/Session.ts"
import { QueueRecord, type QueueState, waiting } from "./Queue.ts"

/** When the session's limit is certainly over, in epoch milliseconds; null if unknown, or without a limit. */
export const certainEnd = ({ problem }: Pick<View, "problem">): number | null =>
  problem?.kind === "rate_limited" ? latestEnd(problem) : null

/** Whether the session itself knows that a condition is met; for another session's, a record comes from outside. */
const isMet = (condition: Condition, view: View, now: number): boolean => {
  switch (condition._tag) {
    case "At":
      return now >= Date.parse(condition.at)
    case "Background":
      // Background work is listed at a turn's end, so only a rest that has lasted (`ready`) has the whole list.
      return view.state === "idle" && view.ready && view.background.length === 0
    case "Reset": {
      if (view.problem?.kind !== "rate_limited") return true
      const end = certainEnd(view)
      return end !== null && now >= end
    }
    case "Session":
      return false
  }
}

export const metConditions = (queue: QueueState, view: View, now: number): ReadonlyArray<QueueRecord> =>
  waiting(queue).flatMap(({ message: { id, status, when } }) => {
    if (when === undefined || status !== "queued") return []
    const left = when.filter((condition) => !isMet(condition, view, now))
    return left.length === when.length ? [] : [QueueRecord.cases.Conditioned.make({ v: 1, at: now, id, when: left })]
  })

/** When time alone may meet a condition, in epoch milliseconds; null for never. */
export const conditionsDue = (queue: QueueState, view: View, now: number): number | null => {
  const moments = waiting(queue).flatMap(({ message: { status, when = [] } }) =>
    status !== "queued"
      ? []
      : when.flatMap((condition) =>
          condition._tag === "At"
            ? [Date.parse(condition.at)]
            : condition._tag === "Reset"
              ? (certainEnd(view) ?? [])
              : []
        )
  )
  const due = moments.filter((moment) => moment > now)
  return due.length === 0 ? null : Math.min(...due)
}

export const sessionOver = (queue: QueueState, tag: string, now: number): ReadonlyArray<QueueRecord> =>
  waiting(queue).flatMap(({ message: { id, when } }) => {
    const left = when?.filter((condition) => condition._tag !== "Session" || condition.tag !== tag)
    return left === undefined || left.length === when?.length
      ? []
      : [QueueRecord.cases.Conditioned.make({ v: 1, at: now, id, when: left })]
  })

export const awaitedSessions = (queue: QueueState): ReadonlySet<string> =>
  new Set(
    waiting(queue).flatMap(({ message: { status, when = [] } }) =>
      status === "queued" ? when.flatMap((condition) => (condition._tag === "Session" ? [condition.tag] : [])) : []
    )
  )
