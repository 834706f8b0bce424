import { reasonWords } from "../../../../src/domain/words/wording/reasonWords.ts"
import { assert, describe, it } from "@effect/vitest"
import { limits } from "../../../../src/domain/engine/tracker/stateRules/limits.ts"
import { explain } from "../../../../src/domain/engine/tracker/Explain.ts"
import * as Tracker from "../../../../src/domain/engine/tracker/Tracker.ts"
import { type CommonReading, unrecognizedFacts } from "../../../../src/domain/words/session/Screen.ts"
import { defaultModes, type UnknownLayout } from "../../../../src/domain/words/session/Session.ts"
import { begin, frame, nothing, permission, settle, type Step, type Trace, t } from "../../../support/session/trace.ts"

const nobody: CommonReading = { dialog: null, box: null, working: false, ownsKeys: false }
const unknown = (common: Partial<CommonReading>): Step => ({
  _tag: "Output",
  screen: { ...unrecognizedFacts, common: { ...nobody, ...common } }
})
const seen = (trace: Trace, until: number, unknownLayout?: UnknownLayout) => {
  const track = Tracker.track({ capabilities: nothing })
  let memory = Tracker.start(begin, defaultModes, "UTC", unknownLayout)
  for (const [second, step] of trace) {
    const at = begin + second * 1000
    memory = track(settle(track, memory, at).memory, { ...step, at })
  }
  return settle(track, memory, begin + until * 1000).memory
}
const at = (trace: Trace, until: number, layout?: UnknownLayout) => seen(trace, until, layout).view

const wait = limits.unknown / 1000
const dialog = { ...permission, kind: "other" as const }

describe("a screen of which the CLI's own reader recognizes nothing", () => {
  it("is a dialog by the common reading after a while, and never at rest", () => {
    const asked: Trace = [[1, unknown({ dialog })]]
    assert.strictEqual(at(asked, 1 + wait - 0.1).state, "starting")
    for (const second of [1 + wait + 0.5, 60, 600]) {
      const view = at(asked, second)
      assert.deepStrictEqual([view.state, view.ready, view.dialog], ["needs_permission", false, true], `${second}`)
    }
  })

  it("is never ready by its box alone, says why, and does not start for ever", () => {
    const boxed: Trace = [[1, unknown({ box: { draft: "" } })]]
    const view = at(boxed, 1 + limits.still / 1000)
    assert.deepStrictEqual([view.state, view.ready], ["idle", false])
    assert.match(reasonWords(view), /not known to leap/)
    assert.isFalse(at(boxed, 3_600).ready)
    const { evidence } = explain({ capabilities: nothing })(seen(boxed, 60).facts, begin + 60_000)
    assert.isTrue(evidence.some(({ says }) => says.includes("nothing that leap knows")))
  })

  it("is ready by its box where the user trusts the common reading, and not at work or under a dialog", () => {
    const trusted = (common: Partial<CommonReading>) => at([[1, unknown(common)]], 60, "trust").ready
    const box = { draft: "" }
    assert.isTrue(trusted({ box }))
    assert.isFalse(trusted({ box: { draft: "half" } }))
    assert.isFalse(trusted({}))
    assert.isFalse(trusted({ dialog }))
    const turning = Array.from({ length: 60 }, (_, n): Trace[number] => [1 + n, unknown({ box, working: true })])
    assert.isFalse(at(turning, 60, "trust").ready)
    assert.strictEqual(at(turning, 60, "trust").state, "running")
  })

  it("is the own reader's again with the first frame that it recognizes", () => {
    const known: Trace = [[1, unknown({ dialog })], t(10, frame({ resting: true }))]
    assert.deepStrictEqual([at(known, 13).state, at(known, 13).ready], ["idle", true])
  })
})
