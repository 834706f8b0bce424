import { stateReasonWords } from "../../../../src/domain/words/wording/reasonWords.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { explain } from "../../../../src/domain/engine/tracker/Explain.ts"
import { SessionEvent } from "../../../../src/domain/words/session/SessionEvent.ts"
import { defaultModes } from "../../../../src/domain/words/session/Session.ts"
import * as Tracker from "../../../../src/domain/engine/tracker/Tracker.ts"
import {
  begin,
  ended,
  everything,
  frame,
  keys,
  own,
  play,
  report,
  started,
  type Trace,
  working,
  t
} from "../../../support/session/trace.ts"
import { each } from "../../../support/data/fields.ts"

const why = (trace: Trace, until: number) => {
  const { facts, view } = play(trace, until)
  return { view, ...explain({ capabilities: everything })(facts, begin + until * 1000) }
}

describe("why a session is in its state", () => {
  it("names the rule that decided, and what was overruled by it", () => {
    const found = why([t(0, frame()), t(5, report("working")), t(5.1, working()), t(6, frame({ title: "rest" }))], 9)
    assert.deepStrictEqual(found.decided, { rule: "told-working", state: "running", reason: "program status: working" })
    assert.isTrue(found.holds.some(({ name }) => name === "not-told-rest"))
    const silent = why([t(0, frame()), t(5, own("rest")), t(6, working())], 6.5)
    assert.strictEqual(silent.decided.rule, "screen-working")
  })

  it("tells every hold of a session at rest, not only the first", () => {
    const found = why(
      [t(0, frame()), t(1, own("rest")), t(5, keys("text")), t(5.1, frame({ box: { draft: "x" } }))],
      5.5
    )
    assert.deepStrictEqual(each(found.holds, "name"), ["draft", "key"])
  })

  it("lists what is known with the strongest source first", () => {
    const found = why(
      [
        t(0, frame()),
        t(1, report("idle")),
        t(2, own("rest")),
        t(3, started()),
        t(4, ended()),
        t(5, frame({ title: "rest" }))
      ],
      9
    )
    assert.deepStrictEqual(each(found.evidence, "source"), [
      "program status",
      "session file",
      "hooks",
      "hooks",
      "title",
      "screen",
      "output"
    ])
    assert.strictEqual(found.evidence[2]?.says, "a turn ended")
    assert.strictEqual(found.evidence[0]?.since, begin + 1000)
  })

  it.prop("agrees with the machine at every moment", { events: Schema.Array(SessionEvent) }, ({ events }) => {
    const track = Tracker.track({ capabilities: everything })
    let memory = Tracker.start(0, defaultModes)
    for (const event of events) {
      memory = track(memory, { ...event, at: Math.abs(event.at) % 1e6 })
      const { decided, holds } = explain({ capabilities: everything })(memory.facts, memory.facts.at)
      assert.strictEqual(decided.state, memory.view.state)
      assert.isTrue(stateReasonWords(memory.view.reason).startsWith(decided.reason))
      if (memory.view.ready) assert.deepStrictEqual(holds, [])
      const names = holds.map(({ name }) => name)
      assert.isFalse(names.includes("no-box") && names.includes("draft"), "no text is in a box that is not there")
    }
  })
})
