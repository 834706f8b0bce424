import { reasonWords } from "../../../../src/domain/words/wording/reasonWords.ts"
import { assert, describe, it } from "@effect/vitest"
import { limits } from "../../../../src/domain/engine/tracker/stateRules/limits.ts"
import { ended, frame, keys, nothing, play, started, type Trace, working, t } from "../../../support/session/trace.ts"

const at = (trace: Trace, until: number) => play(trace, until, { tells: { ...nothing, turnHooks: true } }).view
const still = limits.still / 1000

/** A prompt is given; text grows above the box every two seconds, with no other sign of work. */
const stream = (more = {}): Trace => [
  t(0, frame({ letters: 100, ...more })),
  t(5, frame({ letters: 100, box: { draft: "go" }, ...more })),
  t(5.1, keys("text", "enter")),
  t(5.3, frame({ letters: 102, ...more })),
  ...Array.from({ length: 20 }, (_, n): Trace[number] => [9 + 2 * n, frame({ letters: 110 + n, ...more })])
]
const last = 9 + 2 * 19

describe("a turn of which no known sign tells", () => {
  it("goes on while text grows above the box, and is over when it has stood still", () => {
    for (const second of [11, 20, 46, last + still - 0.1]) {
      const view = at(stream(), second)
      assert.deepStrictEqual([view.state, view.ready], ["running", false], `${second}`)
    }
    assert.deepStrictEqual([at(stream(), last + still).state, at(stream(), last + still).ready], ["idle", true])
  })

  it("is not over because nothing is written yet", () => {
    const waiting = stream().slice(0, 4)
    const view = at(waiting, 5.1 + still - 0.1)
    assert.isFalse(view.ready)
    assert.match(reasonWords(view), /nothing that is known shows that the turn is over/)
    assert.isTrue(at(waiting, 5.1 + still).ready)
  })

  it("is over when a hook tells its end", () => {
    const told: Trace = [...stream(), t(last + 1, ended()), t(last + 1.2, frame({ letters: 131 }))]
    assert.deepStrictEqual([at(told, last + 3).state, at(told, last + 3).ready], ["idle", true])
  })

  it("that only a hook has begun is no shorter", () => {
    const begun: Trace = [t(0, frame({ letters: 1 })), t(5, started()), ...stream().slice(4)]
    assert.strictEqual(at(begun, 46).state, "running")
  })
})

describe("text that grows", () => {
  const quietly = (grow: Trace) => at([t(0, frame({ letters: 100 })), ...grow], 40)
  it("is no work where no turn was begun", () =>
    assert.deepStrictEqual(
      [quietly([t(39, frame({ letters: 150 }))]).state, quietly([t(39, frame({ letters: 150 }))]).ready],
      ["idle", true]
    ))

  it("is none of a turn's that ended with its indicator", () => {
    const drawn: Trace = [
      t(5, frame({ letters: 100, box: { draft: "go" } })),
      t(5.1, keys("text", "enter")),
      t(6, working({ letters: 102 })),
      t(20, frame({ letters: 160 })),
      t(20.1, frame({ letters: 170 }))
    ]
    assert.strictEqual(quietly(drawn).state, "idle")
  })
})
