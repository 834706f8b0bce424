import { isBusy } from "../../domain/words/session/states.ts"
import { Context, Effect, Latch, Layer, Stream, SubscriptionRef } from "effect"
import type { EndCause } from "../../domain/words/session/exitText.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import type { PtyHandle } from "../../services/Pty.ts"
import { HostedPty } from "./HostedPty.ts"
import { Keyboard } from "./Keyboard.ts"
import { RecordWriter } from "./RecordWriter.ts"
import { SessionEnd } from "./SessionEnd.ts"
import { SessionRuntime } from "./SessionRuntime.ts"
import { SessionScreen } from "./SessionScreen.ts"
import { StatusPublisher } from "./StatusPublisher.ts"
import { holdsWithin } from "./waits.ts"

export class SessionStop extends Context.Service<
  SessionStop,
  {
    /**
     * Ends the CLI: by its quit keys, then by a hang-up, then by a kill; with `force` by the kill at once. Ends after
     * all attempts, or when the session has ended. The first cause is recorded.
     */
    readonly stop: (force: boolean, why?: EndCause) => Effect.Effect<void>
    /** Whether a stop was requested; a CLI that starts after that is stopped at once. */
    readonly isRequested: () => boolean
    readonly isForced: () => boolean
    /** The reason for an end that leap itself started; null for none. */
    readonly cause: () => EndCause | null
    readonly awaitRequest: Effect.Effect<void>
  }
>()("leap/programs/host/SessionStop") {}

/** How long a CLI may take to exit: after its quit keys, and after a hang-up. */
const quitTimeout = "4 seconds"
const hangupTimeout = "2 seconds"
const interruptTimeout = "1500 millis"
const keyTimeout = "500 millis"

const make = Effect.gen(function* () {
  const { input } = yield* CLIProvider
  const keyboard = yield* Keyboard
  const runtime = yield* SessionRuntime
  const { status } = yield* StatusPublisher
  const screen = yield* SessionScreen
  const pty = yield* HostedPty
  const end = yield* SessionEnd
  const record = yield* RecordWriter
  const requested = yield* Latch.make(false)
  let isRequested = false
  let isForced = false
  let cause: EndCause | null = null

  const pressKey = (data: string): void => keyboard.press({ data, keys: [], by: "leap" })
  const endsWithin = (timeout: typeof quitTimeout | typeof hangupTimeout) =>
    Effect.map(Effect.timeoutOption(end.wait, timeout), (ended) => ended._tag === "Some")

  const interrupt = Effect.gen(function* () {
    pressKey(input.interrupt)
    yield* SubscriptionRef.changes(status).pipe(
      Stream.filter(({ state }) => !isBusy(state)),
      Stream.runHead,
      Effect.timeoutOption(interruptTimeout)
    )
  })
  const quit = Effect.gen(function* () {
    if (isBusy(runtime.memory().tracker.view.state)) yield* interrupt
    // A CLI that wants its quit key twice draws in between; two in one write may count as one.
    for (const key of input.quit) {
      const before = screen.text()
      pressKey(key)
      // A CLI that exits at the first key draws nothing more, and its host exits too.
      yield* holdsWithin(() => screen.text() !== before, keyTimeout).pipe(Effect.raceFirst(end.wait))
      if (yield* end.isReached) return true
    }
    return yield* endsWithin(quitTimeout)
  })
  const stopChild = Effect.fn("stopChild")(function* (child: PtyHandle, force: boolean) {
    if (!force && (yield* quit)) return
    yield* child.signal(force ? "SIGKILL" : "SIGHUP")
    if (yield* endsWithin(hangupTimeout)) return
    yield* child.signal("SIGKILL")
  })

  return SessionStop.of({
    isRequested: () => isRequested,
    isForced: () => isForced,
    cause: () => cause,
    awaitRequest: requested.await,
    stop: (force, why = "asked") =>
      Effect.suspend(() => {
        if (!isRequested) {
          record.ending(why)
          cause = why === "asked" ? null : why
        }
        isRequested = true
        isForced ||= force
        requested.openUnsafe()
        const child = pty.child()
        return child === null ? Effect.void : stopChild(child, force)
      })
  })
})

export const layer = Layer.effect(SessionStop, make)
