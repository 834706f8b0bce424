import { assert, describe, it } from "@effect/vitest"
import { limits } from "../../../../src/domain/engine/tracker/stateRules/limits.ts"
import { ended, frame, nothing, own, play, started, type Trace, working, t } from "../../../support/session/trace.ts"

const at = (trace: Trace, until: number, tells = { ...nothing, turnHooks: true }) => play(trace, until, { tells }).view
const span = limits.text / 1000

/** A row that looks like a running indicator stands on after the turn. */
const row = working({ activity: "Environment loaded", picture: 7 })
const over: Trace = [t(0, frame()), t(5, started()), [5.2, row], t(10, ended()), [10.1, row]]

describe("a row that looks like work", () => {
  it("is text when a hook has told the turn's end and it has not moved since", () => {
    assert.deepStrictEqual([at(over, 10 + span - 0.1).state, at(over, 10 + span - 0.1).ready], ["running", false])
    const later = at(over, 10 + span + limits.text / 1000)
    assert.deepStrictEqual([later.state, later.ready], ["idle", true])
  })

  it("stays text while the picture is the same", () => {
    const typed: Trace = [...over, t(20, working({ activity: "Environment loaded", picture: 7 }))]
    assert.deepStrictEqual([at(typed, 22).state, at(typed, 22).ready], ["idle", true])
  })

  it("is work when it moves", () => {
    const turns = Array.from({ length: 40 }, (_, n): Trace[number] => [
      10.2 + n / 2,
      working({ activity: "Thinking", picture: n })
    ])
    assert.strictEqual(at([...over, ...turns], 29).state, "running")
    const again: Trace = [...over, t(20, working({ activity: "Thinking", picture: 8 }))]
    assert.deepStrictEqual([at(again, 20.2).state, at(again, 20.2).ready], ["running", false])
  })

  it("is work while the CLI itself says so, and text when it says that it rests", () => {
    const says = (phase: "work" | "rest") => at([...over, t(10.2, own(phase))], 30)
    assert.deepStrictEqual([says("work").state, says("work").ready], ["running", false])
    assert.deepStrictEqual([says("rest").state, says("rest").ready], ["idle", true])
  })
})
