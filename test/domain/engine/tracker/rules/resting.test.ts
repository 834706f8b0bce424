import { assert, describe, it } from "@effect/vitest"
import { limits } from "../../../../../src/domain/engine/tracker/rules/limits.ts"
import {
  draft,
  frame,
  keys,
  nothing,
  play,
  report,
  started,
  type Trace,
  working
} from "../../../../support/session/trace.ts"

describe("a turn without an end hook", () => {
  const turn: Trace = [
    [0.5, frame()],
    [0.6, report("idle")],
    [4, draft("fix it")],
    [4.1, keys("text")],
    [5, keys("enter")],
    [5.1, frame()],
    [5.1, report("working")],
    [5.2, started("fix it")],
    [5.3, working()],
    [6.9, frame()]
  ]
  const late = limits.endHook / 1000 + 0.1
  it.each<readonly [string, Trace, number, string]>([
    ["that came to rest by itself was stopped", [...turn, [7, report("idle")]], 7 + late, "interrupted"],
    ["that failed was not", [...turn, [7, report("error")]], 7 + late, "idle"],
    [
      "that failed was not, though a key takes the failure back",
      [...turn, [7, report("error")], [9, keys("text")], [9.1, draft("a")], [9.1, report("idle")]],
      9.1 + late,
      "idle"
    ]
  ])("%s", (_, trace, at, state) => {
    const { view } = play(trace, at)
    assert.strictEqual(view.state, state, view.reason)
  })
})

describe("a screen that no longer tells of work", () => {
  const worked: Trace = [
    [0.5, frame()],
    [4, draft("fix it")],
    [4.1, keys("text")],
    [5, keys("enter")],
    [5.4, working({ title: "work" })]
  ]
  it.each<readonly [string, Trace, number, string]>([
    ["may be between two phases", [...worked, [9, frame()]], 9.1, "running"],
    ["is at rest a moment later", [...worked, [9, frame()]], 9 + limits.quiet / 1000, "idle"],
    [
      "is at rest when the title has told of work for longer, and tells of it no more",
      [...worked, [9, frame({ title: "work" })], [9.1, frame({ title: "work" })], [9.2, frame()]],
      9.2,
      "idle"
    ]
  ])("%s", (_, trace, at, state) => {
    const { view } = play(trace, at, { tells: nothing })
    assert.strictEqual(view.state, state, view.reason)
  })
})
