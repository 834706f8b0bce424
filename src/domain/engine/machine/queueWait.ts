import type { ApprovalsMemory } from "../approvals/Approvals.ts"
import type { TrackerMemory } from "../tracker/Tracker.ts"
import { overBudgetAt, unprovenAt, type Unproven } from "../delivery/HookGuard.ts"
import { isEndless, pauseAt } from "../failure/TurnFailures.ts"
import type { SessionStatus } from "../../words/session/Session.ts"
import type { UnwiredCause } from "../../words/session/UnwiredCause.ts"
import type { Cover, WaitCause } from "../../words/session/WaitCause.ts"
import { type Facts } from "../tracker/Facts.ts"
import { unwiredCause } from "../tracker/HookWitness.ts"
import type { NightMemory } from "../continuation/LimitContinuation.ts"
import type { Delivery } from "../delivery/DeliveryMemory.ts"

/** Why no queued message is sent, whatever the session does; `until` null: until the user acts. */
export interface QueueWait {
  readonly kind: NonNullable<SessionStatus["pause"]>["kind"]
  readonly since: number
  readonly until: number | null
  readonly cause: WaitCause
}

/** Why messages wait if rules depend on hooks that have not called yet, or do not call; null: they do not wait. */
export const unprovenOf = ({ hooks }: Pick<Facts, "hooks">, restrictions: number): Unproven | null => {
  if (restrictions === 0) return null
  if (hooks.silentSince !== null)
    return {
      since: hooks.silentSince,
      unwired: unwiredCause(hooks),
      until: null,
      restrictions
    }
  return hooks.dueAt === null || hooks.begunAt === null
    ? null
    : {
        since: hooks.begunAt,
        unwired: null,
        until: hooks.dueAt,
        restrictions
      }
}

/** Why the queue waits at a time; null if messages may be sent. */
export const queueWait = (
  { delivery, night }: { readonly delivery: Delivery; readonly night: NightMemory },
  now: number
): QueueWait | null => {
  const unproven = unprovenAt(delivery.guard)
  if (unproven !== null) {
    const { restrictions: rules, since, until, unwired } = unproven
    return { kind: "unwired", since, until, cause: { _tag: "Unproven", unwired, rules } }
  }
  const pause = pauseAt(delivery.failures, now)
  const cover = inTheWay(delivery)
  if (pause === null) {
    const hold = overBudgetAt(delivery.guard)
    if (hold === null) return null
    const { over, since, until } = hold
    return { kind: "budget", since, until, cause: { _tag: "OverBudget", over, until, zone: night.zone, cover } }
  }
  const { problem, since, until } = pause
  const kind = problem.kind
  const cause = {
    _tag: "TurnFailed",
    problem: kind,
    isEndless: isEndless(problem),
    until,
    zone: night.zone,
    cover
  } as const
  return { kind, since, until, cause }
}

/**
 * The cover over the box, so that nothing is sent until somebody has handled it, whatever time was stated: some CLIs
 * ask at a limit how to continue. Null for none.
 */
export const inTheWay = ({ evidence }: Delivery): Cover | null => {
  const { exited, screen } = evidence
  const dialog = screen?.dialog ?? null
  if (exited || dialog?.suggests === true) return null
  if (dialog !== null) return { dialog: dialog.title }
  return screen?.picker === true && screen.box === null ? { dialog: null } : null
}

/** For a status: since when the CLI's hooks do not call leap, and why; null while they do, or if this is unknown. */
export const unwiredOf = ({
  approvals,
  tracker
}: {
  readonly approvals: ApprovalsMemory
  readonly tracker: TrackerMemory
}): { readonly since: number; readonly cause: UnwiredCause; readonly rules: number } | null => {
  const { hooks } = tracker.facts
  return hooks.silentSince === null
    ? null
    : { since: hooks.silentSince, cause: unwiredCause(hooks), rules: approvals.restrictions }
}
