import { Effect, Option, Stream } from "effect"
import { lastWords } from "../domain/lastWords.ts"
import { oneLine } from "../domain/StateLine.ts"
import type { SessionStatus } from "../domain/Session.ts"
import type { Tag } from "../domain/Tag.ts"
import type { HostClient } from "../services/ControlSocket.ts"
import { Paths } from "../services/Paths.ts"
import { StatusStore } from "../services/StatusStore.ts"
import { UserTerminal } from "../services/UserTerminal.ts"
import { attach } from "./attach.ts"
import { connectTo, lastStatus, statusOf } from "./client.ts"
import { fail } from "./exit.ts"
import { detachedSize } from "./start.ts"

/** A CLI that has neither come up nor ended by then is left to itself. */
const patience = "30 seconds"
/** One that shows no input box has come up when it seems to be at rest for this long. */
const settling = "10 seconds"
/** What keeps messages from a CLI that has not drawn itself yet. */
const undrawn: ReadonlySet<string> = new Set(["no-box", "torn"])

/** The status with which a CLI has come up or ended; none when its host is gone. */
const comeUp = (client: HostClient) =>
  client.Watch().pipe(
    Stream.switchMap((status) =>
      status.state === "starting"
        ? Stream.empty
        : status.state !== "idle" || status.ready
        ? Stream.succeed(status)
        // one that is about to say that it cannot resume seems to be at rest too
        : Stream.fromEffect(client.Why().pipe(
          Effect.flatMap(({ holds }) => holds.some(({ name }) => undrawn.has(name)) ? Effect.sleep(settling) : Effect.void),
          Effect.as(status)
        ))
    ),
    Stream.runHead
  )

/** Waits until a resumed session's CLI is up. Fails with what it said last when it ended instead: it would not resume. */
export const awaitStart = Effect.fn("awaitStart")(function*(tag: Tag) {
  const seen = yield* Effect.gen(function*() {
    const client = yield* connectTo(tag, { patient: true })
    const status = yield* comeUp(client)
    // the host still has the screen; what it writes down of it comes a moment later
    const ended = Option.isSome(status) && status.value.state === "exited"
    return { status, screen: ended ? yield* Effect.option(Effect.map(client.Screen(), ({ text }) => text)) : Option.none<string>() }
  }).pipe(
    Effect.scoped,
    Effect.catch(() => Effect.succeed({ status: Option.none<SessionStatus>(), screen: Option.none<string>() })),
    Effect.timeoutOption(patience)
  )
  if (Option.isNone(seen)) return
  const { screen, status } = seen.value
  const last = Option.isSome(status) ? status : yield* lastStatus(tag)
  if (Option.isNone(last) || last.value.state !== "exited") return
  return yield* unresumed(last.value, Option.isSome(screen) ? screen.value : yield* writtenScreen(tag), detachedSize.cols)
})

const writtenScreen = Effect.fnUntraced(function*(tag: Tag) {
  const screen = yield* (yield* StatusStore).readScreen((yield* Paths).session(tag).screen)
  return Option.getOrElse(screen, () => "")
})

const unresumed = ({ displayName }: SessionStatus, screen: string, cols: number) => {
  const words = lastWords(screen, cols)
  return Effect.fail(fail("refused", `${displayName} did not resume the session: ${words === null ? "it ended without a word" : oneLine(words, 200)}`))
}

/** Attaches to a resumed session. One whose CLI ended before it was up fails as {@link awaitStart} does, whatever code it ended with. */
export const attachResumed = Effect.fn("attachResumed")(function*(tag: Tag) {
  let up = false
  const client = yield* connectTo(tag, { patient: true })
  yield* comeUp(client).pipe(
    Effect.tap((status) => Effect.sync(() => {
      up = Option.isSome(status) && status.value.state !== "exited"
    })),
    Effect.exit,
    Effect.forkScoped
  )
  const { cols } = yield* (yield* UserTerminal).size
  const attached = yield* Effect.result(attach({ tag, readOnly: false }))
  const status = up ? Option.none() : yield* statusOf(tag)
  if (Option.isSome(status) && status.value.state === "exited") return yield* unresumed(status.value, yield* writtenScreen(tag), cols)
  return yield* Effect.fromResult(attached)
}, Effect.scoped)
