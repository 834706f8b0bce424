import { reasonWords } from "../../../../src/domain/words/wording/reasonWords.ts"
import { assert, describe, it } from "@effect/vitest"
import type { Detection } from "../../../../src/domain/cli/provider/Detection.ts"
import { limits, settling } from "../../../../src/domain/engine/tracker/stateRules/limits.ts"
import type { DialogOption } from "../../../../src/domain/words/session/Screen.ts"
import type { Modes, SessionState } from "../../../../src/domain/words/session/Session.ts"
import {
  begin,
  dialog,
  draft,
  ended,
  frame,
  keys,
  nothing,
  own,
  picker,
  play,
  report,
  signal,
  started,
  type Trace,
  working,
  t
} from "../../../support/session/trace.ts"
import { failed } from "../../../support/session/failures.ts"
import { each } from "../../../support/data/fields.ts"

const failedTurn = signal(failed("rate_limited"), "hook TurnFailed")

interface More {
  readonly ready?: boolean
  readonly dialog?: boolean
  readonly problem?: string
  readonly reason?: RegExp
  readonly tells?: Detection["capabilities"]
  readonly modes?: Modes
}
/** `at`: seconds after the start at which is looked, and what is seen then. */
type Case = readonly [name: string, trace: Trace, seen: readonly [at: number, state: SessionState, more?: More]]

const atRest: Trace = [t(0.5, frame()), t(0.6, own("rest"))]
const submit: Trace = [t(4, draft("fix it")), t(4.1, keys("text")), t(5, keys("enter"))]
/** A turn that every source has told of, up to its sixth second. */
const turn: Trace = [
  ...atRest,
  ...submit,
  t(5.2, started("fix it")),
  t(5.3, own("work")),
  t(5.4, working({ title: "work" })),
  t(6, working({ title: "work" }))
]
const rested = frame({ title: "rest" })
/** A turn that met a limit which is over after 90 seconds. */
const limited: Trace = [
  ...turn,
  t(
    7,
    signal({
      _tag: "TurnFailed",
      problem: { kind: "rate_limited", message: "limit", until: new Date(begin + 90_000).toISOString() },
      message: "limit"
    })
  ),
  t(7.1, rested),
  t(7.2, own("rest"))
]
const turnByScreen: Trace = [t(0.5, frame()), ...submit, t(5.4, working()), t(6, working())]

const check = (cases: ReadonlyArray<Case>) => {
  it.each(cases)("%s", (name, trace, [at, state, { modes, reason, tells, ...rest } = {}]) => {
    const { view } = play(trace, at, {
      ...(tells === undefined ? {} : { tells }),
      ...(modes === undefined ? {} : { modes })
    })
    assert.strictEqual(view.state, state, `${name}: ${view.reason._tag}`)
    if (rest.ready !== undefined) assert.strictEqual(view.ready, rest.ready, view.reason._tag)
    if (rest.problem !== undefined) assert.strictEqual(view.problem?.kind, rest.problem)
    if (rest.dialog !== undefined) assert.strictEqual(view.dialog, rest.dialog, view.reason._tag)
    if (reason !== undefined) assert.match(reasonWords(view), reason)
  })
}

describe("Tracker: start and rest", () => {
  check([
    ["starts as starting", [], [1, "starting", { ready: false, dialog: false }]],
    ["a blank screen says nothing", [t(0.2, frame({ box: null, blank: true }))], [20, "starting", { ready: false }]],
    ["the first box is rest, not yet readiness", [t(0.5, frame())], [1, "idle", { ready: false, reason: /just/ }]],
    ["a box that stands is ready", [t(0.5, frame())], [4, "idle", { ready: true }]],
    [
      "the CLI's word without a box is not ready",
      [t(0.6, own("rest"))],
      [30, "idle", { ready: false, reason: /box is not on screen/ }]
    ],
    [
      "a trust dialog at the start",
      [t(0.5, dialog({ kind: "trust", title: "Trust this folder?" }))],
      [1, "needs_permission", { ready: false, dialog: true, reason: /Trust this folder/ }]
    ],
    ["a login at the start", [t(0.5, dialog({ kind: "login" }))], [1, "needs_input", { dialog: true }]],
    [
      "trust, given with Enter",
      [t(0.5, dialog({ kind: "trust" })), t(2, keys("enter")), t(3, frame())],
      [8, "idle", { ready: true }]
    ],
    ["a picker at the start", [t(0.5, picker)], [9, "idle", { ready: false, dialog: true }]],
    [
      "unsent text",
      [...atRest, t(4, draft("half"))],
      [60, "idle", { ready: false, dialog: false, reason: /unsent text/ }]
    ],
    ["the user's last key", [...atRest, t(9, keys("navigate"))], [10, "idle", { ready: false, reason: /key/ }]],
    [
      "some time after the user's last key",
      [...atRest, t(9, keys("navigate"))],
      [9.1 + settling.key / 1000, "idle", { ready: true }]
    ],
    ["a picker", [...atRest, t(4, picker)], [60, "idle", { ready: false, dialog: true, reason: /picker/ }]],
    [
      "a menu over the box",
      [...atRest, t(4, frame({ box: { draft: "/mo" }, picker: true }))],
      [60, "idle", { ready: false, dialog: true }]
    ],
    [
      "something that cannot be read instead of the box",
      [...atRest, t(4, frame({ box: null }))],
      [60, "idle", { ready: false, dialog: true }]
    ],
    [
      "a resize",
      [...atRest, t(9, { _tag: "Resize", cols: 80, rows: 24 })],
      [9.5, "idle", { ready: false, reason: /resized/ }]
    ]
  ])
})

describe("Tracker: work", () => {
  check([
    ["a submitted prompt", [...atRest, ...submit], [5.01, "running", { reason: /submitted/ }]],
    [
      "a submitted prompt of which nothing comes",
      [...atRest, ...submit, t(5.1, frame())],
      [5.1 + limits.submission / 1000, "idle"]
    ],
    ["Enter in an empty box", [...atRest, t(5, keys("enter"))], [5.1, "idle", { ready: false }]],
    ["Enter before the text shows", [...atRest, t(5, keys("text", "enter"))], [5.1, "running"]],
    ["a backslash before Enter makes a line", [...atRest, t(4, draft("first\\")), t(5, keys("enter"))], [5.1, "idle"]],
    [
      "a command may start nothing",
      [...atRest, t(4, draft("/cost")), t(5, keys("enter")), t(5.1, frame())],
      [7.5, "idle", { ready: false, reason: /command/ }]
    ],
    [
      "a command that starts work",
      [...atRest, t(4, draft("/compact")), t(5, keys("enter")), t(5.1, frame()), t(5.3, working())],
      [5.4 + limits.flash / 1000, "running"]
    ],
    [
      "a command that only shows something",
      [
        ...atRest,
        t(4, draft("/context")),
        t(5, keys("enter")),
        t(5.3, working({ title: "work" })),
        t(5.4, own("work"))
      ],
      [5.9, "idle", { ready: false }]
    ],
    [
      "a command without a hook, where hooks are heard",
      [
        ...turn,
        t(7, ended()),
        t(7.1, rested),
        t(7.2, own("rest")),
        t(9, draft("/context")),
        t(9.5, keys("enter")),
        t(9.6, own("work")),
        t(9.7, working()),
        t(11, working())
      ],
      [11.2, "idle", { ready: false }]
    ],
    [
      "a message of leap's right behind a command, of whose turn no hook tells",
      [
        t(0.5, frame()),
        t(5, started()),
        t(7, ended()),
        t(9, draft("/context")),
        t(9.5, keys("enter")),
        t(9.5, { _tag: "Send" }),
        t(9.6, working()),
        t(12, working()),
        t(15, working())
      ],
      [15.1, "running", { reason: /on screen/ }]
    ],
    [
      "Enter that takes a suggestion",
      [...atRest, t(4, frame({ box: { draft: "look at @re" }, picker: true })), t(5, keys("enter"))],
      [5.1, "idle"]
    ],
    ["its status file", turn, [7, "running", { ready: false, reason: /session file: work/ }]],
    [
      "its program status",
      [...turn, t(6, report("working", { message: "Reading files" }))],
      [7, "running", { reason: /program status: working — Reading files/ }]
    ],
    ["its program status over the status file", [...turn, t(6, report("done")), t(6.05, rested)], [7, "idle"]],
    [
      "a hook, while the status file lags",
      [...atRest, t(5, started())],
      [6, "running", { reason: /hook TurnStarted/ }]
    ],
    ["a hook that everything else contradicts", [...atRest, t(5, started())], [5.1 + limits.turnHook / 1000, "idle"]],
    ["a hook alone, and a screen that cannot be read", [t(0.5, frame({ box: null })), t(5, started())], [6, "running"]],
    [
      "no hook holds for ever",
      [t(0.5, frame({ box: null })), t(5, started())],
      [5.1 + limits.silence / 1000, "idle", { ready: false }]
    ],
    ["the title", [t(0.5, frame()), t(5, frame({ title: "work" }))], [6, "running", { reason: /title/ }]],
    ["the screen", turnByScreen, [6.5, "running", { reason: /Thinking/, tells: nothing }]],
    ["the screen, with the CLI at rest by its own word: a lag", [...atRest, t(9, working())], [9.5, "running"]],
    [
      "the screen, with the CLI at rest by its own word: a misreading",
      [...atRest, t(9, working()), t(10, working()), t(11, working())],
      [11.2, "idle", { ready: false }]
    ],
    [
      "an indicator that stands still is none",
      turnByScreen,
      [6.1 + limits.indicator / 1000, "idle", { ready: false, tells: nothing }]
    ],
    ["compaction", [...atRest, t(5, signal({ _tag: "CompactStarted" }))], [6, "running", { reason: /compacting/ }]],
    ["compaction that never ends", [...atRest, t(5, signal({ _tag: "CompactStarted" }))], [11, "idle"]],
    ["leap about to type", [...atRest, t(5, { _tag: "Send" })], [5.1, "running", { ready: false, reason: /typing/ }]],
    [
      "leap about to type, and nothing typed",
      [...atRest, t(5, { _tag: "Send" })],
      [5.1 + limits.sending / 1000, "idle", { ready: true }]
    ],
    [
      "a tool of a subagent is not the session's turn",
      [...atRest, t(9, signal({ _tag: "ToolStarted", tool: "Bash", id: null, agent: "a1" }))],
      [9.5, "idle", { ready: true }]
    ],
    [
      "text typed while it works hides the signs of work",
      [...turnByScreen, t(6.2, draft("next")), t(6.9, draft("next"))],
      [8, "running", { tells: nothing }]
    ],
    [
      "and stops hiding them when nothing moves",
      [...turnByScreen, t(6.2, draft("next")), t(6.9, draft("next"))],
      [7 + limits.moving / 1000, "idle", { ready: false, tells: nothing }]
    ]
  ])
})

describe("Tracker: the end of a turn", () => {
  check([
    [
      "all agree",
      [...turn, t(7, ended()), t(7.1, rested), t(7.2, own("rest"))],
      [7.2, "idle", { ready: false, reason: /just/ }]
    ],
    [
      "and then it is ready",
      [...turn, t(7, ended()), t(7.1, rested), t(7.2, own("rest"))],
      [7.3 + settling.reported / 1000, "idle", { ready: true }]
    ],
    ["the end hook alone is not the end", [...turn, t(7, ended())], [9, "running"]],
    ["nor with the screen at rest", [...turn, t(7, ended()), t(7.1, frame({ title: "work" }))], [9, "running"]],
    [
      "a status that is stale against box, title and long silence",
      [...turn, t(7, ended()), t(7.1, rested)],
      [7.2 + limits.contradicted / 1000, "idle"]
    ],
    [
      "by hooks and screen, where no status is told",
      [t(0.5, frame()), ...submit, t(5.2, started()), t(5.4, working()), t(7, ended()), t(7.1, frame())],
      [7.1 + limits.quiet / 1000, "idle"]
    ],
    [
      "by the screen alone, after a moment",
      [...turnByScreen, t(9, working()), t(10, frame())],
      [10.1, "running", { reason: /just gone/, tells: nothing }]
    ],
    [
      "a stop of the turn before, written down late",
      [
        ...turn,
        t(6.5, signal({ _tag: "Interrupted", at: begin - 5_000 }, "transcript")),
        t(6.7, ended()),
        t(6.8, rested),
        t(6.9, own("rest"))
      ],
      [9, "idle"]
    ],
    [
      "by the screen alone",
      [...turnByScreen, t(7, frame())],
      [7 + limits.quiet / 1000, "idle", { ready: false, tells: nothing }]
    ],
    [
      "by the screen alone, which says that it rests, ready later",
      [...turnByScreen, t(7, frame({ resting: true }))],
      [7 + settling.observed / 1000, "idle", { ready: true, tells: nothing }]
    ],
    [
      "by the absence of work on the screen alone, ready when it has stood still",
      [...turnByScreen, t(7, frame())],
      [6 + limits.still / 1000, "idle", { ready: true, tells: nothing }]
    ],
    [
      "a prompt typed ahead starts the next turn",
      [...turn, t(6.5, draft("more")), t(6.6, keys("enter")), t(7, ended()), t(7.1, frame()), t(7.2, own("rest"))],
      [7.4, "running", { reason: /typed ahead/ }]
    ],
    [
      "or was taken into the one that ended",
      [...turn, t(6.5, draft("more")), t(6.6, keys("enter")), t(7, ended()), t(7.1, frame()), t(7.2, own("rest"))],
      [9, "idle", { ready: false, reason: /typed ahead/ }]
    ],
    [
      "logged out, by the program status",
      [
        ...turn,
        t(6.9, report("working")),
        t(7, report("blocked", { kind: "auth", message: "Please run /login" })),
        t(7.1, rested)
      ],
      [600, "idle", { ready: false, dialog: false, reason: /Please run .login.*login/ }]
    ],
    [
      "a turn that failed for want of a login, by its hook and the program status",
      [
        ...turn,
        t(6.9, report("working")),
        t(
          7,
          signal({ _tag: "TurnFailed", problem: { kind: "auth", message: "no key", until: null }, message: "no key" })
        ),
        t(7, report("blocked", { kind: "auth", message: "no key" })),
        t(7.1, rested)
      ],
      // the queue waits for that; at the user's word the next message may find that it is mended
      [600, "idle", { ready: true, problem: "auth" }]
    ],
    ["a rate limit until its reset", limited, [89, "idle", { problem: "rate_limited" }]],
    ["a rate limit past its reset", limited, [90, "idle", { ready: true }]],
    [
      "a turn in which a request was tried again",
      [...turnByScreen, t(6.1, working({ activity: "API error · retrying in 1s" })), t(7, frame({ title: "rest" }))],
      [7 + settling.recovering / 1000 - 0.1, "idle", { ready: false, reason: /tried again/, tells: nothing }]
    ],
    [
      "the process is gone",
      [...turn, t(7, { _tag: "Exited", exit: { code: 3, signal: null } })],
      [8, "exited", { ready: false, dialog: false, reason: /code 3/ }]
    ]
  ])
})

describe("Tracker: dialogs", () => {
  const asked: Trace = [...turn, t(6.5, dialog()), t(6.6, own("wait", { waitingFor: "permission" }))]
  const asksFirst: Trace = [...atRest, t(5, dialog({ kind: "other", declines: true, opened: true }))]
  // none is shown as selected: a terminal without colours
  const yes = { number: null, label: "Yes", selected: false }
  const unseen = [yes, { number: null, label: "No", selected: false, endsTurn: true }]
  const chosen = (options: ReadonlyArray<DialogOption>): Trace => [
    ...turnByScreen,
    t(6.5, dialog({ options })),
    t(8, keys("enter")),
    t(8.1, working())
  ]
  check([
    ["a permission", asked, [7, "needs_permission", { ready: false, dialog: true, reason: /Do you want to proceed/ }]],
    ["for minutes", asked, [600, "needs_permission", { dialog: true }]],
    ["what a command opened, while the CLI says that it rests", asksFirst, [600, "needs_permission", { dialog: true }]],
    ["the same, left by Escape", [...asksFirst, t(6, keys("escape")), t(6.2, frame())], [12, "idle", { ready: true }]],
    ["a question is not a permission", [...turn, t(6.5, dialog({ kind: "question" }))], [7, "needs_input"]],
    ["a plan", [...turn, t(6.5, dialog({ kind: "plan" }))], [7, "needs_input"]],
    [
      "one that a hook answers at once",
      [...turn, t(6.5, dialog()), t(6.6, working()), t(6.6, own("work"))],
      [6.7, "running"]
    ],
    [
      "one that leap's policy is about to allow",
      asked,
      [7.5, "running", { dialog: true, modes: { autoSend: "always", churn: "wait" } }]
    ],
    [
      "one that leap's policy did not allow",
      asked,
      [9, "needs_permission", { modes: { autoSend: "always", churn: "wait" } }]
    ],
    [
      "one that leap has answered by a rule, and that is about to go",
      [...asked, t(6.7, { _tag: "Decided" })],
      [8.1, "running", { dialog: true }]
    ],
    [
      "one whose answer came before it was drawn",
      [...turn, t(5.8, { _tag: "Decided" }), t(6.5, dialog())],
      [7.9, "running", { dialog: true }]
    ],
    [
      "one that leap has answered, of a CLI that is slow to repaint",
      [...asked, t(6.7, { _tag: "Decided" }), t(7.2, own("work"))],
      [9.5, "running", { dialog: true }]
    ],
    ["one that stays although leap has answered", [...asked, t(6.7, { _tag: "Decided" })], [8.3, "needs_permission"]],
    [
      "one that was there long before leap answered another",
      [...asked, t(9, { _tag: "Decided" })],
      [9.1, "needs_permission"]
    ],
    [
      "one that came long after leap answered another",
      [...turn, t(6.1, { _tag: "Decided" }), t(8, dialog())],
      [8.3, "needs_permission"]
    ],
    [
      "a question beside what leap answered",
      [...turn, t(6.5, dialog({ kind: "question" })), t(6.6, { _tag: "Decided" })],
      [7, "needs_input"]
    ],
    [
      "a question that no policy answers",
      [...turn, t(6.5, dialog({ kind: "question" }))],
      [7, "needs_input", { modes: { autoSend: "always", churn: "wait" } }]
    ],
    [
      "told by a hook too, answered, and work goes on before it is taken away",
      [
        ...turn,
        t(6.4, signal({ _tag: "Asked", kind: "permission", tool: "Bash", message: null })),
        t(6.5, own("wait", { waitingFor: "permission" })),
        t(6.5, dialog()),
        t(8, keys("text")),
        t(8.2, own("work"))
      ],
      [9, "running"]
    ],
    [
      "answered with an option that no colour shows, and at rest behind it: it may have ended the turn",
      [...chosen(unseen), t(8.2, frame())],
      [14, "interrupted", { ready: false, tells: nothing }]
    ],
    [
      "answered with an option that no colour shows, and work went on",
      [...chosen(unseen), t(9.8, working()), t(11, frame())],
      [17, "idle", { tells: nothing }]
    ],
    [
      "answered with an option that no colour shows, of which none ends the turn",
      [...chosen([yes]), t(8.2, frame())],
      [14, "idle", { tells: nothing }]
    ],
    [
      "answered, and not yet repainted",
      [...asked, t(9, keys("enter")), t(9.2, own("work"))],
      [9.3, "running", { ready: false, dialog: true }]
    ],
    ["moving about is no answer", [...asked, t(9, keys("navigate")), t(9.2, dialog())], [9.3, "needs_permission"]],
    ["drawn anew", [...asked, t(9, frame({ box: null })), t(9.1, dialog())], [9.1, "needs_permission"]],
    [
      "after the turn, of background work",
      [...turn, t(7, ended(["t1"])), t(7.1, rested), t(7.2, own("rest", { background: true })), t(9, dialog())],
      [9, "needs_permission"]
    ],
    [
      "one that cannot be read, by the status file",
      [...turn, t(6.5, frame({ box: null })), t(6.6, own("wait", { waitingFor: "question" }))],
      [7, "needs_input", { dialog: true }]
    ],
    [
      "one that cannot be read, by the program status",
      [
        ...turn,
        t(6.4, report("working")),
        t(6.5, frame({ box: null })),
        t(6.6, report("blocked", { kind: "permission", message: "approve Bash: ls" }))
      ],
      [7, "needs_permission", { reason: /approve Bash: ls/ }]
    ],
    [
      "one that cannot be read, by the title",
      [t(0.5, frame()), t(5, frame({ box: null, title: "ask" }))],
      [6, "needs_permission", { ready: false, dialog: true, reason: /title/, tells: nothing }]
    ],
    [
      "the title alone, over the box",
      [t(0.5, frame()), t(5, frame({ title: "ask" }))],
      [9, "idle", { tells: nothing }]
    ],
    [
      "the title, against the CLI's own word",
      [t(0.5, frame()), t(0.6, own("rest")), t(5, frame({ box: null, title: "ask" }))],
      [9, "idle"]
    ],
    [
      "one that cannot be read, by a hook",
      [
        t(0.5, frame()),
        t(5, started()),
        t(6.5, frame({ box: null })),
        t(6.6, signal({ _tag: "Asked", kind: "elicitation", tool: null, message: "your name" }))
      ],
      [7, "needs_input", { reason: /your name/ }]
    ],
    [
      "blocked, with the box still there: not yet",
      [...turn, t(6.5, report("working")), t(6.6, report("blocked", { kind: "permission" }))],
      [7, "running", { ready: false }]
    ],
    [
      "another screen in the middle of a turn that waits for it",
      [...turn, t(6.5, picker), t(6.6, own("wait", { waitingFor: "dialog" }))],
      [8, "needs_permission"]
    ],
    [
      "a picker that the user opened",
      [
        ...atRest,
        t(4, draft("/model")),
        t(5, keys("enter")),
        t(5.2, picker),
        t(5.3, own("wait", { waitingFor: "dialog" }))
      ],
      [60, "idle", { ready: false, dialog: true }]
    ],
    ["a picker over a running turn", [...turn, t(6.5, picker)], [8, "running", { dialog: true }]],
    [
      "a dialog that the CLI has denied for a minute is a misreading",
      [...atRest, t(5, dialog())],
      [5.1 + limits.contradicted / 1000, "idle", { ready: false }]
    ]
  ])
})

describe("Tracker: interrupts", () => {
  const stopped: Trace = [...turn, t(6.5, keys("escape")), t(6.7, rested), t(6.8, own("rest"))]
  const stoppedByLine: Trace = [...turnByScreen, t(6.5, keys("escape")), t(6.7, frame({ interrupted: true }))]
  const stopping = frame({ interrupted: true, stopping: true })
  const beingStopped: Trace = [...turnByScreen, t(6.5, keys("escape")), t(6.7, stopping), t(9, stopping)]
  check([
    ["Escape", stopped, [7, "interrupted", { ready: false, reason: /key/ }]],
    ["nothing goes out by itself after it", stopped, [3600, "interrupted", { ready: false }]],
    ["Ctrl+C", [...turn, t(6.5, keys("ctrl-c")), t(6.7, rested), t(6.8, own("rest"))], [7, "interrupted"]],
    [
      "by the screen alone",
      [...turnByScreen, t(6.5, keys("escape")), t(6.7, frame({ interrupted: true }))],
      [8, "interrupted", { tells: nothing }]
    ],
    [
      "and a second key that takes the line away",
      [...stoppedByLine, t(7.5, keys("escape")), t(7.6, frame())],
      [3600, "interrupted", { ready: false, tells: nothing }]
    ],
    [
      "the running indicator comes back under the CLI's line before it goes",
      [...stoppedByLine, t(8.2, working({ interrupted: true })), t(8.9, working({ interrupted: true }))],
      [9, "interrupted", { ready: false, tells: nothing }]
    ],
    [
      "the running indicator has not gone when the line comes, in a turn that a hook told of",
      [...turnByScreen, t(6.1, started("fix it")), t(6.5, keys("escape")), t(6.7, working({ interrupted: true }))],
      [7, "interrupted", { tells: { ...nothing, turnHooks: true } }]
    ],
    [
      "the line and work for longer is work",
      [...stoppedByLine, t(8.2, working({ interrupted: true })), t(12, working({ interrupted: true }))],
      [12.1, "running", { tells: nothing }]
    ],
    [
      "the running indicator comes back once more while the turn is being stopped",
      [...beingStopped, t(9.2, working()), t(9.3, working())],
      [9.4, "interrupted", { ready: false, tells: nothing }]
    ],
    [
      "and the line comes behind it",
      [...beingStopped, t(9.2, working()), t(9.3, frame({ interrupted: true }))],
      [3600, "interrupted", { ready: false, tells: nothing }]
    ],
    [
      "and stays: the turn goes on",
      [...beingStopped, t(9.2, working()), t(9 + limits.stopGrace / 1000, working())],
      [9.1 + limits.stopGrace / 1000, "running", { tells: nothing }]
    ],
    [
      "and a prompt begins the next turn",
      [...beingStopped, t(9.1, draft("go")), t(9.2, keys("text", "enter")), t(9.3, working())],
      [9.4, "running", { tells: nothing }]
    ],
    [
      "work without the line is the next turn's",
      [...stoppedByLine, t(8.2, working())],
      [8.3, "running", { tells: nothing }]
    ],
    [
      "the line and work that no key has stopped",
      [...turnByScreen, t(6.7, working({ interrupted: true })), t(8.5, working({ interrupted: true }))],
      [9, "running", { tells: nothing }]
    ],
    [
      "Escape that only closed a menu",
      [...turnByScreen, t(6.5, keys("escape")), t(8.2, working()), t(9, frame())],
      [9.5, "idle", { tells: nothing }]
    ],
    [
      "Escape in the moment the turn ended by itself",
      [...turn, t(6.5, keys("escape")), t(6.6, ended()), t(6.7, rested), t(6.8, own("rest"))],
      [7, "idle"]
    ],
    [
      "a dialog that came behind the turn's end is closed, which stops nothing",
      [
        ...turn,
        t(6.5, failedTurn),
        t(6.6, own("rest")),
        t(6.7, dialog({ kind: "question", title: "Switch to a cheaper model?" })),
        t(20, keys("escape")),
        t(20.1, frame())
      ],
      [21, "idle"]
    ],
    [
      "what the CLI only suggests behind a turn's end is open as a picker is, and asks for nothing",
      [
        ...turn,
        t(6.5, failedTurn),
        t(6.6, own("rest")),
        t(6.7, dialog({ kind: "question", title: "Switch to a cheaper model?", suggests: true }))
      ],
      [9, "idle", { ready: false, dialog: true, problem: "rate_limited" }]
    ],
    [
      "and one that came while it ran stops it",
      [...turn, t(6.7, dialog({ kind: "question" })), t(20, keys("escape")), t(20.1, frame()), t(20.2, own("rest"))],
      [21, "interrupted"]
    ],
    ["Escape at rest stops nothing", [...atRest, t(9, keys("escape"))], [12, "idle", { ready: true }]],
    [
      "a dialog dismissed",
      [...turn, t(6.5, dialog()), t(8, keys("escape")), t(8.1, frame()), t(8.2, own("rest"))],
      [8.3, "interrupted"]
    ],
    [
      "a dialog answered with no, which the screen tells",
      [...turn, t(6.5, dialog()), t(8, keys("enter")), t(8.1, frame({ interrupted: true })), t(8.2, own("rest"))],
      [8.3, "interrupted"]
    ],
    [
      "a turn without an end hook",
      [...turn, t(7, rested), t(7.1, own("rest"))],
      [7.2 + limits.endHook / 1000, "interrupted", { reason: /no hook/ }]
    ],
    [
      "an end hook that comes late",
      [...turn, t(7, rested), t(7.1, own("rest")), t(7.3, ended())],
      [9, "idle", { ready: true }]
    ],
    [
      "Escape while leap types",
      [...atRest, t(8, { _tag: "Send" }), t(8.1, keys("escape"))],
      [14, "idle", { ready: true }]
    ],
    ["the next prompt", [...stopped, t(9, draft("other")), t(9.5, keys("enter"))], [9.6, "running"]],
    [
      "the line of an earlier turn",
      [...stopped, t(9, draft("/help")), t(9.5, keys("enter")), t(9.6, picker), t(11, frame({ interrupted: true }))],
      [15, "idle"]
    ],
    [
      "the line of an earlier turn, below which a whole one has come and gone",
      [
        t(0.5, frame({ interrupted: true })),
        t(4, frame({ box: { draft: "fix it" }, interrupted: true })),
        t(5, keys("enter")),
        t(5.4, working({ interrupted: true })),
        t(7, frame({ interrupted: true }))
      ],
      [15, "idle", { tells: nothing }]
    ],
    [
      "the line in a conversation that was resumed",
      [t(0.5, frame({ interrupted: true })), t(0.6, own("rest"))],
      [5, "idle", { ready: true }]
    ],
    [
      "a new conversation",
      [...stopped, t(9, signal({ _tag: "SessionStarted", sessionId: "s2", transcriptPath: null, source: "clear" }))],
      [20, "idle", { ready: true }]
    ]
  ])
})

describe("Tracker: background work", () => {
  const send: Modes = { autoSend: "pause", churn: "send" }
  const shell: Trace = [
    ...turn,
    t(7, ended(["build"])),
    t(7.1, frame({ title: "rest", background: 1 })),
    t(7.2, own("rest", { background: true }))
  ]
  const agent: Trace = [...turn, t(7, ended(["agent"])), t(7.1, frame({ title: "work", background: 1 }))]
  check([
    ["a shell", shell, [60, "churning", { ready: false }]],
    ["a shell, sent to all the same", shell, [60, "churning", { ready: true, modes: send }]],
    ["an agent keeps the status file at work", agent, [8, "churning", { ready: false }]],
    ["an agent, sent to all the same", agent, [60, "churning", { ready: true, modes: send }]],
    [
      "listed, and the program status at rest",
      [...atRest, t(1, report("idle")), t(1.1, report("working", { id: "b1" }))],
      [8, "churning"]
    ],
    [
      "cleared from the list",
      [...atRest, t(1, report("idle")), t(1.1, report("working", { id: "b1/x" })), t(2, report("clear", { id: "b1" }))],
      [8, "idle"]
    ],
    ...(
      [
        ["that only the screen shows", [t(7.2, frame({ background: 1 }))], [t(20, frame())]],
        [
          "that only the status file tells",
          [t(7.1, frame()), t(7.2, own("rest", { background: true }))],
          [t(20, own("rest"))]
        ],
        ["that only the turn's end has named", [t(7.2, frame({ background: null }))], []]
      ] as ReadonlyArray<readonly [string, Trace, Trace]>
    ).flatMap(([name, told, over]) => {
      const unlisted: Trace = [...turn, t(7, ended(["build"])), t(7.1, report("done")), ...told]
      return [
        [`${name}, under a program status without it`, unlisted, [19, "churning", { ready: false }]],
        [`${name}, when it is over`, [...unlisted, ...over], [80, "idle", { ready: true }]]
      ] as const
    }),
    ["by the screen alone", [...turnByScreen, t(7, frame({ background: 2 }))], [8, "churning", { tells: nothing }]],
    [
      "by the screen alone, which goes blank",
      [...turnByScreen, t(7, frame({ background: 2 })), t(9, frame({ box: null, background: null, blank: true }))],
      [9.5, "churning", { tells: nothing }]
    ],
    ["begins a turn by itself", [...shell, t(20, started("<task>", true)), t(20.1, working())], [20.2, "running"]],
    ["a shell ends without a word", [...shell, t(20, own("rest"))], [21, "idle"]],
    [
      "interrupted stays interrupted while it lives",
      [...turn, t(6.5, keys("escape")), t(6.7, frame({ background: 1 })), t(6.8, own("rest", { background: true }))],
      [9, "interrupted"]
    ]
  ])

  it("names what the hook and the program status list", () => {
    const { view } = play([...shell, t(8, report("idle")), t(8.1, report("working", { id: "build" }))], 9)
    assert.deepStrictEqual(view.background, [{ id: "build", kind: "shell", title: "build", state: "working" }])
    const unlisted: Trace = [...turn, t(7, ended(["build"])), t(7.1, report("done")), t(7.2, frame({ background: 1 }))]
    assert.deepStrictEqual(each(play(unlisted, 9).view.background, "id"), ["build"])
    assert.deepStrictEqual(play([...unlisted, t(12, frame())], 13).view.background, [])
  })
})

describe("Tracker: what nobody ends", () => {
  const unread = frame({ box: null })
  it.each<readonly [string, Trace, SessionState, boolean]>([
    ["trust, asked for at the start", [t(0.5, dialog({ kind: "trust" }))], "needs_permission", true],
    ["a permission", [...turn, t(6.5, dialog())], "needs_permission", true],
    ["a question", [...turn, t(6.5, dialog({ kind: "question" }))], "needs_input", true],
    [
      "a question at rest, moved about in",
      [t(0.5, frame()), t(9, dialog({ kind: "question" })), t(10, keys("navigate"))],
      "needs_input",
      true
    ],
    [
      "a dialog over what the user types",
      [t(0.5, frame()), t(9, keys("text")), t(9.1, dialog())],
      "needs_permission",
      true
    ],
    ["a picker", [...atRest, t(9, picker)], "idle", true],
    ["a picker behind a turn", [...turnByScreen, t(7, frame()), t(20, picker)], "idle", true],
    ["what cannot be read", [...atRest, [9, unread]], "idle", true],
    ["what cannot be read behind a message", [...atRest, t(9, { _tag: "Send" }), [9.2, unread]], "idle", true],
    ["unsent text", [...atRest, t(9, draft("half"))], "idle", false]
  ])("stays for hours and is never ready: %s", (_, trace, state, toCli) => {
    const { view } = play(trace, 7_200)
    assert.deepStrictEqual([view.state, view.ready, view.dialog], [state, false, toCli], view.reason._tag)
  })
})

describe("Tracker: what it keeps", () => {
  it("keeps who and what the hooks told", () => {
    const { facts } = play(
      [
        t(1, signal({ _tag: "SessionStarted", sessionId: "s1", transcriptPath: "/t/s1.jsonl", source: "startup" })),
        t(5, started("fix it")),
        t(9, ended()),
        t(20, started("<task>", true))
      ],
      21
    )
    assert.deepStrictEqual(
      [facts.sessionId, facts.transcriptPath, facts.lastPrompt, facts.lastResponse],
      ["s1", "/t/s1.jsonl", "fix it", "done"]
    )
  })

  it("says since when a state holds, across ticks and repetitions", () => {
    const { view } = play([...turn, t(9, own("work")), t(12, working({ title: "work" }))], 13)
    assert.strictEqual(view.since, begin + 5_000)
  })

  it.each([
    ["an Enter that did not answer it", [t(9, keys("enter"))], 9.5, 12],
    ["two of them", [t(9, keys("enter")), t(11, keys("enter"))], 11.5, 14]
  ] as ReadonlyArray<[string, Trace, number, number]>)(
    "says that a question has waited since it came up, whatever was taken for its answer: %s",
    (_, more, between, at) => {
      const trace: Trace = [...turn, t(6.5, dialog()), t(6.6, own("wait", { waitingFor: "permission" })), ...more]
      assert.strictEqual(play(trace, between).view.state, "running")
      const { since, state } = play(trace, at).view
      assert.deepStrictEqual([state, (since - begin) / 1000], ["needs_permission", 6.5])
    }
  )

  it("says of the next question in the same place that it has waited since it came up itself", () => {
    const next = dialog({ title: "Another?" })
    const trace: Trace = [...turn, t(6.5, dialog()), t(9, keys("enter")), [9.4, next], [20, next]]
    const { since, state } = play(trace, 20).view
    assert.deepStrictEqual([state, (since - begin) / 1000 >= 9.4], ["needs_permission", true])
  })

  it("says what the CLI works on, and not what it asks, before a dialog has stood for a moment and behind its answer", () => {
    const trace: Trace = [
      ...atRest,
      ...submit,
      t(5.2, started("fix it")),
      t(5.3, report("working", { message: "Writing notes.md" })),
      t(5.4, working()),
      t(6.5, report("blocked", { kind: "permission", message: "approve Write notes.md?" })),
      t(6.55, dialog()),
      t(9, keys("enter"))
    ]
    const at = (second: number) => {
      const { message, state } = play(
        trace.filter(([from]) => from <= second),
        second
      ).view
      return `${state}: ${message}`
    }
    assert.strictEqual(at(6), "running: Writing notes.md")
    assert.match(at(6.6), /^running: (?!approve)/)
    assert.strictEqual(at(8), "needs_permission: approve Write notes.md?")
    assert.match(at(9.1), /^running: (?!approve)/)
  })
})
