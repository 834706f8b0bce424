import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { claudeInput } from "../../../src/domain/providers/claude/Input.ts"
import type { Dialog } from "../../../src/domain/words/session/Screen.ts"
import * as Answerer from "../../../src/programs/host/Answerer.ts"
import { Keyboard } from "../../../src/programs/host/Keyboard.ts"
import { CLIProvider, type Provider } from "../../../src/services/CLIProvider.ts"
import { provider as claude } from "../../../src/layers/providers/claude/Provider.ts"
import { contextOf, RuntimeFake, withFacts } from "../../support/host/parts.ts"

const dialog: Dialog = {
  kind: "trust",
  title: "Do you trust this folder?",
  options: [
    { number: null, label: "No, exit", selected: true },
    { number: null, label: "Yes", selected: false }
  ]
}

/** A session that shows a dialog, and what comes of the keys that are pressed at it. */
const session = (answer: Provider["input"]["answer"], onKey: (runtime: RuntimeFake, data: string) => void) => {
  const runtime = new RuntimeFake()
  const show = (dialog: Dialog | null) => {
    const { screen } = runtime.memory.tracker.facts
    runtime.memory = withFacts(runtime.memory, { screen: { ...screen, dialog } })
  }
  show(dialog)
  const pressed: Array<string> = []
  const typed: Array<string | undefined> = []
  const layer = Answerer.layer.pipe(
    Layer.provide([
      contextOf(),
      runtime.layer,
      Layer.succeed(CLIProvider, { ...claude, input: { ...claudeInput, answer } }),
      Layer.succeed(Keyboard, {
        press: () => assert.fail("an answer is leap's own"),
        pressOwn: (data, answer) => {
          pressed.push(data)
          typed.push(answer)
          onKey(runtime, data)
        }
      })
    ])
  )
  return { layer, pressed, typed, runtime, show }
}
const give = (answer: string, expected?: Dialog) =>
  Effect.flatMap(Answerer.Answerer, (answerer) => answerer.answer(answer, expected))
const digits: Provider["input"]["answer"] = () => ({ _tag: "Keys", writes: ["1", "\r"] })

describe("an answer", () => {
  it.effect(
    "that ends the CLI is given, and waits for nothing more",
    () => {
      const { layer, pressed } = session(digits, (runtime) => {
        runtime.memory = withFacts(runtime.memory, {}, { state: "exited" })
      })
      return Effect.gen(function* () {
        // no clock is moved: whoever waits here waits for ever
        const given = yield* give("No, exit")
        assert.strictEqual(given.answer, "No, exit")
        assert.deepStrictEqual(pressed, ["1"])
      }).pipe(Effect.provide(layer))
    },
    5_000
  )

  it.effect(
    "is pressed key by key, each when the one before it has shown; by number or label it names the option",
    () => {
      const { layer, pressed, show, typed } = session(digits, (_, data) =>
        show(data === "1" ? { ...dialog, title: "Sure?" } : null)
      )
      return Effect.gen(function* () {
        assert.deepStrictEqual(yield* give("2"), { dialog, answer: "Yes" })
        assert.deepStrictEqual(pressed, ["1", "\r"])
        // what of it a box would show
        assert.deepStrictEqual(typed, ["1", ""])
        show(dialog)
        assert.strictEqual((yield* give(" yes ")).answer, "Yes")
      }).pipe(Effect.provide(layer))
    }
  )

  it.effect("is pressed again while the dialog does not react, and given up after the fourth time", () => {
    const { layer, pressed } = session(digits, () => {})
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.flip(give("2")))
      yield* TestClock.adjust("3900 millis")
      assert.deepStrictEqual(pressed, ["1", "1", "1", "1"])
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("200 millis")
      const refused = yield* Fiber.join(fiber)
      assert.strictEqual(refused.why, "the dialog did not react to \"1\": answer it in 'leap attach one'")
      assert.strictEqual(pressed.length, 4)
    }).pipe(Effect.provide(layer))
  })

  it.effect("that lands in an input box beside the dialog is taken back, and pressed no second time", () => {
    const box = (runtime: RuntimeFake, draft: string) => {
      const { screen } = runtime.memory.tracker.facts
      runtime.memory = withFacts(runtime.memory, { screen: { ...screen, box: { draft } } })
    }
    let draft = ""
    const { layer, pressed, runtime } = session(digits, (runtime, data) => {
      draft = data === "\u007f" ? draft.slice(0, -1) : draft + data
      box(runtime, draft)
    })
    return Effect.gen(function* () {
      box(runtime, "")
      const given = yield* Effect.forkChild(Effect.flip(give("2")))
      yield* TestClock.adjust("2 seconds")
      assert.match((yield* Fiber.join(given)).why, /^the keys go to its input box/)
      assert.deepStrictEqual([pressed, draft], [["1", "\u007f"], ""])
    }).pipe(Effect.provide(layer))
  })

  it.effect("by Enter is not given while a draft stands in a box beside the dialog", () => {
    const { layer, pressed, runtime } = session(
      () => ({ _tag: "Keys", writes: ["\r"] }),
      () => {}
    )
    return Effect.gen(function* () {
      const { screen } = runtime.memory.tracker.facts
      runtime.memory = withFacts(runtime.memory, { screen: { ...screen, box: { draft: "half a thought" } } })
      assert.match((yield* Effect.flip(give("2"))).why, /^the keys go to its input box/)
      assert.deepStrictEqual(pressed, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("whose dialog goes right before its patience ends is given, and pressed once", () => {
    const { layer, pressed, show } = session(
      () => ({ _tag: "Keys", writes: ["2"] }),
      () => {}
    )
    return Effect.gen(function* () {
      const given = yield* Effect.forkChild(give("2"))
      yield* TestClock.adjust("990 millis")
      show(null)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(given)).answer, "Yes")
      assert.deepStrictEqual(pressed, ["2"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("to one dialog is pressed but once, and never at another one", () => {
    const { layer, pressed, runtime, show } = session(digits, () => {})
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.flip(give("1", dialog)))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(pressed, ["1"])
      show({ ...dialog, title: "Another question" })
      assert.strictEqual((yield* Effect.flip(give("1", dialog))).why, "the dialog has changed")
      show(null)
      runtime.memory = withFacts(runtime.memory, {}, { state: "idle", reason: { _tag: "BoxShown" } })
      assert.strictEqual(
        (yield* Effect.flip(give("2"))).why,
        "there is no dialog to answer: 'one' is idle (the prompt is on screen)"
      )
      assert.deepStrictEqual(pressed, ["1"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("is not completed when the dialog goes away in the middle of it", () => {
    const { layer, pressed, show } = session(digits, () => show(null))
    return Effect.gen(function* () {
      assert.match((yield* Effect.flip(give("2"))).why, /went away before the answer was complete/)
      assert.deepStrictEqual(pressed, ["1"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("that the CLI's dialog cannot take is refused with its reason, and no key is pressed", () => {
    const { layer, pressed } = session(
      () => ({ _tag: "Refused", why: "there is no option 9" }),
      () => {}
    )
    return Effect.gen(function* () {
      assert.deepInclude(yield* Effect.flip(give("9")), { why: "there is no option 9", exitCode: 5 })
      assert.deepStrictEqual(pressed, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("waits for the one before it", () => {
    const { layer, pressed, show } = session(digits, () => {})
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.exit(give("2")))
      const second = yield* Effect.forkChild(Effect.exit(give("2")))
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual(pressed, ["1"])
      show(null)
      yield* TestClock.adjust("100 millis")
      yield* Fiber.join(first)
      const refused = yield* Fiber.join(second)
      assert.isTrue(Exit.isFailure(refused))
      assert.deepStrictEqual(pressed, ["1"], "there was nothing left to answer")
    }).pipe(Effect.provide(layer))
  })

  it.effect("by a number that the dialog does not show never chooses what ends the session", () => {
    const { layer, pressed } = session(digits, () => {})
    return Effect.gen(function* () {
      const { exitCode, why } = yield* Effect.flip(give("1"))
      assert.deepStrictEqual([exitCode, pressed], [5, []])
      assert.include(why, "its option 1 is 'No, exit'")
    }).pipe(Effect.provide(layer))
  })

  it.effect("by the beginning of a name is given to the CLI as that option", () => {
    const given: Array<string> = []
    const { layer, show } = session(
      (_, answer) => {
        given.push(answer)
        return { _tag: "Keys", writes: ["x"] }
      },
      () => show(null)
    )
    return Effect.gen(function* () {
      assert.strictEqual((yield* give("y")).answer, "Yes")
      show({ ...dialog, options: dialog.options.map((option, i) => ({ ...option, number: i + 1 })) })
      assert.strictEqual((yield* give("no")).answer, "No, exit")
      assert.deepStrictEqual(given, ["2", "1"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("that begins the name of an option which takes a text is that text", () => {
    const given: Array<string> = []
    const { layer, show } = session(
      (_, answer) => {
        given.push(answer)
        return /^\d+$/.test(answer) ? { _tag: "Refused", why: "takes a text" } : { _tag: "Keys", writes: ["x"] }
      },
      () => show(null)
    )
    return Effect.gen(function* () {
      show({ ...dialog, options: [{ number: 1, label: "No, and tell what to do", selected: true }] })
      yield* give("no")
      assert.deepStrictEqual(given, ["1", "no"])
    }).pipe(Effect.provide(layer))
  })
})
