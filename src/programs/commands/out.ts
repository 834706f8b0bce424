import { Clock, DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import { deliveryResultOf } from "../../domain/surfaces/outgoing/deliveryResult.ts"
import { bodyOf, type OutEvent } from "../../domain/surfaces/outgoing/OutEvent.ts"
import { eventMessage } from "../../domain/surfaces/outgoing/slackMessage.ts"
import { warningLine } from "../../domain/store/settings/warningLine.ts"
import { printable } from "../../domain/words/text/printable.ts"
import { table } from "../../domain/words/wording/StateLine.ts"
import { OutJournal } from "../../services/OutJournal.ts"
import { Output } from "../../services/Output.ts"
import { Slack } from "../../services/Slack.ts"
import { System } from "../../services/System.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { Webhooks } from "../../services/Webhooks.ts"
import { layer as sessionFeed } from "../client/SessionFeed.ts"
import { fail } from "../exit.ts"
import { receiverNames, runOut } from "../outgoing/runOut.ts"
import { jsonFlag, print } from "./shared/common.ts"
import { isoTime, localTime } from "../../domain/engine/history/recordTimes.ts"

const settingsOfOut = Effect.gen(function* () {
  const userSettings = yield* UserSettings
  const { settings, warnings } = yield* userSettings.read
  const warning = warningLine(userSettings.file, warnings)
  if (warning !== null) yield* (yield* Output).note(`leap: ${warning}`)
  if (receiverNames(settings.out).length === 0)
    return yield* fail("usage", `"out" in ${userSettings.file} names neither webhooks nor slack: nobody is to be told`)
  return settings.out
})

const test = Command.make(
  "test",
  { json: jsonFlag },
  Effect.fn(function* ({ json }) {
    const { slack, webhooks } = yield* settingsOfOut
    const event: OutEvent = {
      schema: 1,
      id: `test_${yield* (yield* System).newId}`,
      type: "test",
      timestamp: DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis)),
      session: null,
      data: {}
    }
    const { post } = yield* Webhooks
    const results: Array<{ readonly receiver: string; readonly why: string | null }> = []
    for (const webhook of webhooks) {
      const why = yield* post(webhook, event.id, bodyOf({ sequence: 0, event })).pipe(
        Effect.match({
          onFailure: (error) => error.why,
          onSuccess: ({ status }) =>
            deliveryResultOf(status, null)._tag === "Delivered" ? null : `it answered ${status}`
        })
      )
      results.push({ receiver: webhook.name, why })
    }
    const message = eventMessage(event)
    if (slack !== null && message !== null) {
      const why = yield* (yield* Slack).open(slack).pipe(
        Effect.flatMap((channel) =>
          Effect.andThen(Effect.scoped(channel.listen(Effect.void)), channel.post(null, message))
        ),
        Effect.match({ onFailure: (error) => error.why, onSuccess: () => null })
      )
      results.push({ receiver: "slack", why })
    }
    yield* print(json, { schema: 1, results }, () =>
      results.map(({ receiver, why }) => printable(`${receiver}: ${why ?? "sent"}`)).join("\n")
    )
    const failed = results.filter(({ why }) => why !== null)
    if (failed.length > 0) return yield* fail("failed", failed.length === 1 ? "one of them failed" : "some failed")
  })
).pipe(Command.withDescription("Send one event to each receiver, and say what became of it"))

const status = Command.make(
  "status",
  { json: jsonFlag },
  Effect.fn(function* ({ json }) {
    const receivers = yield* (yield* OutJournal).receivers
    const shown = receivers.map(({ since, ...one }) => ({ ...one, since: since === null ? null : isoTime(since) }))
    yield* print(json, { schema: 1, receivers: shown }, () =>
      receivers.length === 0
        ? "nobody was told of anything yet: 'leap out' does it, while it runs"
        : table(
            receivers.map(({ dropped, name, problem, since, waiting }) => [
              name,
              waiting === 0 ? "has all" : `${waiting} waiting`,
              dropped === 0 ? "" : `${dropped} given up`,
              problem === null ? "" : `${printable(problem)}${since === null ? "" : ` (since ${localTime(since)})`}`
            ])
          )
    )
  })
).pipe(Command.withDescription("How far each receiver has come, and why one takes nothing"))

export const out = Command.make(
  "out",
  {},
  Effect.fn(function* () {
    const settings = yield* settingsOfOut
    const names = receiverNames(settings)
    yield* (yield* Output).note(`telling ${names.join(", ")} what sessions do; Ctrl+C ends it`)
    yield* Effect.provide(Effect.scoped(runOut(settings)), sessionFeed)
  })
).pipe(
  Command.withDescription("Tell webhooks and Slack what sessions do, while it runs; the settings name them"),
  Command.withSubcommands([test, status])
)
