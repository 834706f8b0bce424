import type { ApprovalsMemory } from "../approvals/Approvals.ts"
import type { TrackerMemory } from "../tracker/Tracker.ts"
import { unprovenAt, type Unproven } from "../delivery/HookGuard.ts"
import { pauseText } from "../failure/pauseText.ts"
import { pauseAt } from "../failure/TurnFailures.ts"
import type { SessionStatus } from "../../words/session/Session.ts"
import { type Facts } from "../tracker/Facts.ts"
import { unwiredCause } from "../tracker/HookWitness.ts"
import { unwiredWords } from "../../words/wording/causeWords.ts"
import { oneLine } from "../../words/text/printable.ts"
import type { NightMemory } from "../continuation/LimitContinuation.ts"
import type { Delivery } from "../delivery/DeliveryMemory.ts"

/** Why no queued message goes out, whatever the session does; `until` null: until the user's word. */
export interface QueueWait {
  readonly kind: NonNullable<SessionStatus["pause"]>["kind"]
  readonly since: number
  readonly until: number | null
  readonly text: string
}

/** What is to be said of the rules that the CLI's hooks alone hold. */
const rulesText = (restrictions: number): string =>
  restrictions === 1
    ? "a deny or ask rule of yours does not hold"
    : `${restrictions} deny and ask rules of yours do not hold`

const unprovenText = ({ restrictions, unwired }: Unproven): string =>
  unwired === null
    ? "your rules rest on its hooks, of which none has called yet"
    : `not wired here: ${unwiredWords(unwired)}, so that ${rulesText(restrictions)}; messages wait for your word`

/** What messages wait for where rules rest on hooks that have not called yet, or do not; null where none does. */
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

/** What the queue waits for at a moment; null where messages may go. */
export const queueWait = (
  { delivery, night }: { readonly delivery: Delivery; readonly night: NightMemory },
  now: number
): QueueWait | null => {
  const unproven = unprovenAt(delivery.guard)
  if (unproven !== null)
    return { kind: "unwired", since: unproven.since, until: unproven.until, text: unprovenText(unproven) }
  const pause = pauseAt(delivery.failures, now)
  return pause === null
    ? null
    : {
        kind: pause.problem.kind,
        since: pause.since,
        until: pause.until,
        text: [pauseText(pause, night.zone), ...(inTheWay(delivery) ?? [])].join("; ")
      }
}

/**
 * What lies over the box, so that nothing goes out before somebody has seen to it, whatever time was told: some CLIs
 * ask at a limit what is to be done. Null for nothing.
 */
export const inTheWay = ({ evidence }: Delivery): readonly [text: string] | null => {
  const { exited, screen } = evidence
  const dialog = screen?.dialog ?? null
  if (exited || dialog?.suggests === true) return null
  if (dialog !== null) return [`its dialog '${oneLine(dialog.title, 100)}' is in the way, and has to be answered first`]
  return screen?.picker === true && screen.box === null
    ? ["a list or another view of it is in the way, and has to be closed first"]
    : null
}

/** That the CLI's hooks do not call leap, as a session's status has it; null while they do, or that is not known. */
export const unwiredOf = ({
  approvals,
  tracker
}: {
  readonly approvals: ApprovalsMemory
  readonly tracker: TrackerMemory
}): {
  readonly since: number
  readonly text: string
  readonly rules: number
} | null => {
  const { hooks } = tracker.facts
  return hooks.silentSince === null
    ? null
    : {
        since: hooks.silentSince,
        text: [
          unwiredWords(unwiredCause(hooks)),
          ...(approvals.restrictions === 0 ? [] : [rulesText(approvals.restrictions)])
        ].join("; "),
        rules: approvals.restrictions
      }
}
