import { Deferred, Effect, Schedule, Stream, SubscriptionRef } from "effect"
import type { InputProtocol } from "../../domain/InputProtocol.ts"
import type { ExitStatus } from "../../domain/Session.ts"
import type { PtyHandle } from "../../services/Pty.ts"
import type { ScreenHandle } from "../../services/Screen.ts"
import type { makeKeyboard } from "./keyboard.ts"
import type { Runtime } from "./runtime.ts"

/** How long a CLI may take to leave: when asked politely, and after a hang-up. */
const quitPatience = "4 seconds"
const hangupPatience = "2 seconds"
const interruptPatience = "1500 millis"
/** How long a key may take to show on the screen. */
const keyPatience = "500 millis"
const busyStates: ReadonlySet<string> = new Set(["running", "needs_permission", "needs_input"])

export interface StopOptions {
  readonly input: InputProtocol
  readonly keyboard: ReturnType<typeof makeKeyboard>
  readonly runtime: Runtime
  readonly screen: ScreenHandle
  readonly exit: Deferred.Deferred<ExitStatus>
}

/** Ends a CLI: its own quit keys first, then a hang-up, then a kill; with `force` the kill at once. */
export const stopCli = Effect.fn("stopCli")(function*({ exit, input, keyboard, runtime, screen }: StopOptions, child: PtyHandle, force: boolean) {
  const gone = (patience: typeof quitPatience | typeof hangupPatience) =>
    Deferred.await(exit).pipe(Effect.timeoutOption(patience), Effect.map((ended) => ended._tag === "Some"))
  if (!force) {
    if (busyStates.has(runtime.memory().tracker.view.state)) {
      keyboard.press(input.interrupt, [], "leap")
      yield* SubscriptionRef.changes(runtime.status).pipe(
        Stream.filter((status) => !busyStates.has(status.state)),
        Stream.runHead,
        Effect.timeoutOption(interruptPatience)
      )
    }
    // a CLI that wants its quit key twice says so in between; two in one write may count as one
    for (const key of input.quit) {
      const before = screen.text()
      keyboard.press(key, [], "leap")
      yield* Effect.suspend(() => screen.text() === before ? Effect.fail("the same") : Effect.void).pipe(
        Effect.retry(Schedule.spaced("20 millis")),
        // one that left at the first key shows nothing more, and its host goes with it
        Effect.raceFirst(Deferred.await(exit)),
        Effect.timeoutOption(keyPatience),
        Effect.ignore
      )
      if (yield* Deferred.isDone(exit)) return
    }
    if (yield* gone(quitPatience)) return
  }
  yield* child.signal(force ? "SIGKILL" : "SIGHUP")
  if (yield* gone(hangupPatience)) return
  yield* child.signal("SIGKILL")
})
