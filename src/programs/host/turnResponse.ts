import { Effect } from "effect"
import * as Queue from "../../domain/engine/queue/Queue.ts"
import type { SessionMemory } from "../../domain/engine/machine/SessionMachine.ts"
import { failureOf } from "../../domain/words/session/failedMessage.ts"
import type { UsageView } from "./sessionStatus.ts"
import { holdsWithin } from "./waits.ts"

/** How long a finished turn's answer is waited for: in the CLI's last hook, or in its transcript. */
const timeout = "5 seconds"

/** States without a complete answer, and how long a partial one may take. */
const broken: ReadonlySet<string> = new Set(["interrupted", "exited"])
const partTimeout = "500 millis"

/** The known reason why the turn of a message failed; null for none. */
export const turnFailure = ({ queue }: SessionMemory["delivery"], id: string): string | null => {
  const entry = Queue.find(queue, id)
  return entry === null ? null : failureOf(entry.message)
}

/**
 * The CLI's answer to a message whose turn is over; null if the CLI reports none since the message. An answer from
 * before the turn's last tool counts only when no later one arrives in time, as it may a little after the turn's end.
 */
export const turnResponse = (
  session: { readonly memory: () => SessionMemory; readonly usage: () => UsageView },
  id: string
): Effect.Effect<string | null> => {
  const latest = (): { readonly text: string | null; readonly at: number } => {
    const { facts } = session.memory().tracker
    const { responseAt, usage } = session.usage()
    return responseAt !== null && responseAt > (facts.respondedAt ?? 0)
      ? { text: usage.lastResponse, at: responseAt }
      : { text: facts.lastResponse, at: facts.respondedAt ?? 0 }
  }
  return Effect.gen(function* () {
    const since = Queue.find(session.memory().delivery.queue, id)?.attemptedAt ?? null
    if (since === null) return null
    const settled = (): boolean => {
      const { facts } = session.memory().tracker
      return (
        Math.max(facts.turnFailedAt ?? 0, facts.reportedFailure?.at ?? 0) >= since ||
        latest().at >= Math.max(since, facts.toolEndedAt ?? 0)
      )
    }
    const isBroken = broken.has(session.memory().tracker.view.state)
    yield* holdsWithin(settled, isBroken ? partTimeout : timeout)
    const { at, text } = latest()
    return at >= since ? text : null
  })
}
