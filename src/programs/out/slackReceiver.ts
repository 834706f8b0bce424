import { Effect } from "effect"
import { delivered } from "../../domain/surfaces/out/attempt.ts"
import { type OutEntry, withoutTexts } from "../../domain/surfaces/out/OutEvent.ts"
import { eventMessage } from "../../domain/surfaces/out/slackMessage.ts"
import { slackVerdict } from "../../domain/surfaces/out/slackVerdict.ts"
import type { SlackSettings } from "../../domain/rules/settings/OutSettings.ts"
import type { Receiver } from "./deliverEvents.ts"
import { slackName, type SlackThreads } from "./slackThreads.ts"

/** A channel of Slack's as one who is told what happens: a thread for each session. */
export const slackReceiver = (settings: SlackSettings, threads: SlackThreads): Receiver => {
  const tell = Effect.fnUntraced(function* ({ event: whole }: OutEntry) {
    const event = settings.texts ? whole : withoutTexts(whole)
    if (event.type === "dialog.closed") {
      const posted = yield* threads.posted(event.data.dialog)
      if (posted === null) return
      yield* threads.close(posted)
      return yield* threads.forgetPosted(event.data.dialog)
    }
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
