import { Effect, Schedule } from "effect"
import * as Queue from "../../domain/engine/queue/Queue.ts"
import type { SessionMemory } from "../../domain/engine/machine/SessionMachine.ts"
import { failureOf } from "../../domain/words/session/failedMessage.ts"
import type { UsageView } from "./usageView.ts"

/**
 * How long after a turn's end its answer may be on its way: the CLI's last hook, or the last lines of its transcript.
 */
const patience = "5 seconds"

/** States in which no whole answer is to come, and how long the part that there is may be on its way. */
const broken: ReadonlySet<string> = new Set(["interrupted", "exited"])
const partPatience = "500 millis"

/** Why the turn of a message failed, as far as the CLI has told by now; null where it has not. */
export const turnFailure = ({ queue }: SessionMemory["delivery"], id: string): string | null => {
  const entry = Queue.find(queue, id)
  return entry === null ? null : failureOf(entry.message)
}

/**
 * What the CLI answered to a message whose turn is over; null when it does not tell. An answer from before the message,
 * or from before the turn's last tool, is not it: the true one may come a little later than the turn's end.
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
    yield* Effect.suspend(() => (settled() ? Effect.void : Effect.fail("not yet"))).pipe(
      Effect.retry(Schedule.spaced("20 millis")),
      Effect.timeoutOption(isBroken ? partPatience : patience),
      Effect.ignore
    )
    const { at, text } = latest()
    return at >= since ? text : null
  })
}
