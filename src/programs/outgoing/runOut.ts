import { Effect, Latch, Stream } from "effect"
import type { OutSettings, Webhook, SlackSettings } from "../../domain/store/settings/OutSettings.ts"
import { fitsPattern } from "../../domain/words/arguments/TagPattern.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { OutJournal } from "../../services/OutJournal.ts"
import { Output } from "../../services/Output.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { deliverEvents, type Receiver, pump } from "./pump.ts"
import { slackName, slackThreads, type SlackThreads } from "./slackThreads.ts"
import { slackPeople } from "./slackPeople.ts"
import { type DeliveryResult, deliveryResultOf, delivered } from "../../domain/surfaces/outgoing/deliveryResult.ts"
import { bodyOf, withoutTexts, type OutEntry } from "../../domain/surfaces/outgoing/OutEvent.ts"
import { Webhooks } from "../../services/Webhooks.ts"
import { eventMessage } from "../../domain/surfaces/outgoing/slackMessage.ts"
import { slackVerdict } from "../../domain/surfaces/outgoing/slackVerdict.ts"

/** A Slack channel as a receiver, with a thread for each session. */
const slackReceiver = (settings: SlackSettings, threads: SlackThreads): Receiver => {
  const tell = Effect.fnUntraced(function* ({ event: whole }: OutEntry) {
    const event = settings.texts ? whole : withoutTexts(whole)
    if (event.type === "dialog.closed") {
      const posted = yield* threads.posted(event.data.dialog)
      if (posted === null) return
      yield* threads.close(posted)
      return yield* threads.forgetPosted(event.data.dialog)
    }
    // the event repeats if its delivery was not recorded
    if (event.type === "dialog.opened" && (yield* threads.posted(event.id)) !== null) return
    const message = eventMessage(event)
    if (message === null) return
    if (event.session === null) return yield* Effect.asVoid(threads.using((to) => to.post(null, message)))
    const time = yield* threads.inThread(event.session, message)
    if (event.type === "dialog.opened") yield* threads.setPosted(event, time)
    if (event.type === "session.forgotten") yield* threads.forgetThread(event.session.tag)
  })
  return {
    name: slackName,
    title: "Slack",
    deliver: (entry) =>
      tell(entry).pipe(
        Effect.match({
          onFailure: (error) =>
            error._tag === "SlackError"
              ? slackVerdict(error)
              : ({ _tag: "Again", why: error.message, afterMs: null } as const),
          onSuccess: () => delivered
        })
      )
  }
}

const webhookReceiver = Effect.fnUntraced(function* (webhook: Webhook) {
  const webhooks = yield* Webhooks
  return {
    name: webhook.name,
    title: `webhook ${webhook.name}`,
    deliver: ({ event, sequence }) => {
      const body = bodyOf({ sequence, event: webhook.texts ? event : withoutTexts(event) })
      return webhooks.post(webhook, event.id, body).pipe(
        Effect.match({
          onFailure: ({ why }): DeliveryResult => ({ _tag: "Again", why, afterMs: null }),
          onSuccess: ({ afterMs, status }) => deliveryResultOf(status, afterMs)
        })
      )
    }
  } satisfies Receiver
})

/** The receiver, told only of the sessions that its settings name; of all without names. */
const toldOf = ({ tags }: Pick<Webhook, "tags">, receiver: Receiver): Receiver =>
  tags === undefined
    ? receiver
    : {
        ...receiver,
        deliver: (entry) => {
          const { session } = entry.event
          return session === null || tags.some((tag) => fitsPattern(tag, session.tag))
            ? receiver.deliver(entry)
            : Effect.succeed(delivered)
        }
      }

export const receiverNames = ({ slack, webhooks }: OutSettings): ReadonlyArray<string> => [
  ...webhooks.map(({ name }) => name),
  ...(slack === null ? [] : [slackName])
]

/** The targets of receivers that may change while the name stays (the Slack channel). */
const targetsOf = ({ slack }: OutSettings): ReadonlyMap<string, string> =>
  new Map(slack === null ? [] : [[slackName, slack.channel]])

const hour = 3_600_000

/** Sends sessions' events to all receivers until it is interrupted. One process serves all: a second fails. */
export const runOut = Effect.fn("runOut")(function* (first: OutSettings) {
  const output = yield* Output
  const journal = yield* (yield* OutJournal).open
  const say = (line: string) => output.note(oneLine(line, 300))
  let current = first
  const wakeLatches = new Set<Latch.Latch>()
  yield* journal.register(receiverNames(first), targetsOf(first))
  const { memories } = yield* pump(
    journal,
    () => current.keepHours * hour,
    Effect.sync(() => {
      for (const latch of wakeLatches) latch.openUnsafe()
    })
  )

  const serve = Effect.fnUntraced(function* (receiver: Receiver) {
    const latch = yield* Effect.acquireRelease(
      Effect.tap(Latch.make(false), (made) => Effect.sync(() => void wakeLatches.add(made))),
      (made) => Effect.sync(() => void wakeLatches.delete(made))
    )
    // the latch closes before the read, so that an event during the read opens it again
    const newEvents = Effect.andThen(latch.await, latch.close)
    yield* deliverEvents(journal, receiver, newEvents, say)
  })
  const runWith = Effect.fnUntraced(function* (settings: OutSettings) {
    current = settings
    yield* journal.register(receiverNames(settings), targetsOf(settings))
    for (const webhook of settings.webhooks)
      yield* Effect.forkScoped(serve(toldOf(webhook, yield* webhookReceiver(webhook))))
    if (settings.slack !== null) {
      const threads = yield* slackThreads(settings.slack, journal)
      yield* Effect.forkScoped(serve(toldOf(settings.slack, slackReceiver(settings.slack, threads))))
      yield* Effect.forkScoped(slackPeople(settings.slack, threads, memories, say))
    }
    return yield* Effect.never
  }, Effect.scoped)

  yield* (yield* (yield* UserSettings).changes).pipe(
    Stream.map(({ settings }) => settings.out),
    Stream.changesWith((a, b) => JSON.stringify(a) === JSON.stringify(b)),
    Stream.switchMap((settings) => Stream.fromEffect(runWith(settings))),
    Stream.runDrain
  )
})
