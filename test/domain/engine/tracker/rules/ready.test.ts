import { reasonWords } from "../../../../../src/domain/words/wording/reasonWords.ts"
import { assert, describe, it } from "@effect/vitest"
import { limits, settling } from "../../../../../src/domain/engine/tracker/rules/limits.ts"
import {
  draft,
  ended,
  frame,
  keys,
  permission,
  picker,
  play,
  report,
  signal,
  started,
  type Trace,
  working,
  t
} from "../../../../support/session/trace.ts"

const atRest: Trace = [t(0.5, frame()), t(0.6, report("idle"))]
const ready = (trace: Trace, at: number) => play(trace, at).view

describe("what keeps a session at rest from being ready", () => {
  const view = settling.view / 1000
  it.each<readonly [string, Trace, number, boolean, RegExp | null]>([
    ["a key that opens views", [...atRest, t(9, keys("other"))], 9 + view - 0.1, false, /opens views/],
    ["that key, long ago", [...atRest, t(9, keys("other"))], 9 + view, true, null],
    [
      "that key, and another since",
      [...atRest, t(9, keys("other")), t(10, keys("navigate"))],
      10.1 + settling.key / 1000,
      true,
      null
    ],
    [
      "a picker that has closed",
      [...atRest, t(9, picker), t(20, frame())],
      20 + settling.command / 1000 - 0.1,
      false,
      /picker has just closed/
    ],
    [
      "a picker that closed a while ago",
      [...atRest, t(9, picker), t(20, frame())],
      20 + settling.command / 1000,
      true,
      null
    ]
  ])("%s", (_, trace, at, expected, reason) => {
    const said = ready(trace, at)
    assert.deepStrictEqual([said.state, said.ready], ["idle", expected], said.reason._tag)
    if (reason !== null) assert.match(reasonWords(said), reason)
  })

  // Each alone: every other condition is met.
  const told = settling.reported / 1000
  const silence = limits.contradicted / 1000
  const byScreen: Trace = [t(0.5, frame())]
  const asks = signal({ _tag: "Asked", kind: "permission", tool: null, message: null })
  const aheadOf: Trace = [
    ...atRest,
    t(4, draft("a")),
    t(4.1, keys("text")),
    t(5, keys("enter")),
    t(5.1, report("working")),
    t(5.1, working()),
    t(6, draft("b")),
    t(6.1, keys("text", "enter")),
    t(6.2, working()),
    t(9, report("done")),
    t(9, frame())
  ]
  it.each<readonly [string, Trace, number, boolean, RegExp | null]>([
    ["a CLI that has just started", atRest, 0.5 + settling.start / 1000 - 0.1, false, /just started/],
    ["one that started a while ago", atRest, 0.5 + settling.start / 1000, true, null],
    [
      "a permission that something asks for",
      [...atRest, t(9, asks)],
      9 + settling.permission / 1000 - 0.1,
      false,
      /permission is being asked/
    ],
    [
      "that permission, which leap has answered",
      [...atRest, t(9, asks), t(9.05, { _tag: "Decided" })],
      9 + settling.permission / 1000 - 0.1,
      true,
      null
    ],
    ["that permission, and no dialog for a while", [...atRest, t(9, asks)], 9 + settling.permission / 1000, true, null],
    ["that box, a while ago", [...atRest, t(9, draft("half")), t(20, frame())], 20 + told, true, null],
    [
      "the CLI's word that it rests, which has just come",
      [...atRest, t(9, report("working")), t(20, report("idle"))],
      20 + told - 0.1,
      false,
      /turn has just ended/
    ],
    ["that word, a while ago", [...atRest, t(9, report("working")), t(20, report("idle"))], 20 + told, true, null],
    [
      "a dialog that the CLI's word denies",
      [...atRest, t(9, frame({ dialog: permission }))],
      9.1 + silence,
      false,
      /dialog is open/
    ],
    [
      "a title that speaks of work, although nothing moves",
      [...byScreen, t(9, frame({ title: "work" }))],
      9.1 + silence,
      false,
      /title shows work/
    ],
    ["that title, against the CLI's own word", [...atRest, t(9, frame({ title: "work" }))], 12, true, null],
    ["a prompt typed ahead", aheadOf, 9 + settling.typedAhead / 1000 - 0.1, false, /typed ahead/],
    ["that prompt, of which nothing came", aheadOf, 9 + settling.typedAhead / 1000, true, null]
  ])("%s, and nothing else", (_, trace, at, expected, reason) => {
    const said = ready(trace, at)
    assert.deepStrictEqual(
      [said.state === "idle" || said.state === "churning", said.ready],
      [true, expected],
      said.reason._tag
    )
    if (reason !== null) assert.match(reasonWords(said), reason)
  })

  const sent: Trace = [
    ...atRest,
    t(4, draft("fix it")),
    t(4.1, keys("text")),
    t(5, keys("enter")),
    t(5.1, frame()),
    t(5.1, report("working")),
    t(5.2, started("fix it")),
    t(5.25, working()),
    t(5.4, frame())
  ]
  const over = 5.5
  it.each<readonly [string, Trace, boolean]>([
    [
      "the Enter that sent a prompt is answered by its turn's end",
      [...sent, t(5.4, ended()), t(over, report("done"))],
      true
    ],
    ["and by the CLI's own word of it", [...sent, t(over, report("done"))], true],
    ["a key after it is not", [...sent, t(5.3, keys("navigate")), t(over, report("done"))], false],
    ["and a rest that is no end does not answer it", [...sent, t(over, report("idle"))], false]
  ])("%s", (_, trace, expected) => {
    assert.strictEqual(ready(trace, over + settling.reported / 1000 + 0.1).ready, expected)
  })
})
