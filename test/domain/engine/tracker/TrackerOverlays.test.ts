import { assert, describe, it } from "@effect/vitest"
import type { Dialog } from "../../../../src/domain/words/session/Screen.ts"
import { limits } from "../../../../src/domain/engine/tracker/stateRules/limits.ts"
import {
  dialog,
  draft,
  ended,
  everything,
  frame,
  keys,
  nothing,
  own,
  picker,
  play,
  report,
  signal,
  started,
  type Trace,
  working,
  t
} from "../../../support/session/trace.ts"

const told = (trace: Trace, until: number) => play(trace, until, { tells: everything }).view
const seen = (trace: Trace, until: number) => play(trace, until, { tells: nothing }).view
const second = (milliseconds: number) => milliseconds / 1_000

/** A turn that is over, and a shell that it left running. */
const churning: Trace = [
  t(0, frame()),
  t(0, report("idle")),
  t(5, draft("go")),
  t(5.5, keys("enter")),
  t(5.7, started()),
  t(5.8, report("working")),
  t(5.9, working()),
  t(7, report("working", { id: "b1" })),
  t(8, ended(["b1"])),
  t(8.1, frame({ background: 1 }))
]

describe("a picker over background work", () => {
  const opened: Trace = [...churning, t(12, draft("/tasks")), t(12.5, keys("enter")), t(12.7, picker)]
  it("does not make the turn go on", () => {
    assert.deepStrictEqual(
      [told(churning, 10).state, told(opened, 13).state, told(opened, 16).state],
      ["churning", "churning", "churning"]
    )
    assert.isFalse(told(opened, 30).ready)
  })

  it("is closed by Escape, which stops nothing", () => {
    const closed: Trace = [...opened, t(16, keys("escape")), t(16.2, frame({ background: 1 }))]
    assert.deepStrictEqual([told(closed, 17).state, told(closed, 30).state], ["churning", "churning"])
  })
})

describe("a picker over a running turn", () => {
  const turn: Trace = [
    t(0, frame()),
    t(5, draft("go")),
    t(5.5, keys("enter")),
    t(6, working()),
    t(8, working()),
    t(8.2, picker)
  ]
  it("leaves it running, as far as anything moves", () => {
    assert.strictEqual(seen([...turn, t(9, picker)], 12).state, "running")
    assert.strictEqual(seen(turn, 8.2 + second(limits.indicator) + 1).state, "idle", "nothing moves any more")
    assert.isFalse(seen(turn, 600).ready)
  })

  it("leaves it running when it takes an Escape itself", () => {
    assert.strictEqual(seen([...turn, t(9, keys("escape")), t(9.1, picker)], 9.5).state, "running")
  })
})

describe("a prompt that comes back into the box", () => {
  const turn = (back: string, ...more: Trace): Trace => [
    t(0, frame()),
    t(0, own("rest")),
    t(5, draft("fix it")),
    t(5.5, keys("enter")),
    t(5.6, frame()),
    t(5.7, started("fix it")),
    t(5.8, own("work")),
    ...more,
    t(7, own("rest")),
    [7.1, back === "" ? frame() : draft(back)]
  ]

  it("was refused: nothing was stopped", () => {
    assert.deepStrictEqual([told(turn("fix it"), 7.5).state, told(turn("fix  it "), 30).state], ["idle", "idle"])
    const cleared: Trace = [...turn("fix it"), t(20, frame())]
    assert.deepStrictEqual([told(cleared, 30).state, told(cleared, 30).ready], ["idle", true])
  })

  it("is no other text, and none that was typed meanwhile", () => {
    assert.strictEqual(told(turn(""), 30).state, "interrupted")
    assert.strictEqual(told(turn("another"), 30).state, "interrupted")
    assert.strictEqual(told(turn("fix it", [6.5, keys("text")]), 30).state, "interrupted")
  })
})

describe("Escape in what is no part of a turn", () => {
  const left = (kind: Dialog["kind"]): Trace => [
    t(0, frame()),
    t(0, report("idle")),
    t(5, dialog({ kind })),
    t(8, keys("escape")),
    t(8.3, frame())
  ]
  it("stops none", () => {
    assert.deepStrictEqual([told(left("login"), 20).state, told(left("trust"), 20).state], ["idle", "idle"])
    assert.strictEqual(told(left("permission"), 20).state, "interrupted")
  })
})

describe("a mode of the box that hides the signs of work", () => {
  const mute = (more = {}) => frame({ mute: true, ...more })
  const turn: Trace = [
    [0, mute()],
    t(5, draft("go")),
    t(5.5, keys("enter")),
    [6, mute({ working: true })],
    [8, mute({ working: true })]
  ]
  const moving: Trace = [...turn, [8.2, mute()], [9.5, mute()], [11, mute()]]

  it("leaves the output to go by", () => {
    assert.deepStrictEqual(
      [seen(moving, 12).state, seen(moving, 11.1 + second(limits.moving)).state],
      ["running", "idle"]
    )
    const plain: Trace = [...turn, t(8.2, frame()), t(9.5, frame()), t(11, frame())]
    assert.strictEqual(seen(plain, 12).state, "idle")
  })
})

describe("a bare word that the user stopped the turn", () => {
  it("counts in a turn only", () => {
    const stopped = signal({ _tag: "Interrupted", at: null }, "signal interrupted")
    assert.strictEqual(
      told([t(0, frame()), t(5, started()), t(6, working()), [8, stopped], t(8.1, frame())], 10).state,
      "interrupted"
    )
    assert.strictEqual(told([t(0, frame()), [8, stopped]], 10).state, "idle")
  })
})
