import { Effect, Option, Stream } from "effect"
import { lastWords } from "../../domain/words/reading/lastWords.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import { Paths } from "../../services/Paths.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { attach } from "../attach/attach.ts"
import { connectTo, lastStatus } from "../client/client.ts"
import { statusOf } from "../client/statuses.ts"
import { fail } from "../exit.ts"
import { detachedSize } from "../starting/start.ts"

/** A CLI that has neither come up nor ended by then is no longer waited for. */
const timeout = "30 seconds"
/** A CLI that shows no input box counts as started when it has seemed idle for this long. */
const settling = "10 seconds"
/** The blockers of a CLI that has not drawn its input yet. */
const undrawnBlockers: ReadonlySet<string> = new Set(["no-box", "torn"])

/** The status with which a CLI has started or ended; none when its host is gone. */
const startOutcome = (client: HostClient) =>
  client.Watch().pipe(
    Stream.switchMap((status) =>
      status.state === "starting"
        ? Stream.empty
        : status.state !== "idle" || status.ready
          ? Stream.succeed(status)
          : // a CLI that is about to report that it cannot resume also seems idle
            Stream.fromEffect(
              client.Why().pipe(
                Effect.flatMap(({ holds }) =>
                  holds.some(({ name }) => undrawnBlockers.has(name)) ? Effect.sleep(settling) : Effect.void
                ),
                Effect.as(status)
              )
            )
    ),
    Stream.runHead
  )

/** Waits until a resumed session's CLI has started; if it ends instead, fails with its last output. */
export const awaitStart = Effect.fn("awaitStart")(function* (tag: Tag) {
  const outcome = yield* Effect.gen(function* () {
    const client = yield* connectTo(tag, { patient: true })
    const status = yield* startOutcome(client)
    // the host still has the screen; it stores it on disk a moment later
    const ended = Option.isSome(status) && status.value.state === "exited"
    return {
      status,
      screen: ended ? yield* Effect.option(Effect.map(client.Screen(), ({ text }) => text)) : Option.none<string>()
    }
  }).pipe(
    Effect.scoped,
    Effect.catch(() => Effect.succeed({ status: Option.none<SessionStatus>(), screen: Option.none<string>() })),
    Effect.timeoutOption(timeout)
  )
  if (Option.isNone(outcome)) return
  const { screen, status } = outcome.value
  const last = Option.isSome(status) ? status : yield* lastStatus(tag)
  if (Option.isNone(last) || last.value.state !== "exited") return
  return yield* failUnresumed(
    last.value,
    Option.isSome(screen) ? screen.value : yield* storedScreen(tag),
    detachedSize.cols
  )
})

const storedScreen = Effect.fnUntraced(function* (tag: Tag) {
  const screen = yield* (yield* StatusStore).readScreen((yield* Paths).session(tag).screen)
  return Option.getOrElse(screen, () => "")
})

const failUnresumed = ({ displayName }: SessionStatus, screen: string, cols: number) => {
  const text = lastWords(screen, cols)
  return Effect.fail(
    fail(
      "refused",
      `${displayName} did not resume the session: ${text === null ? "it ended without a word" : oneLine(text, 200)}`
    )
  )
}

/** Attaches to a resumed session; fails like {@link awaitStart} if the CLI ended before it had started. */
export const attachResumed = Effect.fn("attachResumed")(function* (tag: Tag) {
  let started = false
  const client = yield* connectTo(tag, { patient: true })
  yield* startOutcome(client).pipe(
    Effect.tap((status) =>
      Effect.sync(() => {
        started = Option.isSome(status) && status.value.state !== "exited"
      })
    ),
    Effect.exit,
    Effect.forkScoped
  )
  const { cols } = yield* (yield* UserTerminal).size
  const attached = yield* Effect.result(attach({ tag, readOnly: false }))
  const status = started ? Option.none() : yield* statusOf(tag)
  if (Option.isSome(status) && status.value.state === "exited")
    return yield* failUnresumed(status.value, yield* storedScreen(tag), cols)
  return yield* Effect.fromResult(attached)
}, Effect.scoped)
