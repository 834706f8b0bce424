import { assert, describe, it } from "@effect/vitest"
import type { Detection } from "../../../../src/domain/cli/provider/Detection.ts"
import { limits, settling } from "../../../../src/domain/engine/tracker/stateRules/limits.ts"
import type { SessionState } from "../../../../src/domain/words/session/Session.ts"
import {
  draft,
  ended,
  everything,
  frame,
  keys,
  nothing,
  own,
  play,
  signal,
  started,
  type Trace,
  working,
  t
} from "../../../support/session/trace.ts"

type Row = readonly [name: string, trace: Trace, at: number, state: SessionState, ready?: boolean]

const check = (cases: ReadonlyArray<Row>, tells: Detection["capabilities"] = nothing) =>
  it.each(cases.map(([name, trace, at, state, ready]) => ({ name, trace, at, state, ready })))(
    "$name",
    ({ at, ready, state, trace }) => {
      const { view } = play(trace, at, { tells })
      assert.strictEqual(view.state, state, view.reason._tag)
      if (ready !== undefined) assert.strictEqual(view.ready, ready, view.reason._tag)
    }
  )

const submit: Trace = [t(4, draft("fix it")), t(4.1, keys("text")), t(5, keys("enter"))]

describe("Escape when the work has just gone from the screen", () => {
  // the turn is over; that it is, leap knows a moment later
  const over: Trace = [
    t(0.5, frame()),
    ...submit,
    t(5.4, working()),
    t(6, working()),
    t(7, frame()),
    t(7.1, keys("escape"))
  ]
  const later = 7.2 + limits.quiet / 1000
  check([
    ["stops nothing", [...over, t(7.15, frame())], later, "idle"],
    [
      "stops a turn that was between two phases, as its line tells",
      [...over, t(7.3, frame({ interrupted: true }))],
      later,
      "interrupted",
      false
    ],
    ["stops nothing if work goes on", [...over, t(7.3, working()), t(9.5, working())], 9.6, "running"],
    [
      "stops a turn of which the CLI itself has said that it works",
      [...over.slice(0, -1), t(6.5, own("work")), t(7.1, keys("escape")), t(7.3, own("rest"))],
      later,
      "interrupted"
    ],
    [
      "stops a turn that shows its work",
      [...over.slice(0, -2), t(7.1, keys("escape")), t(7.2, frame())],
      later,
      "interrupted"
    ]
  ])
})

describe("a prompt on the heels of another", () => {
  const two: Trace = [
    t(0.5, frame()),
    ...submit,
    t(5.1, draft("and that")),
    t(5.2, keys("text", "enter")),
    t(5.3, frame())
  ]
  const submission = limits.submission / 1000
  check([
    ["does not take back that the first was given", two, 5.4, "running"],
    ["for as long as one prompt would count", two, 5 + submission, "idle"],
    [
      "nor does a third",
      [...two, t(5.5, draft("too")), t(5.6, keys("text", "enter")), t(5.7, frame())],
      5.8,
      "running"
    ],
    [
      "is next when the first is done",
      [...two, t(5.6, working()), t(7, working()), t(8, ended()), t(8, frame())],
      8.4,
      "running"
    ],
    [
      "is next: it is not yet the time for another",
      [...two, t(5.6, working()), t(7, working()), t(8, ended()), t(8, frame())],
      10.5,
      "idle",
      false
    ]
  ])
  check(
    [
      [
        "given to a turn that works counts for no turn of its own",
        [
          t(0.5, frame()),
          ...submit,
          t(5.1, started()),
          t(5.2, working()),
          t(5.3, draft("and that")),
          t(5.4, keys("text", "enter")),
          t(5.5, working()),
          t(6, ended()),
          t(6, frame())
        ],
        6.1 + limits.typedAhead / 1000,
        "idle"
      ]
    ],
    { ...nothing, turnHooks: true }
  )
})

describe("Escape when the CLI's hook has just told the turn's end", () => {
  const over: Trace = [
    t(0.5, frame()),
    ...submit,
    t(5.2, started()),
    t(5.3, own("work")),
    t(5.4, working()),
    t(7, ended())
  ]
  check(
    [
      ["stops nothing", [...over, t(7.1, keys("escape")), t(7.2, own("rest")), t(7.2, frame())], 8, "idle"],
      [
        "stops what the CLI says that it stopped",
        [...over, t(7.1, keys("escape")), t(7.2, own("rest")), t(7.2, frame({ interrupted: true }))],
        8,
        "interrupted"
      ],
      [
        "stops what still works long after it",
        [...over, t(9, working()), t(9.1, keys("escape")), t(9.2, own("rest")), t(9.2, frame())],
        10,
        "interrupted"
      ]
    ],
    everything
  )
})

describe("a stop that comes before the hook of the turn's beginning", () => {
  const stopped: Trace = [t(0.5, frame()), ...submit, t(5.1, frame()), t(6, keys("ctrl-c"))]
  check(
    [
      [
        "counts for that turn",
        [...stopped, t(6.1, started()), t(6.2, frame())],
        6.3 + limits.quiet / 1000,
        "interrupted",
        false
      ],
      ["counts for it for ever", [...stopped, t(6.1, started()), t(6.2, frame())], 60, "interrupted", false],
      [
        "counts for it when its work was on screen before",
        [...stopped.slice(0, -1), t(5.5, working()), t(6, keys("ctrl-c")), t(6.1, started()), t(6.2, frame())],
        8,
        "interrupted",
        false
      ],
      ["counts for no turn that begins later", [...stopped, t(8, started())], 8.2, "running"],
      [
        "counts for no turn of which the CLI had told",
        [...stopped.slice(0, -1), t(5.2, started()), t(6, keys("ctrl-c")), t(6.1, started())],
        6.3,
        "running"
      ],
      ["is taken back by work that goes on", [...stopped, t(6.1, started()), t(9, working())], 9.1, "running"]
    ],
    { ...nothing, turnHooks: true }
  )
})

describe("a prompt of which nothing comes", () => {
  const unanswered = settling.unanswered / 1000
  const given: Trace = [t(0.5, frame()), ...submit, t(5.1, frame({ title: "rest" }))]
  check([
    ["forbids the next for a while", given, 5 + unanswered - 0.1, "idle", false],
    ["and not for ever", given, 5 + unanswered, "idle", true],
    [
      "unless it was a command",
      [t(0.5, frame()), t(4, draft("/cost")), t(4.1, keys("text")), t(5, keys("enter")), t(5.1, frame())],
      5.1 + settling.command / 1000,
      "idle",
      true
    ],
    ["unless something came of it", [...given, t(5.5, working()), t(6, frame({ title: "rest" }))], 8.5, "idle", true],
    [
      "unless its failure was told",
      [...given, t(5.5, signal({ _tag: "TurnFailed", problem: null, message: "no" }))],
      8.5,
      "idle",
      true
    ]
  ])
})

describe("a prompt typed ahead that the turn has taken in", () => {
  const taken: Trace = [
    t(0.5, frame()),
    ...submit,
    t(5.1, started()),
    t(5.2, working()),
    t(6, draft("and that")),
    t(6.1, keys("text", "enter")),
    t(6.2, working())
  ]
  check(
    [
      [
        "is not the next one",
        [...taken, t(6.3, started("and that")), t(8, ended()), t(8, frame())],
        8.1,
        "idle",
        false
      ],
      [
        "is the next one when the hook was still that of the prompt before it",
        [
          t(0.5, frame()),
          ...submit,
          t(5.1, draft("and that")),
          t(5.2, keys("text", "enter")),
          t(5.3, started()),
          t(5.4, working()),
          t(8, ended()),
          t(8, frame())
        ],
        8.1,
        "running"
      ],
      ["is the next one when no hook has told of it", [...taken, t(8, ended()), t(8, frame())], 8.1, "running"]
    ],
    { ...nothing, turnHooks: true }
  )
})
