import { assert, describe } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { demoInput } from "../../../src/domain/providers/demo/Input.ts"
import type { EndCause } from "../../../src/domain/words/session/exitText.ts"
import type { SessionState } from "../../../src/domain/words/session/Session.ts"
import { provider as demo } from "../../../src/layers/providers/demo/Provider.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import type { HostedChild } from "../../../src/programs/host/CliProcess.ts"
import { HostedPty } from "../../../src/programs/host/HostedPty.ts"
import { Keyboard } from "../../../src/programs/host/Keyboard.ts"
import * as SessionEnd from "../../../src/programs/host/SessionEnd.ts"
import * as SessionScreen from "../../../src/programs/host/SessionScreen.ts"
import * as SessionStop from "../../../src/programs/host/SessionStop.ts"
import { CLIProvider } from "../../../src/services/CLIProvider.ts"
import { contextOf, publisherOf, recordOf, RuntimeFake, withFacts } from "../../support/host/parts.ts"
import { effect } from "../../support/run/effects.ts"

/** A CLI that wants its quit key twice; `done` is all that was done to it. */
const session = Effect.fnUntraced(function* (state: SessionState, hasChild = true) {
  const runtime = new RuntimeFake()
  runtime.memory = withFacts(runtime.memory, {}, { state })
  const publisher = yield* publisherOf({ state })
  const done: Array<string> = []
  const causes: Array<EndCause> = []
  const onKey: { react: (data: string) => Effect.Effect<void> } = { react: () => Effect.void }
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const child = {
    pid: 9,
    startedAt: 0,
    signal: (name: string) => Effect.sync(() => void done.push(name))
  } as HostedChild
  const context = yield* Layer.build(
    SessionStop.layer.pipe(
      Layer.provideMerge([SessionEnd.layer, SessionScreen.layer]),
      Layer.provide([
        contextOf(),
        publisher.layer,
        runtime.layer,
        ScreenXterm.layer,
        Layer.succeed(CLIProvider, { ...demo, input: { ...demoInput, quit: ["q", "q"], interrupt: "i" } }),
        recordOf(causes),
        Layer.mock(HostedPty, { child: () => (hasChild ? child : null), resize: () => {}, redraw: () => {} }),
        Layer.succeed(Keyboard, {
          press: ({ by, data, keys }) => {
            assert.deepStrictEqual([by, keys], ["leap", []])
            done.push(data)
            run(onKey.react(data))
          },
          pressOwn: () => assert.fail("the machine is not told of these keys")
        })
      ])
    )
  )
  return {
    causes,
    done,
    end: Context.get(context, SessionEnd.SessionEnd),
    onKey,
    publisher,
    screen: Context.get(context, SessionScreen.SessionScreen),
    stop: Context.get(context, SessionStop.SessionStop)
  }
})

describe("stopping", () => {
  effect("before there is a CLI is only remembered, and whoever waits for it is told", function* () {
    const { done, stop } = yield* session("starting", false)
    const waits = yield* Effect.forkChild(stop.awaitRequest, { startImmediately: true })
    assert.isFalse(stop.isRequested())
    yield* stop.stop(false)
    yield* Fiber.join(waits)
    assert.deepStrictEqual([stop.isRequested(), done], [true, []])
  })

  effect(
    "presses the next quit key as soon as the screen shows the one before, and no more once the CLI is gone",
    function* () {
      const { done, end, onKey, screen, stop } = yield* session("idle")
      let presses = 0
      onKey.react = () =>
        ++presses === 1
          ? Effect.sync(() => screen.feed(Buffer.from("again to quit")))
          : end.reach({ code: 0, signal: null })
      const stopping = yield* Effect.forkChild(stop.stop(false))
      yield* TestClock.adjust("100 millis")
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(done, ["q", "q"])
    }
  )

  effect("goes no further when the CLI leaves at the first key", function* () {
    const { done, end, onKey, stop } = yield* session("idle")
    onKey.react = () => end.reach({ code: 0, signal: null })
    const stopping = yield* Effect.forkChild(stop.stop(false))
    yield* TestClock.adjust("100 millis")
    yield* Fiber.join(stopping)
    assert.deepStrictEqual(done, ["q"])
  })

  effect("interrupts a turn first, and waits for its end, but not for long", function* () {
    const { done, publisher, stop } = yield* session("running")
    yield* Effect.forkScoped(stop.stop(false), { startImmediately: true })
    yield* TestClock.adjust("300 millis")
    assert.deepStrictEqual(done, ["i"])
    yield* publisher.set({ state: "interrupted" })
    yield* TestClock.adjust(1)
    assert.deepStrictEqual(done, ["i", "q"])
    const other = yield* session("needs_permission")
    yield* Effect.forkScoped(other.stop.stop(false), { startImmediately: true })
    yield* TestClock.adjust("1400 millis")
    assert.deepStrictEqual(other.done, ["i"])
    yield* TestClock.adjust("200 millis")
    assert.deepStrictEqual(other.done, ["i", "q"])
  })

  effect("by force presses nothing: it kills, and kills again when that did nothing", function* () {
    const { causes, done, stop } = yield* session("running")
    const stopping = yield* Effect.forkChild(stop.stop(true, "signal"), { startImmediately: true })
    assert.deepStrictEqual(done, ["SIGKILL"])
    yield* TestClock.adjust("2 seconds")
    yield* Fiber.join(stopping)
    assert.deepStrictEqual(done, ["SIGKILL", "SIGKILL"])
    // who asks again has not ended it
    yield* Effect.forkScoped(stop.stop(true), { startImmediately: true })
    assert.deepStrictEqual(causes, ["signal"])
  })
})
