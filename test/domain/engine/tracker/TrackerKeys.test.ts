import { assert, describe, it } from "@effect/vitest"
import type { Detection } from "../../../../src/domain/cli/provider/Detection.ts"
import { limits, settling } from "../../../../src/domain/engine/tracker/rules/limits.ts"
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
  working
} from "../../../support/session/trace.ts"

type Row = readonly [name: string, trace: Trace, at: number, state: SessionState, ready?: boolean]

const check = (cases: ReadonlyArray<Row>, tells: Detection["capabilities"] = nothing) =>
  it.each(cases.map(([name, trace, at, state, ready]) => ({ name, trace, at, state, ready })))(
    "$name",
    ({ at, ready, state, trace }) => {
      const { view } = play(trace, at, { tells })
      assert.strictEqual(view.state, state, view.reason)
      if (ready !== undefined) assert.strictEqual(view.ready, ready, view.reason)
    }
  )

const submit: Trace = [
  [4, draft("fix it")],
  [4.1, keys("text")],
  [5, keys("enter")]
]

describe("Escape when the work has just gone from the screen", () => {
  // the turn is over; that it is, leap knows a moment later
  const over: Trace = [[0.5, frame()], ...submit, [5.4, working()], [6, working()], [7, frame()], [7.1, keys("escape")]]
  const later = 7.2 + limits.quiet / 1000
  check([
    ["stops nothing", [...over, [7.15, frame()]], later, "idle"],
    [
      "stops a turn that was between two phases, as its line tells",
      [...over, [7.3, frame({ interrupted: true })]],
      later,
      "interrupted",
      false
    ],
    ["stops nothing if work goes on", [...over, [7.3, working()], [9.5, working()]], 9.6, "running"],
    [
      "stops a turn of which the CLI itself has said that it works",
      [...over.slice(0, -1), [6.5, own("work")], [7.1, keys("escape")], [7.3, own("rest")]],
      later,
      "interrupted"
    ],
    [
      "stops a turn that shows its work",
      [...over.slice(0, -2), [7.1, keys("escape")], [7.2, frame()]],
      later,
      "interrupted"
    ]
  ])
})

describe("a prompt on the heels of another", () => {
  const two: Trace = [[0.5, frame()], ...submit, [5.1, draft("and that")], [5.2, keys("text", "enter")], [5.3, frame()]]
  const submission = limits.submission / 1000
  check([
    ["does not take back that the first was given", two, 5.4, "running"],
    ["for as long as one prompt would count", two, 5 + submission, "idle"],
    ["nor does a third", [...two, [5.5, draft("too")], [5.6, keys("text", "enter")], [5.7, frame()]], 5.8, "running"],
    [
      "is next when the first is done",
      [...two, [5.6, working()], [7, working()], [8, ended()], [8, frame()]],
      8.4,
      "running"
    ],
    [
      "is next: it is not yet the time for another",
      [...two, [5.6, working()], [7, working()], [8, ended()], [8, frame()]],
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
          [0.5, frame()],
          ...submit,
          [5.1, started()],
          [5.2, working()],
          [5.3, draft("and that")],
          [5.4, keys("text", "enter")],
          [5.5, working()],
          [6, ended()],
          [6, frame()]
        ],
        6.1 + limits.typedAhead / 1000,
        "idle"
      ]
    ],
    { ...nothing, turnHooks: true }
  )
})

describe("Escape when the CLI's hook has just told the turn's end", () => {
  const over: Trace = [[0.5, frame()], ...submit, [5.2, started()], [5.3, own("work")], [5.4, working()], [7, ended()]]
  check(
    [
      ["stops nothing", [...over, [7.1, keys("escape")], [7.2, own("rest")], [7.2, frame()]], 8, "idle"],
      [
        "stops what the CLI says that it stopped",
        [...over, [7.1, keys("escape")], [7.2, own("rest")], [7.2, frame({ interrupted: true })]],
        8,
        "interrupted"
      ],
      [
        "stops what still works long after it",
        [...over, [9, working()], [9.1, keys("escape")], [9.2, own("rest")], [9.2, frame()]],
        10,
        "interrupted"
      ]
    ],
    everything
  )
})

describe("a stop that comes before the hook of the turn's beginning", () => {
  const stopped: Trace = [[0.5, frame()], ...submit, [5.1, frame()], [6, keys("ctrl-c")]]
  check(
    [
      [
        "counts for that turn",
        [...stopped, [6.1, started()], [6.2, frame()]],
        6.3 + limits.quiet / 1000,
        "interrupted",
        false
      ],
      ["counts for it for ever", [...stopped, [6.1, started()], [6.2, frame()]], 60, "interrupted", false],
      [
        "counts for it when its work was on screen before",
        [...stopped.slice(0, -1), [5.5, working()], [6, keys("ctrl-c")], [6.1, started()], [6.2, frame()]],
        8,
        "interrupted",
        false
      ],
      ["counts for no turn that begins later", [...stopped, [8, started()]], 8.2, "running"],
      [
        "counts for no turn of which the CLI had told",
        [...stopped.slice(0, -1), [5.2, started()], [6, keys("ctrl-c")], [6.1, started()]],
        6.3,
        "running"
      ],
      ["is taken back by work that goes on", [...stopped, [6.1, started()], [9, working()]], 9.1, "running"]
    ],
    { ...nothing, turnHooks: true }
  )
})

describe("a prompt of which nothing comes", () => {
  const unanswered = settling.unanswered / 1000
  const given: Trace = [[0.5, frame()], ...submit, [5.1, frame({ title: "rest" })]]
  check([
    ["forbids the next for a while", given, 5 + unanswered - 0.1, "idle", false],
    ["and not for ever", given, 5 + unanswered, "idle", true],
    [
      "unless it was a command",
      [
        [0.5, frame()],
        [4, draft("/cost")],
        [4.1, keys("text")],
        [5, keys("enter")],
        [5.1, frame()]
      ],
      5.1 + settling.command / 1000,
      "idle",
      true
    ],
    ["unless something came of it", [...given, [5.5, working()], [6, frame({ title: "rest" })]], 8.5, "idle", true],
    [
      "unless its failure was told",
      [...given, [5.5, signal({ _tag: "TurnFailed", problem: null, message: "no" })]],
      8.5,
      "idle",
      true
    ]
  ])
})

describe("a prompt typed ahead that the turn has taken in", () => {
  const taken: Trace = [
    [0.5, frame()],
    ...submit,
    [5.1, started()],
    [5.2, working()],
    [6, draft("and that")],
    [6.1, keys("text", "enter")],
    [6.2, working()]
  ]
  check(
    [
      ["is not the next one", [...taken, [6.3, started("and that")], [8, ended()], [8, frame()]], 8.1, "idle", false],
      [
        "is the next one when the hook was still that of the prompt before it",
        [
          [0.5, frame()],
          ...submit,
          [5.1, draft("and that")],
          [5.2, keys("text", "enter")],
          [5.3, started()],
          [5.4, working()],
          [8, ended()],
          [8, frame()]
        ],
        8.1,
        "running"
      ],
      ["is the next one when no hook has told of it", [...taken, [8, ended()], [8, frame()]], 8.1, "running"]
    ],
    { ...nothing, turnHooks: true }
  )
})
