import { assert, describe, it } from "@effect/vitest"
import type { Detection } from "../../../../src/domain/cli/provider/Detection.ts"
import { limits, settling } from "../../../../src/domain/engine/tracker/rules/limits.ts"
import { rules } from "../../../../src/domain/engine/tracker/rules/table.ts"
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
  working
} from "../../../support/session/trace.ts"
import { failed } from "../../../support/session/failures.ts"

const failedTurn = signal(failed("rate_limited"), "hook TurnFailed")

interface Case {
  readonly name: string
  readonly trace: Trace
  /** Seconds after the start at which is looked. */
  readonly at: number
  readonly state: SessionState
  readonly ready?: boolean
  readonly dialog?: boolean
  readonly problem?: string
  readonly reason?: RegExp
  readonly tells?: Detection["capabilities"]
  readonly modes?: Modes
}

const atRest: Trace = [
  [0.5, frame()],
  [0.6, own("rest")]
]
const submit: Trace = [
  [4, draft("fix it")],
  [4.1, keys("text")],
  [5, keys("enter")]
]
/** A turn that every source has told of, up to its sixth second. */
const turn: Trace = [
  ...atRest,
  ...submit,
  [5.2, started("fix it")],
  [5.3, own("work")],
  [5.4, working({ title: "work" })],
  [6, working({ title: "work" })]
]
const rested = frame({ title: "rest" })
const turnByScreen: Trace = [[0.5, frame()], ...submit, [5.4, working()], [6, working()]]

const check = (cases: ReadonlyArray<Case>) => {
  it.each(cases)("$name", ({ at, modes, name, reason, state, tells, trace, ...rest }) => {
    const { view } = play(trace, at, {
      ...(tells === undefined ? {} : { tells }),
      ...(modes === undefined ? {} : { modes })
    })
    assert.strictEqual(view.state, state, `${name}: ${view.reason}`)
    if (rest.ready !== undefined) assert.strictEqual(view.ready, rest.ready, view.reason)
    if (rest.problem !== undefined) assert.strictEqual(view.problem?.kind, rest.problem)
    if (rest.dialog !== undefined) assert.strictEqual(view.dialog, rest.dialog, view.reason)
    if (reason !== undefined) assert.match(view.reason, reason)
  })
}

describe("Tracker: start and rest", () => {
  check([
    { name: "starts as starting", trace: [], at: 1, state: "starting", ready: false, dialog: false },
    {
      name: "a blank screen says nothing",
      trace: [[0.2, frame({ box: null, blank: true })]],
      at: 20,
      state: "starting",
      ready: false
    },
    {
      name: "the first box is rest, not yet readiness",
      trace: [[0.5, frame()]],
      at: 1,
      state: "idle",
      ready: false,
      reason: /just/
    },
    { name: "a box that stands is ready", trace: [[0.5, frame()]], at: 4, state: "idle", ready: true },
    {
      name: "the CLI's word without a box is not ready",
      trace: [[0.6, own("rest")]],
      at: 30,
      state: "idle",
      ready: false,
      reason: /box is not on screen/
    },
    {
      name: "a trust dialog at the start",
      trace: [[0.5, dialog({ kind: "trust", title: "Trust this folder?" })]],
      at: 1,
      state: "needs_permission",
      ready: false,
      dialog: true,
      reason: /Trust this folder/
    },
    {
      name: "a login at the start",
      trace: [[0.5, dialog({ kind: "login" })]],
      at: 1,
      state: "needs_input",
      dialog: true
    },
    {
      name: "trust, given with Enter",
      trace: [
        [0.5, dialog({ kind: "trust" })],
        [2, keys("enter")],
        [3, frame()]
      ],
      at: 8,
      state: "idle",
      ready: true
    },
    { name: "a picker at the start", trace: [[0.5, picker]], at: 9, state: "idle", ready: false, dialog: true },
    {
      name: "unsent text",
      trace: [...atRest, [4, draft("half")]],
      at: 60,
      state: "idle",
      ready: false,
      dialog: false,
      reason: /unsent text/
    },
    {
      name: "the user's last key",
      trace: [...atRest, [9, keys("navigate")]],
      at: 10,
      state: "idle",
      ready: false,
      reason: /key/
    },
    {
      name: "some time after the user's last key",
      trace: [...atRest, [9, keys("navigate")]],
      at: 9.1 + settling.key / 1000,
      state: "idle",
      ready: true
    },
    {
      name: "a picker",
      trace: [...atRest, [4, picker]],
      at: 60,
      state: "idle",
      ready: false,
      dialog: true,
      reason: /picker/
    },
    {
      name: "a menu over the box",
      trace: [...atRest, [4, frame({ box: { draft: "/mo" }, picker: true })]],
      at: 60,
      state: "idle",
      ready: false,
      dialog: true
    },
    {
      name: "something that cannot be read instead of the box",
      trace: [...atRest, [4, frame({ box: null })]],
      at: 60,
      state: "idle",
      ready: false,
      dialog: true
    },
    {
      name: "a resize",
      trace: [...atRest, [9, { _tag: "Resize", cols: 80, rows: 24 }]],
      at: 9.5,
      state: "idle",
      ready: false,
      reason: /resized/
    }
  ])
})

describe("Tracker: work", () => {
  check([
    { name: "a submitted prompt", trace: [...atRest, ...submit], at: 5.01, state: "running", reason: /submitted/ },
    {
      name: "a submitted prompt of which nothing comes",
      trace: [...atRest, ...submit, [5.1, frame()]],
      at: 5.1 + limits.submission / 1000,
      state: "idle"
    },
    { name: "Enter in an empty box", trace: [...atRest, [5, keys("enter")]], at: 5.1, state: "idle", ready: false },
    { name: "Enter before the text shows", trace: [...atRest, [5, keys("text", "enter")]], at: 5.1, state: "running" },
    {
      name: "a backslash before Enter makes a line",
      trace: [...atRest, [4, draft("first\\")], [5, keys("enter")]],
      at: 5.1,
      state: "idle"
    },
    {
      name: "a command may start nothing",
      trace: [...atRest, [4, draft("/cost")], [5, keys("enter")], [5.1, frame()]],
      at: 7.5,
      state: "idle",
      ready: false,
      reason: /command/
    },
    {
      name: "a command that starts work",
      trace: [...atRest, [4, draft("/compact")], [5, keys("enter")], [5.1, frame()], [5.3, working()]],
      at: 5.4 + limits.flash / 1000,
      state: "running"
    },
    {
      name: "a command that only shows something",
      trace: [
        ...atRest,
        [4, draft("/context")],
        [5, keys("enter")],
        [5.3, working({ title: "work" })],
        [5.4, own("work")]
      ],
      at: 5.9,
      state: "idle",
      ready: false
    },
    {
      name: "a command without a hook, where hooks are heard",
      trace: [
        ...turn,
        [7, ended()],
        [7.1, rested],
        [7.2, own("rest")],
        [9, draft("/context")],
        [9.5, keys("enter")],
        [9.6, own("work")],
        [9.7, working()],
        [11, working()]
      ],
      at: 11.2,
      state: "idle",
      ready: false
    },
    {
      name: "a command with a hook",
      trace: [
        ...turn,
        [7, ended()],
        [7.1, rested],
        [7.2, own("rest")],
        [9, draft("/review")],
        [9.5, keys("enter")],
        [9.6, started("/review")],
        [9.7, own("work")]
      ],
      at: 9.8,
      state: "running"
    },
    {
      name: "Enter that takes a suggestion",
      trace: [...atRest, [4, frame({ box: { draft: "look at @re" }, picker: true })], [5, keys("enter")]],
      at: 5.1,
      state: "idle"
    },
    { name: "its status file", trace: turn, at: 7, state: "running", ready: false, reason: /session file: work/ },
    {
      name: "its program status",
      trace: [...turn, [6, report("working", { message: "Reading files" })]],
      at: 7,
      state: "running",
      reason: /program status: working — Reading files/
    },
    {
      name: "its program status over the status file",
      trace: [...turn, [6, report("done")], [6.05, rested]],
      at: 7,
      state: "idle"
    },
    {
      name: "a hook, while the status file lags",
      trace: [...atRest, [5, started()]],
      at: 6,
      state: "running",
      reason: /hook TurnStarted/
    },
    {
      name: "a hook that everything else contradicts",
      trace: [...atRest, [5, started()]],
      at: 5.1 + limits.turnHook / 1000,
      state: "idle"
    },
    {
      name: "a hook alone, and a screen that cannot be read",
      trace: [
        [0.5, frame({ box: null })],
        [5, started()]
      ],
      at: 6,
      state: "running"
    },
    {
      name: "no hook holds for ever",
      trace: [
        [0.5, frame({ box: null })],
        [5, started()]
      ],
      at: 5.1 + limits.silence / 1000,
      state: "idle",
      ready: false
    },
    {
      name: "the title",
      trace: [
        [0.5, frame()],
        [5, frame({ title: "work" })]
      ],
      at: 6,
      state: "running",
      reason: /title/
    },
    { name: "the screen", trace: turnByScreen, at: 6.5, state: "running", reason: /Thinking/, tells: nothing },
    {
      name: "the screen, with the CLI at rest by its own word: a lag",
      trace: [...atRest, [9, working()]],
      at: 9.5,
      state: "running"
    },
    {
      name: "the screen, with the CLI at rest by its own word: a misreading",
      trace: [...atRest, [9, working()], [10, working()], [11, working()]],
      at: 11.2,
      state: "idle",
      ready: false
    },
    {
      name: "an indicator that stands still is none",
      trace: turnByScreen,
      at: 6.1 + limits.indicator / 1000,
      state: "idle",
      ready: false,
      tells: nothing
    },
    {
      name: "compaction",
      trace: [...atRest, [5, signal({ _tag: "CompactStarted" })]],
      at: 6,
      state: "running",
      reason: /compacting/
    },
    {
      name: "compaction that never ends",
      trace: [...atRest, [5, signal({ _tag: "CompactStarted" })]],
      at: 11,
      state: "idle"
    },
    {
      name: "leap about to type",
      trace: [...atRest, [5, { _tag: "Send" }]],
      at: 5.1,
      state: "running",
      ready: false,
      reason: /typing/
    },
    {
      name: "leap about to type, and nothing typed",
      trace: [...atRest, [5, { _tag: "Send" }]],
      at: 5.1 + limits.sending / 1000,
      state: "idle",
      ready: true
    },
    {
      name: "a tool of a subagent is not the session's turn",
      trace: [...atRest, [9, signal({ _tag: "ToolStarted", tool: "Bash", id: null, agent: "a1" })]],
      at: 9.5,
      state: "idle",
      ready: true
    },
    {
      name: "text typed while it works hides the signs of work",
      trace: [...turnByScreen, [6.2, draft("next")], [6.9, draft("next")]],
      at: 8,
      state: "running",
      tells: nothing
    },
    {
      name: "and stops hiding them when nothing moves",
      trace: [...turnByScreen, [6.2, draft("next")], [6.9, draft("next")]],
      at: 7 + limits.moving / 1000,
      state: "idle",
      ready: false,
      tells: nothing
    }
  ])
})

describe("Tracker: the end of a turn", () => {
  check([
    {
      name: "all agree",
      trace: [...turn, [7, ended()], [7.1, rested], [7.2, own("rest")]],
      at: 7.2,
      state: "idle",
      ready: false,
      reason: /just/
    },
    {
      name: "and then it is ready",
      trace: [...turn, [7, ended()], [7.1, rested], [7.2, own("rest")]],
      at: 7.3 + settling.reported / 1000,
      state: "idle",
      ready: true
    },
    { name: "the end hook alone is not the end", trace: [...turn, [7, ended()]], at: 9, state: "running" },
    {
      name: "nor with the screen at rest",
      trace: [...turn, [7, ended()], [7.1, frame({ title: "work" })]],
      at: 9,
      state: "running"
    },
    {
      name: "a status that is stale against box, title and long silence",
      trace: [...turn, [7, ended()], [7.1, rested]],
      at: 7.2 + limits.contradicted / 1000,
      state: "idle"
    },
    {
      name: "by hooks and screen, where no status is told",
      trace: [[0.5, frame()], ...submit, [5.2, started()], [5.4, working()], [7, ended()], [7.1, frame()]],
      at: 7.1 + limits.quiet / 1000,
      state: "idle"
    },
    {
      name: "by the screen alone, after a moment",
      trace: [...turnByScreen, [9, working()], [10, frame()]],
      at: 10.1,
      state: "running",
      reason: /just gone/,
      tells: nothing
    },
    {
      name: "a stop that only the transcript tells of",
      trace: [
        ...turn,
        [6.5, signal({ _tag: "Interrupted", at: begin + 6_400 }, "transcript")],
        [6.7, rested],
        [6.8, own("rest")]
      ],
      at: 7,
      state: "interrupted",
      ready: false
    },
    {
      name: "a stop of the turn before, written down late",
      trace: [
        ...turn,
        [6.5, signal({ _tag: "Interrupted", at: begin - 5_000 }, "transcript")],
        [6.7, ended()],
        [6.8, rested],
        [6.9, own("rest")]
      ],
      at: 9,
      state: "idle"
    },
    {
      name: "by the screen alone",
      trace: [...turnByScreen, [7, frame()]],
      at: 7 + limits.quiet / 1000,
      state: "idle",
      ready: false,
      tells: nothing
    },
    {
      name: "by the screen alone, which says that it rests, ready later",
      trace: [...turnByScreen, [7, frame({ resting: true })]],
      at: 7 + settling.observed / 1000,
      state: "idle",
      ready: true,
      tells: nothing
    },
    {
      name: "by the absence of work on the screen alone, ready when it has stood still",
      trace: [...turnByScreen, [7, frame()]],
      at: 6 + limits.still / 1000,
      state: "idle",
      ready: true,
      tells: nothing
    },
    {
      name: "a prompt typed ahead starts the next turn",
      trace: [...turn, [6.5, draft("more")], [6.6, keys("enter")], [7, ended()], [7.1, frame()], [7.2, own("rest")]],
      at: 7.4,
      state: "running",
      reason: /typed ahead/
    },
    {
      name: "a message of leap's own is none",
      trace: [
        ...atRest,
        [5, { _tag: "Send" }],
        [5.1, { _tag: "Input", keys: ["paste"], by: "leap" }],
        [5.2, draft("fix it")],
        [5.3, { _tag: "Input", keys: ["enter"], by: "leap" }],
        [5.4, started("fix it")],
        [5.5, own("work")],
        [5.6, working()],
        [7, ended()],
        [7.1, frame()],
        [7.2, own("rest")]
      ],
      at: 7.3 + settling.reported / 1000,
      state: "idle",
      ready: true
    },
    {
      name: "or was taken into the one that ended",
      trace: [...turn, [6.5, draft("more")], [6.6, keys("enter")], [7, ended()], [7.1, frame()], [7.2, own("rest")]],
      at: 9,
      state: "idle",
      ready: false,
      reason: /typed ahead/
    },
    {
      name: "a failed turn",
      trace: [
        ...turn,
        [7, signal({ _tag: "TurnFailed", problem: null, message: "bad request" })],
        [7.1, rested],
        [7.2, own("rest")]
      ],
      at: 9,
      state: "idle",
      ready: true
    },
    {
      name: "a turn that failed for a reason that lasts",
      trace: [
        ...turn,
        [
          7,
          signal({ _tag: "TurnFailed", problem: { kind: "auth", message: "log in", until: null }, message: "log in" })
        ],
        [7.1, rested],
        [7.2, own("rest")]
      ],
      at: 600,
      // that the queue waits all the same is the delivery's
      state: "idle",
      ready: true,
      problem: "auth"
    },
    {
      name: "logged out, by the program status",
      trace: [
        ...turn,
        [6.9, report("working")],
        [7, report("blocked", { kind: "auth", message: "Please run /login" })],
        [7.1, rested]
      ],
      at: 600,
      state: "idle",
      ready: false,
      dialog: false,
      reason: /Please run .login.*login/
    },
    {
      name: "a turn that failed for want of a login, by its hook and the program status",
      trace: [
        ...turn,
        [6.9, report("working")],
        [
          7,
          signal({ _tag: "TurnFailed", problem: { kind: "auth", message: "no key", until: null }, message: "no key" })
        ],
        [7, report("blocked", { kind: "auth", message: "no key" })],
        [7.1, rested]
      ],
      at: 600,
      // the queue waits for that; at the user's word the next message may find that it is mended
      state: "idle",
      ready: true,
      problem: "auth"
    },
    {
      name: "logged in again",
      trace: [
        ...turn,
        [6.9, report("working")],
        [7, report("blocked", { kind: "auth" })],
        [7.1, rested],
        [7.2, ended()],
        [60, report("idle")]
      ],
      at: 61,
      state: "idle",
      ready: true
    },
    {
      name: "a rate limit until its reset",
      trace: [
        ...turn,
        [
          7,
          signal({
            _tag: "TurnFailed",
            problem: { kind: "rate_limited", message: "limit", until: new Date(begin + 90_000).toISOString() },
            message: "limit"
          })
        ],
        [7.1, rested],
        [7.2, own("rest")]
      ],
      at: 89,
      state: "idle",
      problem: "rate_limited"
    },
    {
      name: "a rate limit past its reset",
      trace: [
        ...turn,
        [
          7,
          signal({
            _tag: "TurnFailed",
            problem: { kind: "rate_limited", message: "limit", until: new Date(begin + 90_000).toISOString() },
            message: "limit"
          })
        ],
        [7.1, rested],
        [7.2, own("rest")]
      ],
      at: 90,
      state: "idle",
      ready: true
    },
    {
      name: "a turn in which a request was tried again",
      trace: [
        ...turnByScreen,
        [6.1, working({ activity: "API error · retrying in 1s" })],
        [7, frame({ title: "rest" })]
      ],
      at: 7 + settling.recovering / 1000 - 0.1,
      state: "idle",
      ready: false,
      reason: /tried again/,
      tells: nothing
    },
    {
      name: "the process is gone",
      trace: [...turn, [7, { _tag: "Exited", exit: { code: 3, signal: null } }]],
      at: 8,
      state: "exited",
      ready: false,
      dialog: false,
      reason: /code 3/
    }
  ])
})

describe("Tracker: dialogs", () => {
  const asked: Trace = [...turn, [6.5, dialog()], [6.6, own("wait", { waitingFor: "permission" })]]
  check([
    {
      name: "a permission",
      trace: asked,
      at: 7,
      state: "needs_permission",
      ready: false,
      dialog: true,
      reason: /Do you want to proceed/
    },
    { name: "for minutes", trace: asked, at: 600, state: "needs_permission", dialog: true },
    {
      name: "a question is not a permission",
      trace: [...turn, [6.5, dialog({ kind: "question" })]],
      at: 7,
      state: "needs_input"
    },
    { name: "a plan", trace: [...turn, [6.5, dialog({ kind: "plan" })]], at: 7, state: "needs_input" },
    {
      name: "one that a hook answers at once",
      trace: [...turn, [6.5, dialog()], [6.6, working()], [6.6, own("work")]],
      at: 6.7,
      state: "running"
    },
    {
      name: "one that leap's policy is about to allow",
      trace: asked,
      at: 7.5,
      state: "running",
      dialog: true,
      modes: { autoSend: "always", churn: "wait" }
    },
    {
      name: "one that leap's policy did not allow",
      trace: asked,
      at: 9,
      state: "needs_permission",
      modes: { autoSend: "always", churn: "wait" }
    },
    {
      name: "one that leap has answered by a rule, and that is about to go",
      trace: [...asked, [6.7, { _tag: "Decided" }]],
      at: 8.1,
      state: "running",
      dialog: true
    },
    {
      name: "one whose answer came before it was drawn",
      trace: [...turn, [5.8, { _tag: "Decided" }], [6.5, dialog()]],
      at: 7.9,
      state: "running",
      dialog: true
    },
    {
      name: "one that leap has answered, of a CLI that is slow to repaint",
      trace: [...asked, [6.7, { _tag: "Decided" }], [7.2, own("work")]],
      at: 9.5,
      state: "running",
      dialog: true
    },
    {
      name: "one that stays although leap has answered",
      trace: [...asked, [6.7, { _tag: "Decided" }]],
      at: 8.3,
      state: "needs_permission"
    },
    {
      name: "one that was there long before leap answered another",
      trace: [...asked, [9, { _tag: "Decided" }]],
      at: 9.1,
      state: "needs_permission"
    },
    {
      name: "one that came long after leap answered another",
      trace: [...turn, [6.1, { _tag: "Decided" }], [8, dialog()]],
      at: 8.3,
      state: "needs_permission"
    },
    {
      name: "a question beside what leap answered",
      trace: [...turn, [6.5, dialog({ kind: "question" })], [6.6, { _tag: "Decided" }]],
      at: 7,
      state: "needs_input"
    },
    {
      name: "a question that no policy answers",
      trace: [...turn, [6.5, dialog({ kind: "question" })]],
      at: 7,
      state: "needs_input",
      modes: { autoSend: "always", churn: "wait" }
    },
    {
      name: "told by a hook too, answered, and work goes on before it is taken away",
      trace: [
        ...turn,
        [6.4, signal({ _tag: "Asked", kind: "permission", tool: "Bash", message: null })],
        [6.5, own("wait", { waitingFor: "permission" })],
        [6.5, dialog()],
        [8, keys("text")],
        [8.2, own("work")]
      ],
      at: 9,
      state: "running"
    },
    {
      name: "answered with what ends the turn",
      trace: [
        ...turn,
        [6.5, dialog({ options: [{ number: 2, label: "No", selected: true, endsTurn: true }] })],
        [8, keys("enter")],
        [8.1, rested],
        [8.2, own("rest")]
      ],
      at: 8.4,
      state: "interrupted"
    },
    {
      name: "answered, and not yet repainted",
      trace: [...asked, [9, keys("enter")], [9.2, own("work")]],
      at: 9.3,
      state: "running",
      ready: false,
      dialog: true
    },
    {
      name: "moving about is no answer",
      trace: [...asked, [9, keys("navigate")], [9.2, dialog()]],
      at: 9.3,
      state: "needs_permission"
    },
    {
      name: "drawn anew",
      trace: [...asked, [9, frame({ box: null })], [9.1, dialog()]],
      at: 9.1,
      state: "needs_permission"
    },
    {
      name: "after the turn, of background work",
      trace: [...turn, [7, ended(["t1"])], [7.1, rested], [7.2, own("rest", { background: true })], [9, dialog()]],
      at: 9,
      state: "needs_permission"
    },
    {
      name: "one that cannot be read, by the status file",
      trace: [...turn, [6.5, frame({ box: null })], [6.6, own("wait", { waitingFor: "question" })]],
      at: 7,
      state: "needs_input",
      dialog: true
    },
    {
      name: "one that cannot be read, by the program status",
      trace: [
        ...turn,
        [6.4, report("working")],
        [6.5, frame({ box: null })],
        [6.6, report("blocked", { kind: "permission", message: "approve Bash: ls" })]
      ],
      at: 7,
      state: "needs_permission",
      reason: /approve Bash: ls/
    },
    {
      name: "one that cannot be read, by the title",
      trace: [
        [0.5, frame()],
        [5, frame({ box: null, title: "ask" })]
      ],
      at: 6,
      state: "needs_permission",
      ready: false,
      dialog: true,
      reason: /title/,
      tells: nothing
    },
    {
      name: "the title alone, over the box",
      trace: [
        [0.5, frame()],
        [5, frame({ title: "ask" })]
      ],
      at: 9,
      state: "idle",
      tells: nothing
    },
    {
      name: "the title, against the CLI's own word",
      trace: [
        [0.5, frame()],
        [0.6, own("rest")],
        [5, frame({ box: null, title: "ask" })]
      ],
      at: 9,
      state: "idle"
    },
    {
      name: "one that cannot be read, by a hook",
      trace: [
        [0.5, frame()],
        [5, started()],
        [6.5, frame({ box: null })],
        [6.6, signal({ _tag: "Asked", kind: "elicitation", tool: null, message: "your name" })]
      ],
      at: 7,
      state: "needs_input",
      reason: /your name/
    },
    {
      name: "blocked, with the box still there: not yet",
      trace: [...turn, [6.5, report("working")], [6.6, report("blocked", { kind: "permission" })]],
      at: 7,
      state: "running",
      ready: false
    },
    {
      name: "another screen in the middle of a turn that waits for it",
      trace: [...turn, [6.5, picker], [6.6, own("wait", { waitingFor: "dialog" })]],
      at: 8,
      state: "needs_permission"
    },
    {
      name: "a picker that the user opened",
      trace: [
        ...atRest,
        [4, draft("/model")],
        [5, keys("enter")],
        [5.2, picker],
        [5.3, own("wait", { waitingFor: "dialog" })]
      ],
      at: 60,
      state: "idle",
      ready: false,
      dialog: true
    },
    { name: "a picker over a running turn", trace: [...turn, [6.5, picker]], at: 8, state: "running", dialog: true },
    {
      name: "a dialog that the CLI has denied for a minute is a misreading",
      trace: [...atRest, [5, dialog()]],
      at: 5.1 + limits.contradicted / 1000,
      state: "idle",
      ready: false
    }
  ])
})

describe("Tracker: interrupts", () => {
  const stopped: Trace = [...turn, [6.5, keys("escape")], [6.7, rested], [6.8, own("rest")]]
  const stoppedByLine: Trace = [...turnByScreen, [6.5, keys("escape")], [6.7, frame({ interrupted: true })]]
  check([
    { name: "Escape", trace: stopped, at: 7, state: "interrupted", ready: false, reason: /key/ },
    { name: "nothing goes out by itself after it", trace: stopped, at: 3600, state: "interrupted", ready: false },
    {
      name: "Ctrl+C",
      trace: [...turn, [6.5, keys("ctrl-c")], [6.7, rested], [6.8, own("rest")]],
      at: 7,
      state: "interrupted"
    },
    {
      name: "by the screen alone",
      trace: [...turnByScreen, [6.5, keys("escape")], [6.7, frame({ interrupted: true })]],
      at: 8,
      state: "interrupted",
      tells: nothing
    },
    {
      name: "and a second key that takes the line away",
      trace: [...stoppedByLine, [7.5, keys("escape")], [7.6, frame()]],
      at: 3600,
      state: "interrupted",
      ready: false,
      tells: nothing
    },
    {
      name: "the running indicator comes back under the CLI's line before it goes",
      trace: [...stoppedByLine, [8.2, working({ interrupted: true })], [8.9, working({ interrupted: true })]],
      at: 9,
      state: "interrupted",
      ready: false,
      tells: nothing
    },
    {
      name: "the running indicator has not gone when the line comes, in a turn that a hook told of",
      trace: [...turnByScreen, [6.1, started("fix it")], [6.5, keys("escape")], [6.7, working({ interrupted: true })]],
      at: 7,
      state: "interrupted",
      tells: { ...nothing, turnHooks: true }
    },
    {
      name: "the line and work for longer is work",
      trace: [...stoppedByLine, [8.2, working({ interrupted: true })], [12, working({ interrupted: true })]],
      at: 12.1,
      state: "running",
      tells: nothing
    },
    {
      name: "work without the line is the next turn's",
      trace: [...stoppedByLine, [8.2, working()]],
      at: 8.3,
      state: "running",
      tells: nothing
    },
    {
      name: "the line and work that no key has stopped",
      trace: [...turnByScreen, [6.7, working({ interrupted: true })], [8.5, working({ interrupted: true })]],
      at: 9,
      state: "running",
      tells: nothing
    },
    {
      name: "Escape that only closed a menu",
      trace: [...turnByScreen, [6.5, keys("escape")], [8.2, working()], [9, frame()]],
      at: 9.5,
      state: "idle",
      tells: nothing
    },
    {
      name: "Escape in the moment the turn ended by itself",
      trace: [...turn, [6.5, keys("escape")], [6.6, ended()], [6.7, rested], [6.8, own("rest")]],
      at: 7,
      state: "idle"
    },
    {
      name: "a dialog that came behind the turn's end is closed, which stops nothing",
      trace: [
        ...turn,
        [6.5, failedTurn],
        [6.6, own("rest")],
        [6.7, dialog({ kind: "question", title: "Switch to a cheaper model?" })],
        [20, keys("escape")],
        [20.1, frame()]
      ],
      at: 21,
      state: "idle"
    },
    {
      name: "what the CLI only suggests behind a turn's end is open as a picker is, and asks for nothing",
      trace: [
        ...turn,
        [6.5, failedTurn],
        [6.6, own("rest")],
        [6.7, dialog({ kind: "question", title: "Switch to a cheaper model?", suggests: true })]
      ],
      at: 9,
      state: "idle",
      ready: false,
      dialog: true,
      problem: "rate_limited"
    },
    {
      name: "and one that came while it ran stops it",
      trace: [...turn, [6.7, dialog({ kind: "question" })], [20, keys("escape")], [20.1, frame()], [20.2, own("rest")]],
      at: 21,
      state: "interrupted"
    },
    {
      name: "Escape at rest stops nothing",
      trace: [...atRest, [9, keys("escape")]],
      at: 12,
      state: "idle",
      ready: true
    },
    {
      name: "a dialog dismissed",
      trace: [...turn, [6.5, dialog()], [8, keys("escape")], [8.1, frame()], [8.2, own("rest")]],
      at: 8.3,
      state: "interrupted"
    },
    {
      name: "a dialog answered with no, which the screen tells",
      trace: [...turn, [6.5, dialog()], [8, keys("enter")], [8.1, frame({ interrupted: true })], [8.2, own("rest")]],
      at: 8.3,
      state: "interrupted"
    },
    {
      name: "a turn without an end hook",
      trace: [...turn, [7, rested], [7.1, own("rest")]],
      at: 7.2 + limits.endHook / 1000,
      state: "interrupted",
      reason: /no hook/
    },
    {
      name: "an end hook that comes late",
      trace: [...turn, [7, rested], [7.1, own("rest")], [7.3, ended()]],
      at: 9,
      state: "idle",
      ready: true
    },
    {
      name: "Escape while leap types",
      trace: [...atRest, [8, { _tag: "Send" }], [8.1, keys("escape")]],
      at: 14,
      state: "idle",
      ready: true
    },
    {
      name: "the next prompt",
      trace: [...stopped, [9, draft("other")], [9.5, keys("enter")]],
      at: 9.6,
      state: "running"
    },
    {
      name: "the line of an earlier turn",
      trace: [...stopped, [9, draft("/help")], [9.5, keys("enter")], [9.6, picker], [11, frame({ interrupted: true })]],
      at: 15,
      state: "idle"
    },
    {
      name: "the line in a conversation that was resumed",
      trace: [
        [0.5, frame({ interrupted: true })],
        [0.6, own("rest")]
      ],
      at: 5,
      state: "idle",
      ready: true
    },
    {
      name: "a new conversation",
      trace: [
        ...stopped,
        [9, signal({ _tag: "SessionStarted", sessionId: "s2", transcriptPath: null, source: "clear" })]
      ],
      at: 20,
      state: "idle",
      ready: true
    }
  ])
})

describe("Tracker: background work", () => {
  const send: Modes = { autoSend: "pause", churn: "send" }
  const shell: Trace = [
    ...turn,
    [7, ended(["build"])],
    [7.1, frame({ title: "rest", background: 1 })],
    [7.2, own("rest", { background: true })]
  ]
  const agent: Trace = [...turn, [7, ended(["agent"])], [7.1, frame({ title: "work", background: 1 })]]
  check([
    { name: "a shell", trace: shell, at: 60, state: "churning", ready: false },
    { name: "a shell, sent to all the same", trace: shell, at: 60, state: "churning", ready: true, modes: send },
    { name: "an agent keeps the status file at work", trace: agent, at: 8, state: "churning", ready: false },
    { name: "an agent, sent to all the same", trace: agent, at: 60, state: "churning", ready: true, modes: send },
    {
      name: "listed by the program status",
      trace: [
        ...turn,
        [6, report("working")],
        [6.1, report("working", { id: "b1" })],
        [7, ended(["b1"])],
        [7.1, frame()],
        [7.2, report("working", { message: "1 shell still running" })]
      ],
      at: 8,
      state: "churning"
    },
    {
      name: "listed, and the program status at rest",
      trace: [...atRest, [1, report("idle")], [1.1, report("working", { id: "b1" })]],
      at: 8,
      state: "churning"
    },
    {
      name: "cleared from the list",
      trace: [
        ...atRest,
        [1, report("idle")],
        [1.1, report("working", { id: "b1/x" })],
        [2, report("clear", { id: "b1" })]
      ],
      at: 8,
      state: "idle"
    },
    ...(
      [
        ["that only the screen shows", [[7.2, frame({ background: 1 })]], [[20, frame()]]],
        [
          "that only the status file tells",
          [
            [7.1, frame()],
            [7.2, own("rest", { background: true })]
          ],
          [[20, own("rest")]]
        ],
        ["that only the turn's end has named", [[7.2, frame({ background: null })]], []]
      ] as ReadonlyArray<readonly [string, Trace, Trace]>
    ).flatMap(([name, told, over]) => {
      const unlisted: Trace = [...turn, [7, ended(["build"])], [7.1, report("done")], ...told]
      return [
        {
          name: `${name}, under a program status without it`,
          trace: unlisted,
          at: 19,
          state: "churning",
          ready: false
        },
        { name: `${name}, when it is over`, trace: [...unlisted, ...over], at: 80, state: "idle", ready: true }
      ] as const
    }),
    {
      name: "by the screen alone",
      trace: [...turnByScreen, [7, frame({ background: 2 })]],
      at: 8,
      state: "churning",
      tells: nothing
    },
    {
      name: "by the screen alone, which goes blank",
      trace: [...turnByScreen, [7, frame({ background: 2 })], [9, frame({ box: null, background: null, blank: true })]],
      at: 9.5,
      state: "churning",
      tells: nothing
    },
    {
      name: "begins a turn by itself",
      trace: [...shell, [20, started("<task>", true)], [20.1, working()]],
      at: 20.2,
      state: "running"
    },
    { name: "a shell ends without a word", trace: [...shell, [20, own("rest")]], at: 21, state: "idle" },
    {
      name: "interrupted stays interrupted while it lives",
      trace: [
        ...turn,
        [6.5, keys("escape")],
        [6.7, frame({ background: 1 })],
        [6.8, own("rest", { background: true })]
      ],
      at: 9,
      state: "interrupted"
    }
  ])

  it("names what the hook and the program status list", () => {
    const { view } = play([...shell, [8, report("idle")], [8.1, report("working", { id: "build" })]], 9)
    assert.deepStrictEqual(view.background, [{ id: "build", kind: "shell", title: "build", state: "working" }])
    const unlisted: Trace = [...turn, [7, ended(["build"])], [7.1, report("done")], [7.2, frame({ background: 1 })]]
    assert.deepStrictEqual(
      play(unlisted, 9).view.background.map(({ id }) => id),
      ["build"]
    )
    assert.deepStrictEqual(play([...unlisted, [12, frame()]], 13).view.background, [])
  })
})

describe("Tracker: what nobody ends", () => {
  const unread = frame({ box: null })
  it.each<readonly [string, Trace, SessionState, boolean]>([
    ["trust, asked for at the start", [[0.5, dialog({ kind: "trust" })]], "needs_permission", true],
    ["a permission", [...turn, [6.5, dialog()]], "needs_permission", true],
    ["a question", [...turn, [6.5, dialog({ kind: "question" })]], "needs_input", true],
    [
      "a question at rest, moved about in",
      [
        [0.5, frame()],
        [9, dialog({ kind: "question" })],
        [10, keys("navigate")]
      ],
      "needs_input",
      true
    ],
    [
      "a dialog over what the user types",
      [
        [0.5, frame()],
        [9, keys("text")],
        [9.1, dialog()]
      ],
      "needs_permission",
      true
    ],
    ["a picker", [...atRest, [9, picker]], "idle", true],
    ["a picker behind a turn", [...turnByScreen, [7, frame()], [20, picker]], "idle", true],
    ["what cannot be read", [...atRest, [9, unread]], "idle", true],
    ["what cannot be read behind a message", [...atRest, [9, { _tag: "Send" }], [9.2, unread]], "idle", true],
    ["unsent text", [...atRest, [9, draft("half")]], "idle", false]
  ])("stays for hours and is never ready: %s", (_, trace, state, toCli) => {
    const { view } = play(trace, 7_200)
    assert.deepStrictEqual([view.state, view.ready, view.dialog], [state, false, toCli], view.reason)
  })
})

describe("Tracker: what it keeps", () => {
  it("keeps who and what the hooks told", () => {
    const { facts } = play(
      [
        [1, signal({ _tag: "SessionStarted", sessionId: "s1", transcriptPath: "/t/s1.jsonl", source: "startup" })],
        [5, started("fix it")],
        [9, ended()],
        [20, started("<task>", true)]
      ],
      21
    )
    assert.deepStrictEqual(
      [facts.sessionId, facts.transcriptPath, facts.lastPrompt, facts.lastResponse],
      ["s1", "/t/s1.jsonl", "fix it", "done"]
    )
  })

  it("says since when a state holds, across ticks and repetitions", () => {
    const { view } = play([...turn, [9, own("work")], [12, working({ title: "work" })]], 13)
    assert.strictEqual(view.since, begin + 5_000)
  })

  it.each([
    ["an Enter that did not answer it", [[9, keys("enter")]], 9.5, 12],
    [
      "two of them",
      [
        [9, keys("enter")],
        [11, keys("enter")]
      ],
      11.5,
      14
    ]
  ] as ReadonlyArray<[string, Trace, number, number]>)(
    "says that a question has waited since it came up, whatever was taken for its answer: %s",
    (_, more, between, at) => {
      const trace: Trace = [...turn, [6.5, dialog()], [6.6, own("wait", { waitingFor: "permission" })], ...more]
      assert.strictEqual(play(trace, between).view.state, "running")
      const { since, state } = play(trace, at).view
      assert.deepStrictEqual([state, (since - begin) / 1000], ["needs_permission", 6.5])
    }
  )

  it("says of the next question in the same place that it has waited since it came up itself", () => {
    const next = dialog({ title: "Another?" })
    const trace: Trace = [...turn, [6.5, dialog()], [9, keys("enter")], [9.4, next], [20, next]]
    const { since, state } = play(trace, 20).view
    assert.deepStrictEqual([state, (since - begin) / 1000 >= 9.4], ["needs_permission", true])
  })

  it("says what the CLI works on, and not what it asks, before a dialog has stood for a moment and behind its answer", () => {
    const trace: Trace = [
      ...atRest,
      ...submit,
      [5.2, started("fix it")],
      [5.3, report("working", { message: "Writing notes.md" })],
      [5.4, working()],
      [6.5, report("blocked", { kind: "permission", message: "approve Write notes.md?" })],
      [6.55, dialog()],
      [9, keys("enter")]
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

  it("shows a problem until the next turn begins", () => {
    const failed: Trace = [
      ...turn,
      [
        7,
        signal({ _tag: "TurnFailed", problem: { kind: "overloaded", message: "busy", until: null }, message: "busy" })
      ]
    ]
    assert.strictEqual(play(failed, 8).view.problem?.kind, "overloaded")
    assert.isNull(play([...failed, [9, started()]], 10).view.problem)
  })

  it("has a name of its own for every rule", () => {
    const names = rules.map(({ name }) => name)
    assert.strictEqual(new Set(names).size, names.length)
  })
})
