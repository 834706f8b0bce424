import { assert, describe } from "@effect/vitest"
import { type Cause, type Duration, Effect, Fiber, Queue } from "effect"
import { TestClock } from "effect/testing"
import { span } from "../../../src/domain/surfaces/tui/Paint.ts"
import type { ScreenEvent, ScreenState } from "../../../src/domain/surfaces/tui/Screen.ts"
import { runScreen } from "../../../src/programs/prompts/runScreen.ts"
import * as Fake from "../../support/fakes/UserTerminalFake.ts"
import { effectWith } from "../../support/run/effects.ts"

type Event = ScreenEvent | { readonly _tag: "Told"; readonly text: string }
interface State extends ScreenState {
  readonly told: string
  readonly ticks: number
}

/** Shows what it is told, and how often time has passed; `!` is done, and `^` wants the terminal. */
const update = (state: State, event: Event): { readonly state: State; readonly commands: ReadonlyArray<string> } => {
  switch (event._tag) {
    case "Pressed":
      return { state: { ...state, left: event.key.key === "escape" }, commands: [] }
    case "Resized":
      return { state: { ...state, size: event.size }, commands: [] }
    case "TimePassed":
      return { state: { ...state, ticks: state.ticks + 1 }, commands: [] }
    case "Told":
      return {
        state: { ...state, told: state.told + event.text },
        commands: /[!^]/.test(event.text) ? [event.text] : []
      }
  }
}

const passes = (time: Duration.Input) =>
  Effect.andThen(TestClock.adjust(time), Effect.repeat(Effect.yieldNow, { times: 60 }))

const open = Effect.gen(function* () {
  const terminal = yield* Fake.UserTerminalFake
  const events = yield* Queue.unbounded<Event, Cause.Done>()
  const begun: Array<string> = []
  const running = yield* runScreen({
    state: { size: { cols: 1, rows: 1 }, redraws: 0, left: false, told: "", ticks: 0 },
    update,
    view: ({ size, ticks, told }) => ({ lines: [[span(`${size.cols} ${told} ${ticks}`)]], cursor: null }),
    events,
    begin: (command) => Effect.sync(() => void begun.push(command)),
    givesUp: (command) => command === "^",
    changesIn: () => 1_000
  }).pipe(Effect.forkChild)
  yield* passes(0)
  const tell = (...texts: ReadonlyArray<string>) =>
    Effect.andThen(
      Queue.offerAll(
        events,
        texts.map((text) => ({ _tag: "Told" as const, text }))
      ),
      passes(0)
    )
  return { ...terminal, begun, events, running, tell }
})

describe("a program on the whole screen", () => {
  effectWith(Fake.layer(20, 3))("has time pass for it, also while much else happens", function* () {
    const { begun, running, screen, tell, type } = yield* open
    assert.strictEqual(screen(), "20  0")
    yield* passes("1 second")
    assert.strictEqual(screen(), "20  1")
    for (const text of ["a", "b", "c", "!"]) {
      yield* passes("600 millis")
      yield* tell(text)
    }
    assert.strictEqual(screen(), "20 abc! 3")
    assert.deepStrictEqual(begun, ["!"])
    yield* type("\x1b")
    yield* passes("200 millis")
    assert.isNull((yield* Fiber.join(running)).command)
  })

  effectWith(Fake.layer(20, 3))("gives the terminal up with what happened meanwhile, and without keys", function* () {
    const { begun, events, left, running } = yield* open
    yield* Queue.offerAll(events, [
      { _tag: "Told", text: "a" },
      { _tag: "Told", text: "^" },
      { _tag: "Pressed", key: { key: "enter" }, at: 0 },
      { _tag: "Told", text: "b" }
    ])
    const { command, state } = yield* Fiber.join(running)
    assert.deepStrictEqual([command, state.told, begun], ["^", "a^", []])
    assert.deepStrictEqual(yield* Queue.takeAll(events), [{ _tag: "Told", text: "b" }])
    assert.deepStrictEqual(left(), [])
  })
})
