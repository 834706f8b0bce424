import { assert, describe } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { provider as demo } from "../../../src/layers/providers/demo/Provider.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import * as ScreenSampler from "../../../src/programs/host/ScreenSampler.ts"
import * as SessionScreen from "../../../src/programs/host/SessionScreen.ts"
import { CLIProvider } from "../../../src/services/CLIProvider.ts"
import { contextOf, RuntimeFake } from "../../support/host/parts.ts"
import { effect } from "../../support/run/effects.ts"

const sessionOf = Effect.fnUntraced(function* (provider: typeof demo) {
  const runtime = new RuntimeFake()
  const context = yield* Layer.build(
    ScreenSampler.layer.pipe(
      Layer.provideMerge(SessionScreen.layer),
      Layer.provide([contextOf(), runtime.layer, ScreenXterm.layer, Layer.succeed(CLIProvider, provider)])
    )
  )
  const screen = Context.get(context, SessionScreen.SessionScreen)
  const sampler = Context.get(context, ScreenSampler.ScreenSampler)
  return {
    sampler,
    print: (text: string) => {
      screen.feed(Buffer.from(text))
      sampler.request()
    },
    /** When samples were taken, and whether the screen was read. */
    samples: () => runtime.take().map((event) => [event.at, event._tag === "Output" && event.screen !== null])
  }
})
const session = sessionOf(demo)

describe("the screen", () => {
  effect(
    "is read when output is through to who is shown it, then once an interval, and after the last chunk of a burst",
    function* () {
      const { print, samples } = yield* session
      yield* TestClock.adjust(100)
      assert.deepStrictEqual(samples(), [], "nothing is read while nothing comes")
      for (let i = 0; i < 10; i++) {
        print("x")
        yield* TestClock.adjust(2)
      }
      yield* TestClock.adjust(100)
      assert.deepStrictEqual(samples(), [
        [102, true],
        [114, true],
        [126, true]
      ])
      yield* TestClock.adjust(1000)
      assert.deepStrictEqual(samples(), [])
    }
  )

  effect("is not read inside a synchronized update, until that ends, or has lasted for a second", function* () {
    const { print, samples, sampler } = yield* session
    print("\x1b[?2026h half")
    yield* TestClock.adjust(500)
    assert.deepStrictEqual(samples(), [[2, false]])
    assert.isNotNull(sampler.read(), "who asks for it gets it as it is")
    print(" whole\x1b[?2026l")
    yield* TestClock.adjust(100)
    assert.deepStrictEqual(samples(), [[502, true]])
    print("\x1b[?2026h never ends")
    yield* TestClock.adjust(900)
    assert.deepStrictEqual(samples(), [[602, false]])
    yield* TestClock.adjust(200)
    assert.deepStrictEqual(samples(), [[1614, true]])
  })

  effect(
    "is read again soon when the clock leaps ahead in the middle of a look, as when the machine sleeps",
    function* () {
      const clock = yield* Clock.Clock
      let ahead = 0
      const leaping = { ...clock, currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + ahead }
      const readScreen: typeof demo.detection.readScreen = (view) => {
        ahead = 8 * 3_600_000
        return demo.detection.readScreen(view)
      }
      const { print, samples } = yield* sessionOf({ ...demo, detection: { ...demo.detection, readScreen } }).pipe(
        Effect.provideService(Clock.Clock, leaping)
      )
      print("before the lid is closed")
      yield* TestClock.adjust(100)
      print("after it is opened")
      yield* TestClock.adjust(3000)
      assert.strictEqual(samples().length, 2)
    }
  )
})
