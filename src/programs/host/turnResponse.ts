import { Effect, Schedule } from "effect"
import * as Queue from "../../domain/Queue.ts"
import type { Runtime } from "./runtime.ts"
import type { Shown } from "./usage.ts"

/** How long after a turn's end its answer may be on its way: the CLI's last hook, or the last lines of its transcript. */
const patience = "5 seconds"

/** States in which no answer is to come. */
const broken: ReadonlySet<string> = new Set(["interrupted", "exited"])

/**
 * What the CLI answered to a message whose turn is over; null when it does not tell. An answer from before the message, or
 * from before the turn's last tool, is not it: the true one may come a little later than the turn's end.
 */
export const turnResponse = (options: { readonly runtime: Pick<Runtime, "memory">; readonly used: () => Shown }, id: string): Effect.Effect<string | null> => {
  const { runtime, used } = options
  const latest = (): { readonly text: string | null; readonly at: number } => {
    const { facts } = runtime.memory().tracker
    const { responseAt, usage } = used()
    return responseAt !== null && responseAt > (facts.respondedAt ?? 0)
      ? { text: usage.lastResponse, at: responseAt }
      : { text: facts.lastResponse, at: facts.respondedAt ?? 0 }
  }
  return Effect.gen(function*() {
    const since = Queue.find(runtime.memory().delivery.queue, id)?.attemptedAt ?? null
    if (since === null) return null
    const settled = (): boolean => {
      const { facts, view } = runtime.memory().tracker
      return broken.has(view.state) || (facts.turnFailedAt ?? 0) >= since || latest().at >= Math.max(since, facts.toolEndedAt ?? 0)
    }
    yield* Effect.suspend(() => settled() ? Effect.void : Effect.fail("not yet")).pipe(
      Effect.retry(Schedule.spaced("20 millis")),
      Effect.timeoutOption(patience),
      Effect.ignore
    )
    const { at, text } = latest()
    return at >= since ? text : null
  })
}
