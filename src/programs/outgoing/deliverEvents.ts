import { Clock, DateTime, Effect, Random } from "effect"
import { delayAfter, type DeliveryResult } from "../../domain/surfaces/outgoing/deliveryResult.ts"
import { droppedEvent, type OutEntry } from "../../domain/surfaces/outgoing/OutEvent.ts"
import type { OpenOutJournal } from "../../services/OutJournal.ts"

export interface Receiver {
  readonly name: string
  readonly title: string
  /** One attempt, which ends within seconds. */
  readonly deliver: (entry: OutEntry) => Effect.Effect<DeliveryResult>
}

const journalAgain = "5 seconds"

/**
 * Delivers the journal's events to one receiver in order. Each waits until the previous one has arrived, was refused
 * for ever, or was given up. Ends when the receiver wants no more. `filled` completes when there may be new events;
 * `say` prints to the user.
 */
export const deliverEvents = Effect.fn("out.deliverEvents")(function* (
  journal: OpenOutJournal,
  { deliver, name, title }: Receiver,
  filled: Effect.Effect<void>,
  say: (line: string) => Effect.Effect<void>
) {
  let failures = 0
  let reported: string | null = null
  const once = Effect.gen(function* () {
    const next = yield* journal.next(name)
    if (next === null) {
      yield* filled
      return true
    }
    const { dropped, entry } = next
    const now = yield* Clock.currentTimeMillis
    const gap = entry.sequence - 1
    const sent: OutEntry =
      dropped === 0
        ? entry
        : { sequence: gap, event: droppedEvent(name, gap, dropped, DateTime.formatIso(DateTime.makeUnsafe(now))) }
    const verdict = yield* deliver(sent)
    switch (verdict._tag) {
      case "Delivered":
        if (dropped > 0) yield* say(`${title}: ${dropped} events were given up: it took none for too long`)
        yield* journal.passed(name, sent.sequence, dropped)
        if (reported !== null) yield* say(`${title}: it takes events again`)
        if (reported !== null || failures > 0) yield* journal.failing(name, null, now)
        reported = null
        failures = 0
        return true
      case "Refused":
        yield* say(`${title}: ${verdict.why}: event ${sent.event.id} was given up`)
        yield* journal.passed(name, sent.sequence, Math.max(1, dropped))
        return true
      case "Gone":
        yield* say(`${title}: ${verdict.why}: it is sent nothing more until 'leap out' is started again`)
        yield* journal.failing(name, `${verdict.why}: it wants no more events`, now)
        return false
      case "Again":
        failures++
        if (verdict.why !== reported) {
          reported = verdict.why
          yield* say(`${title}: ${verdict.why}; events wait until it takes them`)
          yield* journal.failing(name, verdict.why, now)
        }
        yield* Effect.sleep(delayAfter(failures, verdict.afterMs, yield* Random.next))
        return true
    }
  }).pipe(
    Effect.catchTag("StoreError", (error) =>
      Effect.as(Effect.andThen(say(`${title}: ${error.message}`), Effect.sleep(journalAgain)), true)
    )
  )
  // clears an earlier problem, which may be gone
  yield* Effect.ignore(journal.failing(name, null, 0))
  while (yield* once);
})
