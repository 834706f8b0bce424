import { Effect, Latch, Stream } from "effect"
import type { OutSettings } from "../../domain/rules/settings/readOutSettings.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { OutJournal } from "../../services/OutJournal.ts"
import { Output } from "../../services/Output.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { deliverEvents, type Receiver } from "./deliverEvents.ts"
import { pump } from "./pump.ts"
import { slackName, slackThreads } from "./slackThreads.ts"
import { slackPeople } from "./slackPeople.ts"
import { slackReceiver } from "./slackReceiver.ts"
import { webhookReceiver } from "./webhookReceiver.ts"

/** The receivers of these settings, by their names. */
export const receiverNames = ({ slack, webhooks }: OutSettings): ReadonlyArray<string> => [
  ...webhooks.map(({ name }) => name),
  ...(slack === null ? [] : [slackName])
]

const hour = 3_600_000

/**
 * Tells all receivers what sessions do, until it is interrupted; another settings file counts at once. One such process
 * serves all of them: a second one fails.
 */
export const runOut = Effect.fn("runOut")(function* (first: OutSettings) {
  const output = yield* Output
  const journal = yield* (yield* OutJournal).open
  const say = (line: string) => output.note(oneLine(line, 300))
  let current = first
  const lanes = new Set<Latch.Latch>()
  yield* journal.register(receiverNames(first))
  const { memories } = yield* pump(
    journal,
    () => current.keepHours * hour,
    Effect.sync(() => {
      for (const latch of lanes) latch.openUnsafe()
    })
  )

  const serve = Effect.fnUntraced(function* (receiver: Receiver) {
    const latch = yield* Effect.acquireRelease(
      Effect.tap(Latch.make(false), (made) => Effect.sync(() => void lanes.add(made))),
      (made) => Effect.sync(() => void lanes.delete(made))
    )
    // closed first: what comes while the journal is read opens it again
    const filled = Effect.andThen(latch.await, latch.close)
    yield* deliverEvents(journal, receiver, filled, say)
  })
  /** All that is done under one version of the settings. */
  const under = Effect.fnUntraced(function* (settings: OutSettings) {
    current = settings
    yield* journal.register(receiverNames(settings))
    for (const webhook of settings.webhooks) yield* Effect.forkScoped(serve(yield* webhookReceiver(webhook)))
    if (settings.slack !== null) {
      const threads = yield* slackThreads(settings.slack, journal)
      yield* Effect.forkScoped(serve(slackReceiver(settings.slack, threads)))
      yield* Effect.forkScoped(slackPeople(settings.slack, threads, memories, say))
    }
    return yield* Effect.never
  }, Effect.scoped)

  yield* (yield* (yield* UserSettings).changes).pipe(
    Stream.map(({ settings }) => settings.out),
    Stream.changesWith((a, b) => JSON.stringify(a) === JSON.stringify(b)),
    Stream.switchMap((settings) => Stream.fromEffect(under(settings))),
    Stream.runDrain
  )
})
