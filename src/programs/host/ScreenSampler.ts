import { Clock, Context, Effect, Latch, Layer } from "effect"
import { sessionReader } from "../../domain/cli/provider/ScreenReading.ts"
import type { ScreenFacts } from "../../domain/words/session/Screen.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import * as EchoFirst from "./EchoFirst.ts"
import { SessionMetrics } from "./SessionMetrics.ts"
import { SessionRuntime } from "./SessionRuntime.ts"
import { SessionScreen } from "./SessionScreen.ts"

/**
 * Reads the screen after output, for the session's machine: when the first chunk of a burst is through to the viewers,
 * then at most once an interval, and always after the last chunk.
 */
export class ScreenSampler extends Context.Service<
  ScreenSampler,
  {
    /** The screen may have changed. */
    readonly request: () => void
    /** What the provider reads off the screen as it is now, whole or not. */
    readonly read: () => ScreenFacts
  }
>()("leap/programs/host/ScreenSampler") {}

/** The least time between two samples, in milliseconds: what a person cannot tell apart need not be read twice. */
const sampleInterval = 12
/** In a flood, looks take no more than this share of the time: it is drawn only where somebody looks. */
const share = 1 / 8
/** No look takes longer, whatever the clock says: it may be set, or the machine sleep, while one is under way. */
const longestLook = 250
/** A frame that a synchronized update keeps unfinished for longer than this is read as it is. */
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

  /** Gives whether the frame was whole. One that is not is only reported as output, unless it has to be trusted. */
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
  yield* Effect.gen(function* () {
    yield* requested.await
    yield* requested.close
    const begun = clock.currentTimeMillisUnsafe()
    const isWhole = yield* sample(false)
    const took = clock.currentTimeMillisUnsafe() - begun
    yield* Effect.sleep(Math.max(sampleInterval, Math.min(took, longestLook) / share))
    if (isWhole) return
    yield* Effect.raceFirst(requested.await, Effect.andThen(Effect.sleep(frameLimit), sample(true)))
  }).pipe(Effect.forever, Effect.forkScoped)

  const open = (): void => {
    isAsked = false
    requested.openUnsafe()
  }
  return ScreenSampler.of({
    request: () => {
      if (isAsked) return
      isAsked = true
      // who was just sent the output may be waiting for this processor
      echoFirst.run(open)
    },
    read: () => readScreen(screen.view())
  })
})

export const layer = Layer.effect(ScreenSampler, make).pipe(Layer.provide(EchoFirst.layer))
