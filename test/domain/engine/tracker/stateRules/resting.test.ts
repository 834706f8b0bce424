import { assert, describe, it } from "@effect/vitest"
import { limits } from "../../../../../src/domain/engine/tracker/stateRules/limits.ts"
import {
  draft,
  frame,
  keys,
  nothing,
  play,
  report,
  started,
  type Trace,
  working,
  t
} from "../../../../support/session/trace.ts"

describe("a turn without an end hook", () => {
  const turn: Trace = [
    t(0.5, frame()),
    t(0.6, report("idle")),
    t(4, draft("fix it")),
    t(4.1, keys("text")),
    t(5, keys("enter")),
    t(5.1, frame()),
    t(5.1, report("working")),
    t(5.2, started("fix it")),
    t(5.3, working()),
    t(6.9, frame())
  ]
  const late = limits.endHook / 1000 + 0.1
  it.each<readonly [string, Trace, number, string]>([
    ["that came to rest by itself was stopped", [...turn, t(7, report("idle"))], 7 + late, "interrupted"],
    [
      "that failed was not, though a key takes the failure back",
      [...turn, t(7, report("error")), t(9, keys("text")), t(9.1, draft("a")), t(9.1, report("idle"))],
      9.1 + late,
      "idle"
    ]
  ])("%s", (_, trace, at, state) => {
    const { view } = play(trace, at)
    assert.strictEqual(view.state, state, view.reason._tag)
  })
})

describe("a screen that no longer tells of work", () => {
  const worked: Trace = [
    t(0.5, frame()),
    t(4, draft("fix it")),
    t(4.1, keys("text")),
    t(5, keys("enter")),
    t(5.4, working({ title: "work" }))
  ]
  it.each<readonly [string, Trace, number, string]>([
    ["may be between two phases", [...worked, t(9, frame())], 9.1, "running"],
    ["is at rest a moment later", [...worked, t(9, frame())], 9 + limits.quiet / 1000, "idle"],
    [
      "is at rest when the title has told of work for longer, and tells of it no more",
      [...worked, t(9, frame({ title: "work" })), t(9.1, frame({ title: "work" })), t(9.2, frame())],
      9.2,
      "idle"
    ]
  ])("%s", (_, trace, at, state) => {
    const { view } = play(trace, at, { tells: nothing })
    assert.strictEqual(view.state, state, view.reason._tag)
  })
})
