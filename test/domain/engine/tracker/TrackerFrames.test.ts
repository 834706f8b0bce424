import { reasonWords } from "../../../../src/domain/words/wording/reasonWords.ts"
import { assert, describe, it } from "@effect/vitest"
import { blankFacts, type ScreenFacts } from "../../../../src/domain/words/session/Screen.ts"
import {
  dialog,
  frame,
  keys,
  picker,
  play,
  started,
  type Step,
  type Trace,
  working,
  t
} from "../../../support/session/trace.ts"

const hooksOnly = { programStatus: false, ownStatus: false, turnHooks: true } as const
const look = (trace: Trace, at: number) => play(trace, at, { tells: hooksOnly }).view
/** A terminal read in the middle of a redraw: neither box nor anything in its place. */
const torn = (more: Partial<ScreenFacts> = {}): Step => ({
  _tag: "Output",
  screen: { ...blankFacts, blank: false, ...more }
})
/** A half-drawn frame is believed from then on. */
const limit = 0.25
const submitted: Trace = [
  t(0.5, frame()),
  t(4, frame({ box: { draft: "fix it" } })),
  t(4.1, keys("text")),
  t(5, keys("enter")),
  t(5.1, started())
]

describe("a frame that is half drawn", () => {
  const atRest: Trace = [t(0.5, frame())]

  it("keeps a session at rest from being ready, and nothing else", () => {
    const before = look(atRest, 4)
    const during = look([...atRest, t(5, torn())], 5.1)
    assert.deepStrictEqual([before.state, before.ready, before.dialog], ["idle", true, false])
    assert.deepStrictEqual([during.state, during.ready, during.dialog], ["idle", false, false])
    assert.deepStrictEqual(during.notReady, { _tag: "Blocked", by: "torn" })
  })

  it("is believed when it stays", () => {
    const view = look([...atRest, t(5, torn())], 5 + limit)
    assert.deepStrictEqual([view.ready, view.dialog], [false, true])
    assert.match(reasonWords(view), /its input box is not on screen/)
  })

  it("is believed when the rest of it never comes, however often it is drawn", () => {
    const trace: Trace = [...submitted, t(5.4, working()), t(6, dialog()), t(8, torn()), t(8.1, torn()), t(8.2, torn())]
    assert.notStrictEqual(look(trace, 8 + limit + 0.01).state, "needs_permission")
  })
})

describe("a turn that no hook ended", () => {
  const stopped: Trace = [...submitted, t(5.4, working()), t(6, working())]

  it("is over soon when the user stopped it and the screen rests", () => {
    const trace: Trace = [...stopped, t(7, keys("escape")), t(7.1, frame())]
    assert.strictEqual(look(trace, 7.2).state, "running")
    assert.strictEqual(look(trace, 7.5).state, "interrupted")
  })

  it("is over at once when the screen says that it was stopped, by whatever key", () => {
    const trace: Trace = [
      ...submitted,
      t(5.4, working()),
      t(6, dialog()),
      t(8, keys("enter")),
      t(8.1, frame({ interrupted: true }))
    ]
    assert.strictEqual(look(trace, 8.15).state, "interrupted")
  })

  it("stays over, whatever is opened and closed afterwards", () => {
    const trace: Trace = [...stopped, t(7, frame()), t(20, picker), t(22, frame())]
    assert.strictEqual(look(trace, 9).state, "idle")
    assert.strictEqual(look(trace, 21).state, "idle")
    const closed = look(trace, 22.1)
    assert.strictEqual(closed.state, "idle", closed.reason._tag)
    assert.strictEqual(look([...trace, t(23, started())], 23.1).state, "running", "until the next one")
  })
})
