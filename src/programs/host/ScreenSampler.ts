import { Clock, Context, Effect, Latch, Layer } from "effect"
import { sessionReader } from "../../domain/cli/provider/ScreenReading.ts"
import type { ScreenFacts } from "../../domain/words/session/Screen.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import * as EchoFirst from "./EchoFirst.ts"
import { SessionMetrics } from "./SessionMetrics.ts"
import { SessionRuntime } from "./SessionRuntime.ts"
import { SessionScreen } from "./SessionScreen.ts"
import { whenever } from "./waits.ts"

/**
 * Reads the screen after output for the session's machine: after viewers got the first chunk of a burst, then at most
 * once an interval, and always after the last chunk.
 */
export class ScreenSampler extends Context.Service<
  ScreenSampler,
  {
    readonly request: () => void
    readonly read: () => ScreenFacts
  }
>()("leap/programs/host/ScreenSampler") {}

/** The least time between two samples, in milliseconds; people see no difference below it. */
const sampleInterval = 12
/** With much output, reads take at most this share of the time, because each read draws the screen. */
const share = 1 / 8
/** The cap on a measured read time, which a clock change or a sleep of the machine may distort. */
const longestLook = 250
/** A synchronized update that stays unfinished for longer than this is read as it is. */
const frameLimit = "1 second"

const make = Effect.gen(function* () {
  const screen = yield* SessionScreen
  const runtime = yield* SessionRuntime
  const clock = yield* Clock.Clock
  const readScreen = sessionReader((yield* CLIProvider).detection)
  const metrics = yield* SessionMetrics
  const requested = yield* Latch.make(false)
  const echoFirst = yield* EchoFirst.EchoFirst
  let isAsked = false

  /** Returns whether the frame was complete. An incomplete one only counts as output, unless `trust` is set. */
  const sample = (trust: boolean) =>
    Effect.sync(() => {
      const { isWhole, read } = metrics.look(() => {
        const view = screen.view()
        const isWhole = view.whole || trust
        return { isWhole, read: isWhole ? readScreen(view) : null }
      })
      runtime.offer({ _tag: "Output", at: clock.currentTimeMillisUnsafe(), screen: read })
      return isWhole
    })
  const sampleOnce = Effect.gen(function* () {
    const begun = clock.currentTimeMillisUnsafe()
    const isWhole = yield* sample(false)
    const took = clock.currentTimeMillisUnsafe() - begun
    yield* Effect.sleep(Math.max(sampleInterval, Math.min(took, longestLook) / share))
    if (isWhole) return
    yield* Effect.raceFirst(requested.await, Effect.andThen(Effect.sleep(frameLimit), sample(true)))
  })
  yield* whenever(requested, sampleOnce)

  const open = (): void => {
    isAsked = false
    requested.openUnsafe()
  }
  return ScreenSampler.of({
    request: () => {
      if (isAsked) return
      isAsked = true
      // lets the program that just got the output use the processor
      echoFirst.run(open)
    },
    read: () => readScreen(screen.view())
  })
})

export const layer = Layer.effect(ScreenSampler, make).pipe(Layer.provide(EchoFirst.layer))
