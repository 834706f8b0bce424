import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as ProvidersBuiltin from "../src/layers/providers/ProvidersBuiltin.ts"
import * as ScreenXterm from "../src/layers/terminal/ScreenXterm.ts"
import { isThorough } from "./support/run/thorough.ts"
import { colourless, list, sets, setsOf, setsOnDisk, textOf } from "./support/recordings/recordings.ts"
import { bars, judge, type Said, score, split, total, under } from "./support/recordings/score.ts"
import { liveWith } from "./support/run/effects.ts"

const live = Layer.mergeAll(ProvidersBuiltin.layer, ScreenXterm.layer)

/** All of them are held to the same bars, in both ways, by `npm run score`. */
describe("recordings", () => {
  it("are those that the tests know of", () => assert.deepStrictEqual(setsOnDisk(), sets.toSorted()))
})

describe("recordings without their colours", () => {
  for (const [cli, its] of Object.entries(setsOf)) {
    liveWith(live)(`of ${cli} are read by screen, title and input alone, and ready only when they are`, function* () {
      const mine = its.flatMap(list).filter((_, n) => isThorough || n % 24 === 0)
      const figures = total(yield* Effect.forEach(mine, (name) => score(colourless(textOf(name)), true)))
      // a placeholder that only its colour tells from a draft keeps the box from being ready: that is safe, and said
      const bar = { "right %": 95, "false ready s": 0 }
      assert.deepStrictEqual(under(figures, bar), [], JSON.stringify(figures))
    })
  }
})

describe("the scorer", () => {
  const truth = [
    { t: 0, state: "starting" },
    { t: 1, state: "idle" },
    { t: 5, state: "running" },
    { t: 10, state: "needs_input" },
    { t: 14, state: "running" },
    { t: 15, state: "idle" }
  ]
  const said = (...list: ReadonlyArray<readonly [number, string, boolean]>): ReadonlyArray<Said> =>
    list.map(([t, state, ready]) => ({ t, state, ready }))
  const right = said(
    [0, "starting", false],
    [1, "idle", true],
    [5, "running", false],
    [10.2, "needs_permission", false],
    [14, "running", false],
    [15.2, "idle", false],
    [16, "idle", true]
  )

  it("finds nothing wrong with the truth", () => {
    const one = judge(truth, right, 20)
    assert.deepStrictEqual([one.right, one.unsafe, one.falseReady, one.stuck, one.misses], [one.total, 0, 0, 0, 0])
    assert.deepStrictEqual(
      one.idleLatencies.map((s) => Number(s.toFixed(3))),
      [0, 0.2]
    )
    assert.deepStrictEqual(
      one.dialogLatencies.map((s) => Number(s.toFixed(3))),
      [0.2]
    )
  })

  it("counts readiness in a turn and in a dialog", () => {
    const one = judge(truth, said([0, "idle", true]), 20)
    // 5.3 to 10 in the turn, 10.3 to 14 in the dialog, 14.3 to 14.5 after it
    assert.closeTo(one.unsafe, 8.6, 1e-6)
    assert.strictEqual(one.misses, 3)
  })

  it("counts an interrupted session that is ready as false, not as unsafe", () => {
    const one = judge(
      [
        { t: 0, state: "idle" },
        { t: 5, state: "interrupted" }
      ],
      said([0, "idle", true]),
      10
    )
    assert.deepStrictEqual([one.unsafe, Number(one.falseReady.toFixed(3))], [0, 4.7])
  })

  it("counts how long readiness takes where nobody presses a key", () => {
    const latencies = (keys: ReadonlyArray<number>) => judge(truth, right, 20, keys).readyLatencies
    assert.deepStrictEqual(latencies([]), [1])
    assert.deepStrictEqual([latencies([14.9, 18.1]), latencies([15.5])], [[1], []])
  })

  it("counts a turn that never ends", () => {
    const one = judge(truth, right.slice(0, 3), 20)
    assert.closeTo(one.stuck, 3, 1e-6)
    assert.isBelow(one.right / one.total, 0.8)
  })

  it("hides the labels from what it judges", () => {
    const { cli, end, seen, truth } = split(
      [
        `{"version":2,"width":80,"height":24,"leap":{"cli":"claude"}}`,
        `[0.1,"m","truth:starting"]`,
        `[0.2,"m","note:x"]`,
        `[0.3,"m","hook:Stop {}"]`,
        `[0.4,"m","model:start 1"]`,
        `[0.5,"o","x"]`,
        `[0.7,"m","truth:exited {}"]`,
        `[0.8,"o","y"]`
      ].join("\n")
    )
    assert.deepStrictEqual(seen.slice(1), [
      `[0.3,"m","hook:Stop {}"]`,
      `[0.5,"o","x"]`,
      `[0.8,"o","y"]`,
      `[0.8,"k",""]`
    ])
    assert.deepStrictEqual([cli, end, truth.map(({ state }) => state)], ["claude", 0.7, ["starting", "exited"]])
  })

  it("knows what is under a bar", () => {
    const figures = total([judge(truth, said([0, "idle", true]), 20)])
    assert.deepStrictEqual(
      under(figures, bars.hooks).map((why) => why.split(" is ")[0]),
      ["right %", "false ready s"]
    )
    const never = total([
      judge(
        truth,
        right.map((one) => ({ ...one, ready: false })),
        20
      )
    ])
    assert.deepStrictEqual(under(never, bars.hooks), ["ready p50 is Infinity, the bar is 1"])
    assert.lengthOf(under(total([judge(truth, right, 20)]), bars.hooks), 0)
  })
})
