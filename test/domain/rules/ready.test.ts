import { assert, describe, it } from "@effect/vitest"
import { settling } from "../../../src/domain/rules/limits.ts"
import { draft, ended, frame, keys, picker, play, report, started, type Trace, working } from "../../support/trace.ts"

const atRest: Trace = [[0.5, frame()], [0.6, report("idle")]]
const ready = (trace: Trace, at: number) => play(trace, at).view

describe("what keeps a session at rest from being ready", () => {
  const view = settling.view / 1000
  it.each<readonly [string, Trace, number, boolean, RegExp | null]>([
    ["a key that opens views", [...atRest, [9, keys("other")]], 9 + view - 0.1, false, /opens views/],
    ["that key, long ago", [...atRest, [9, keys("other")]], 9 + view, true, null],
    ["that key, and another since", [...atRest, [9, keys("other")], [10, keys("navigate")]], 10.1 + settling.key / 1000, true, null],
    ["a picker that has closed", [...atRest, [9, picker], [20, frame()]], 20 + settling.command / 1000 - 0.1, false, /picker has just closed/],
    ["a picker that closed a while ago", [...atRest, [9, picker], [20, frame()]], 20 + settling.command / 1000, true, null]
  ])("%s", (_, trace, at, expected, reason) => {
    const said = ready(trace, at)
    assert.deepStrictEqual([said.state, said.ready], ["idle", expected], said.reason)
    if (reason !== null) assert.match(said.reason, reason)
  })

  const sent: Trace = [...atRest, [4, draft("fix it")], [4.1, keys("text")], [5, keys("enter")], [5.1, frame()], [5.1, report("working")], [5.2, started("fix it")], [5.25, working()], [5.4, frame()]]
  const over = 5.5
  it.each<readonly [string, Trace, boolean]>([
    ["the Enter that sent a prompt is answered by its turn's end", [...sent, [5.4, ended()], [over, report("done")]], true],
    ["and by the CLI's own word of it", [...sent, [over, report("done")]], true],
    ["a key after it is not", [...sent, [5.3, keys("navigate")], [over, report("done")]], false],
    ["and a rest that is no end does not answer it", [...sent, [over, report("idle")]], false]
  ])("%s", (_, trace, expected) => {
    assert.strictEqual(ready(trace, over + settling.told / 1000 + 0.1).ready, expected)
  })
})
