import { assert, describe, it } from "@effect/vitest"
import { backgroundWorkState } from "../../../../src/domain/engine/tracker/FactsFrame.ts"
import { blankFacts, ScreenFacts } from "../../../../src/domain/words/session/Screen.ts"
import { frame, play, type Trace, t } from "../../../support/session/trace.ts"

const box = { draft: "" } as const

describe("background work on the screen", () => {
  it.each<readonly [string, Partial<ScreenFacts>, "active" | "finished" | "unknown"]>([
    ["some, the box hidden", { background: 1 }, "active"],
    ["none", { box, background: 0 }, "finished"],
    ["none, the box hidden", { background: 0 }, "unknown"],
    ["not told", { box, background: null }, "unknown"],
    ["nothing drawn", {}, "unknown"],
    ["blank", { blank: true, background: 0 }, "unknown"],
    ["blank, whatever else", { blank: true, box, background: 3 }, "unknown"]
  ])("%s", (_, more, expected) => {
    assert.strictEqual(backgroundWorkState({ ...blankFacts, blank: false, ...more }), expected)
  })

  it.prop(
    "is never certain on a blank screen, nor finished without the box",
    { screen: ScreenFacts },
    ({ screen }) => {
      const state = backgroundWorkState(screen)
      if (screen.blank || screen.background === null) assert.strictEqual(state, "unknown")
      if (screen.box === null) assert.notStrictEqual(state, "finished")
      if (state === "active") assert.isAbove(screen.background ?? 0, 0)
    },
    { arbitrary: { runs: 500 } }
  )
})

describe("background work that the screen told of", () => {
  const passing = frame({ background: null })
  const rest: Trace = [t(1, frame()), t(3, frame({ background: 1 }))]
  const states = (trace: Trace, until: number) => {
    const { view } = play([...rest, ...trace], until, {
      tells: { programStatus: false, ownStatus: false, turnHooks: false }
    })
    return [view.state, view.ready]
  }

  it.each<readonly [string, Trace, number, readonly [string, boolean]]>([
    ["is over when the screen says so", [t(10, frame({ background: 0 }))], 15, ["idle", true]],
    ["lives on while the screen has no room for it", [[10, passing]], 15, ["churning", false]],
    ["is believed for a minute", [[10, passing]], 80, ["idle", true]]
  ])("%s", (_, trace, until, expected) => {
    assert.deepStrictEqual<unknown>(states(trace, until), expected)
  })
})
