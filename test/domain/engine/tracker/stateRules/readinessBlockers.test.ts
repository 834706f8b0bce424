import { reasonWords } from "../../../../../src/domain/words/wording/reasonWords.ts"
import { assert, describe, it } from "@effect/vitest"
import { limits, settling } from "../../../../../src/domain/engine/tracker/stateRules/limits.ts"
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
  const look = (trace: Trace, at: number) => {
    const said = ready(trace, at)
    assert.isTrue(said.state === "idle" || said.state === "churning", said.reason._tag)
    return said
  }

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
  /** `until`: from then on it keeps the session no more. */
  it.each<readonly [string, Trace, until: number, RegExp]>([
    ["a key that opens views", [...atRest, t(9, keys("other"))], 9 + settling.view / 1000, /opens views/],
    [
      "a picker that has closed",
      [...atRest, t(9, picker), t(20, frame())],
      20 + settling.command / 1000,
      /picker has just closed/
    ],
    ["a CLI that has just started", atRest, 0.5 + settling.start / 1000, /just started/],
    [
      "a permission that something asks for",
      [...atRest, t(9, asks)],
      9 + settling.permission / 1000,
      /permission is being asked/
    ],
    [
      "the CLI's word that it rests, which has just come",
      [...atRest, t(9, report("working")), t(20, report("idle"))],
      20 + told,
      /turn has just ended/
    ],
    ["a prompt typed ahead", aheadOf, 9 + settling.typedAhead / 1000, /typed ahead/]
  ])("%s, and nothing else, for a while", (_, trace, until, reason) => {
    const before = look(trace, until - 0.1)
    assert.isFalse(before.ready)
    assert.match(reasonWords(before), reason)
    assert.isTrue(look(trace, until).ready)
  })

  it.each<readonly [string, Trace, number, RegExp]>([
    ["a dialog that the CLI's word denies", [...atRest, t(9, frame({ dialog: permission }))], 9.1, /dialog is open/],
    [
      "a title that speaks of work, although nothing moves",
      [...byScreen, t(9, frame({ title: "work" }))],
      9.1,
      /title shows work/
    ]
  ])("%s, and nothing else, however long", (_, trace, since, reason) => {
    const said = look(trace, since + silence)
    assert.isFalse(said.ready)
    assert.match(reasonWords(said), reason)
  })

  it.each<readonly [string, Trace, number]>([
    [
      "a key that opens views, and another since",
      [...atRest, t(9, keys("other")), t(10, keys("navigate"))],
      10.1 + settling.key / 1000
    ],
    [
      "a permission that leap has answered",
      [...atRest, t(9, asks), t(9.05, { _tag: "Decided" })],
      9 + settling.permission / 1000 - 0.1
    ],
    ["a box that had a text a while ago", [...atRest, t(9, draft("half")), t(20, frame())], 20 + told],
    ["a title that speaks of work, against the CLI's own word", [...atRest, t(9, frame({ title: "work" }))], 12]
  ])("not %s", (_, trace, at) => assert.isTrue(look(trace, at).ready))

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
