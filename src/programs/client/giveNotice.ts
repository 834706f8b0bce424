import { Effect, Schedule } from "effect"
import type { Notice } from "../../domain/surfaces/notify/Notice.ts"
import { targetName } from "../../domain/surfaces/notify/pushRequest.ts"
import type { NotifySettings } from "../../domain/store/settings/NotifySettings.ts"
import { NoticeChannels } from "../../services/NoticeChannels.ts"
import type { PostError } from "../../services/PostError.ts"

export interface Given {
  readonly channel: string
  readonly why: string | null
}

/** Three attempts, if a retry may help. */
const again = Schedule.max([Schedule.exponential("1 second", 3), Schedule.recurs(2)])
/** The limit for all attempts together, so that a hanging server does not delay later notices. */
const timeout = "30 seconds"

type Ways = Pick<NotifySettings, "desktop" | "push">

const isOnDesktop = Effect.fnUntraced(function* ({ desktop }: Ways) {
  return desktop === "auto" ? yield* (yield* NoticeChannels).hasDesktop : desktop
})

/** The warning that no notice reaches the user of a detached session; null if one does. */
export const reachesNobody = Effect.fnUntraced(function* (ways: Ways) {
  if (ways.push.length > 0 || (yield* isOnDesktop(ways))) return null
  const why = ways.desktop === false ? "desktop notices are off" : "there is no desktop here"
  return (
    `nobody is told that a detached session needs you or is done: ${why}; ` +
    `leap settings set notify.push '[{"url": "https://ntfy.sh/TOPIC"}]' tells a phone`
  )
})

/** Sends a notice to the desktop and to all targets, independently. Never fails. */
export const giveNotice = Effect.fn("giveNotice")(function* (notice: Notice, ways: Ways) {
  const channels = yield* NoticeChannels
  const attempt = (channel: string, once: Effect.Effect<void, PostError>): Effect.Effect<Given> =>
    once.pipe(
      Effect.retry({ while: (error) => error.again, schedule: again }),
      Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail({ why: "it took too long" }) }),
      Effect.match({
        onFailure: ({ why }): Given => ({ channel, why }),
        onSuccess: (): Given => ({ channel, why: null })
      }),
      Effect.catchCause(() => Effect.succeed<Given>({ channel, why: "leap failed at it" }))
    )
  return yield* Effect.all(
    [
      ...((yield* isOnDesktop(ways)) ? [attempt("desktop", channels.desktop(notice))] : []),
      ...ways.push.map((target) => attempt(targetName(target), channels.post(notice, target)))
    ],
    { concurrency: "unbounded" }
  )
})
