import { assert, describe } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Tag } from "../../../../src/domain/words/session/Tag.ts"
import { forChosen } from "../../../../src/programs/commands/shared/many.ts"
import { fail } from "../../../../src/programs/exit.ts"
import { Output } from "../../../../src/services/Output.ts"
import { effect } from "../../../support/run/effects.ts"
import { each } from "../../../support/data/fields.ts"

const tags = ["slow", "quick", "failing", "middle"].map((tag) => Tag.make(tag))
const lasts: Record<string, number> = { slow: 300, quick: 100, failing: 50, middle: 200 }

/** Sessions that take different times, the second one failing. */
const ran = Effect.fnUntraced(function* (json: boolean) {
  const lines: Array<string> = []
  const output = Layer.mock(Output, {
    isTerminal: false,
    inputIsTerminal: false,
    errorIsTerminal: false,
    colour: false,
    line: (text) => Effect.sync(() => void lines.push(text)),
    note: (text) => Effect.sync(() => void lines.push(text))
  })
  const fiber = yield* forChosen({ _tag: "Many", tags }, json, (tag) =>
    Effect.delay(
      tag === "failing"
        ? Effect.fail(fail("refused", "not now"))
        : Effect.succeed({ document: { tag }, text: `done ${tag}` }),
      lasts[tag]!
    )
  ).pipe(Effect.result, Effect.provide(output), Effect.forkChild)
  const after: Array<ReadonlyArray<string>> = []
  for (const wait of [100, 100, 100]) {
    yield* TestClock.adjust(wait)
    after.push([...lines])
  }
  yield* Fiber.join(fiber)
  return { lines, after }
})

describe("a command for several sessions", () => {
  effect("reports in the order in which they were named, each as soon as those before it are told", function* () {
    const { after, lines } = yield* ran(false)
    assert.deepStrictEqual(lines, [
      "slow  done slow",
      "quick  done quick",
      "leap: failing: not now",
      "middle  done middle"
    ])
    assert.deepStrictEqual(each(after, "length"), [0, 0, 4])
  })

  effect("and so does its document", function* () {
    const { lines } = yield* ran(true)
    const { results } = JSON.parse(lines[0] ?? "") as {
      readonly results: ReadonlyArray<{ readonly tag: string; readonly exitCode: number }>
    }
    assert.deepStrictEqual(each(results, "tag"), ["slow", "quick", "failing", "middle"])
    assert.isAbove(results[2]!.exitCode, 0)
  })
})
