import { assert } from "@effect/vitest"
import { settling } from "../../src/domain/engine/tracker/rules/limits.ts"
import { defaultModes, type Modes, type View } from "../../src/domain/words/session/Session.ts"
import { wholeMachine } from "../support/brains.ts"
import { DrivenSession, toldSender } from "../support/DrivenSession.ts"
import { numbered, type ScenarioRow } from "./support/scenarioTable.ts"
import { SimulatedHost } from "../support/SimulatedHost.ts"
import {
  dialog,
  draft,
  ended,
  frame,
  keys,
  own,
  play as trace,
  started,
  type Step,
  working
} from "../support/session/trace.ts"

/** What the session does in one round. `draft`: at rest with unsent text in its box. */
type Round = "IDLE" | "draft" | "RUN" | "PERM" | "INPUT" | "INTR" | "CHURN"

interface Rounds {
  readonly rounds: ReadonlyArray<Round>
  readonly modes?: Partial<Modes>
  /** Modes that the user sets before the round of that number. */
  readonly set?: readonly [round: number, modes: Partial<Modes>]
  readonly force?: boolean
  /** The round, from 1, in which the message's first byte goes out; null for never. */
  readonly typedIn: number | null
}

/**
 * A round of the original with a message waiting: two rounds of readiness, then the message. leap counts 300 ms of it
 * instead.
 */
const round = 200
/**
 * What leap's tracker waits for beyond that, before it calls a session at rest ready: longest after a key of the
 * user's.
 */
const allowance = Math.max(settling.reported, settling.key)

const steps: Readonly<Record<Round, ReadonlyArray<Step>>> = {
  IDLE: [own("rest"), frame()],
  draft: [own("rest"), keys("text"), draft("abc")],
  RUN: [own("work"), working()],
  PERM: [own("wait", { waitingFor: "permission" }), dialog()],
  INPUT: [own("wait", { waitingFor: "question" }), dialog({ kind: "question" })],
  INTR: [own("work"), working(), keys("escape"), own("rest"), frame({ interrupted: true })],
  CHURN: [own("rest", { background: true }), frame({ background: 1 })]
}
const words = {
  IDLE: "idle",
  draft: "idle",
  RUN: "running",
  PERM: "needs_permission",
  INPUT: "needs_input",
  INTR: "interrupted",
  CHURN: "churning"
} as const

const viewOf = (now: Round, modes: Modes): Partial<View> => ({
  state: words[now],
  ready: now === "IDLE" || now === "draft" || (now === "CHURN" && modes.churn === "send"),
  dialog: now === "PERM" || now === "INPUT"
})

const play = (
  { force = false, modes: first, rounds, set }: Rounds,
  brain: ConstructorParameters<typeof DrivenSession>[0],
  say: (view: Partial<View>) => void,
  after: number
) => {
  let modes: Modes = { ...defaultModes, ...first }
  const session = new DrivenSession(brain)
  session.tell({ _tag: "ModesChanged", modes })
  // up, and at work: that is when messages are queued
  for (const before of ["IDLE", "RUN"] as const) {
    say(viewOf(before, modes))
    session.tell(...steps[before])
    session.run(10_000)
  }
  session.add("a", "hello", force)
  const begun = session.now
  rounds.forEach((now, i) => {
    if (set !== undefined && set[0] === i + 1) {
      modes = { ...modes, ...set[1] }
      session.tell({ _tag: "ModesChanged", modes })
    }
    say(viewOf(now, modes))
    // who has typed once leaves the text standing
    session.tell(...steps[now].filter(({ _tag }) => _tag !== "Input" || now !== rounds[i - 1]))
    session.run(round)
  })
  session.run(after)
  return { session, at: session.written.length === 0 ? null : session.written[0]!.at - begun }
}

/**
 * By the sender alone, which hears of readiness what the row says, in that very round; by the whole machine within its
 * bounds.
 */
const inRounds = (how: Rounds) => (): void => {
  const told = toldSender()
  const alone = play(how, told.brain, told.say, 0)
  const whole = play(how, wholeMachine, () => {}, how.typedIn === null ? 60_000 : allowance)
  if (how.typedIn === null) {
    assert.deepStrictEqual([alone.at, whole.at], [null, null])
    assert.deepStrictEqual([alone.session.status("a"), whole.session.status("a")], ["queued", "queued"])
    return
  }
  const from = (how.typedIn - 1) * round
  assert.isNotNull(alone.at)
  assert.isTrue(alone.at >= from && alone.at < from + round, `the sender alone wrote after ${alone.at} ms`)
  assert.isNotNull(whole.at, whole.session.why)
  assert.isTrue(whole.at >= from && whole.at < from + round + allowance, `the machine wrote after ${whole.at} ms`)
}

const host = (): SimulatedHost => {
  const host = new SimulatedHost(wholeMachine)
  host.run(5_000)
  return host
}
const prompts = (host: SimulatedHost) => host.allPrompts().map(({ text }) => text)
const purposes = (host: SimulatedHost) => host.written.map(({ purpose }) => purpose)

const approval =
  "nothing answers a permission for the user yet: approvals and policies are issue 4 (modes and approvals)"

/** The ids of the auto-sender's table. */
export const ids = numbered("A", 18)

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "A-01",
    says: "a message goes out in the second round of rest",
    check: inRounds({ rounds: ["IDLE", "IDLE"], typedIn: 2 })
  },
  {
    id: "A-02",
    says: "a round of work in between begins the count anew",
    check: inRounds({ rounds: ["IDLE", "RUN", "IDLE", "IDLE"], typedIn: 4 })
  },
  {
    id: "A-03",
    says: "not while text of the user's stands in the box, then in the second round without",
    check: inRounds({ rounds: ["draft", "draft", "draft", "draft", "draft", "IDLE", "IDLE"], typedIn: 7 })
  },
  {
    id: "A-04",
    says: "background work holds it until the mode says send",
    check: () => {
      inRounds({ rounds: ["CHURN", "CHURN", "CHURN", "CHURN"], typedIn: null })()
      inRounds({ rounds: ["CHURN", "CHURN", "CHURN", "CHURN", "CHURN"], set: [4, { churn: "send" }], typedIn: 5 })()
    }
  },
  {
    id: "A-05",
    says: "nothing while it asks or was interrupted, and the count begins anew",
    check: () => {
      inRounds({ rounds: ["PERM", "PERM", "PERM", "INPUT", "INPUT", "INPUT", "INTR", "INTR", "INTR"], typedIn: null })()
      inRounds({ rounds: ["IDLE", "PERM", "IDLE", "INPUT", "IDLE", "INTR"], typedIn: null })()
      inRounds({ rounds: ["IDLE", "PERM", "INPUT", "IDLE", "IDLE"], typedIn: 5 })()
    }
  },
  ...(
    [
      ["A-06", "always: no message goes out while a permission is asked for", dialog()],
      [
        "A-07",
        "always: nor where only wider grants are offered",
        dialog({
          options: [
            { number: 1, label: "Yes, allow all edits", selected: true },
            { number: 2, label: "No", selected: false }
          ]
        })
      ],
      [
        "A-09",
        "always: nor where the menu has no numbers",
        dialog({
          options: [
            { number: null, label: "Allow once", selected: true },
            { number: null, label: "No", selected: false }
          ]
        })
      ]
    ] as const
  ).map(([id, says, asks]): ScenarioRow => ({
    id,
    says,
    differs: `${approval}; that nothing of the queue is typed into it is checked`,
    check: () => {
      const session = new DrivenSession(wholeMachine)
      session.tell({ _tag: "ModesChanged", modes: { ...defaultModes, autoSend: "always" } }, ...steps.IDLE)
      session.run(10_000)
      session.add("a", "hello")
      session.tell(...steps.RUN, own("wait", { waitingFor: "permission" }), asks)
      session.run(600_000)
      assert.deepStrictEqual([session.written, session.status("a")], [[], "queued"])
    }
  })),
  {
    id: "A-08",
    says: "always: nothing while a question is asked",
    check: inRounds({ modes: { autoSend: "always" }, rounds: ["INPUT", "INPUT", "INPUT"], typedIn: null })
  },
  {
    id: "A-10",
    says: "a forced message goes out while a turn runs",
    differs:
      "in the second round, not the first: a forced message waits out the debounce as well, in which a dialog may come up",
    check: inRounds({ force: true, rounds: ["RUN", "RUN"], typedIn: 2 })
  },
  {
    id: "A-11",
    says: "a forced message waits for dialogs to go, then goes out into the resumed turn",
    check: () => {
      const session = new DrivenSession(wholeMachine)
      session.tell(...steps.IDLE)
      session.run(10_000)
      session.tell(...steps.RUN, ...steps.PERM)
      session.add("b", "waits like any other")
      session.add("a", "hello", true)
      session.run(600_000)
      assert.deepStrictEqual(session.written, [])
      session.tell(keys("enter"), ...steps.RUN)
      session.run(2 * round + allowance)
      // bound to its message (G-17): what waits unforced is not let out by it
      assert.deepStrictEqual(
        session.written.map(({ data }) => data),
        ["\u001b[200~hello\u001b[201~"]
      )
      session.tell(draft("hello"), working({ box: { draft: "hello" } }))
      session.run(200)
      session.tell(working())
      session.run(20_000)
      assert.deepStrictEqual([session.status("a"), session.status("b")], ["submitted", "queued"])
    }
  },
  {
    id: "A-12",
    says: "a message whose writing fails stands at the head again, and the count begins anew",
    check: () => {
      const session = host()
      session.add("a", "first")
      session.add("b", "second")
      session.cli.lose = 1
      session.run(6_000)
      assert.deepStrictEqual(
        session.queue.entries.map(({ message }) => [message.id, message.status]),
        [
          ["a", "queued"],
          ["b", "queued"]
        ]
      )
      assert.deepStrictEqual(prompts(session), [])
      session.run(60_000)
      assert.deepStrictEqual(prompts(session), ["first", "second"])
    }
  },
  {
    id: "A-13",
    says: "one message a turn, and the next after its own two rounds of rest",
    check: () => {
      const session = host()
      session.add("a", "first")
      session.add("b", "second")
      session.run(60_000)
      assert.deepStrictEqual(
        session.allPrompts().map(({ busy, text }) => [text, busy]),
        [
          ["first", false],
          ["second", false]
        ]
      )
      const [first, second] = session.written.filter(({ purpose }) => purpose === "text")
      const turn = session.cli.startDelay + session.cli.turnLength
      assert.isAbove(second!.at - first!.at, turn + round)
    }
  },
  {
    id: "A-14",
    says: "always: a permission in between begins the count anew",
    check: () => {
      const modes = { autoSend: "always" } as const
      inRounds({ modes, rounds: ["IDLE", "PERM", "IDLE", "RUN"], typedIn: null })()
      inRounds({ modes, rounds: ["IDLE", "PERM", "IDLE", "IDLE"], typedIn: 4 })()
    }
  },
  {
    id: "A-15",
    says: "always, set while a permission is asked for: nothing is typed into it",
    differs: `${approval}; that setting the mode types nothing is checked`,
    check: inRounds({ rounds: ["PERM", "PERM", "PERM", "PERM"], set: [3, { autoSend: "always" }], typedIn: null })
  },
  {
    id: "A-16",
    says: "a forced message goes out at once in a turn",
    differs: "never into a dialog: what is typed there answers it; it goes out when the dialog is gone",
    check: () => {
      const session = host()
      session.cli.turnLength = 60_000
      session.add("a", "first")
      session.run(5_000)
      session.add("b", "at once", { force: true })
      session.run(1_000)
      assert.deepStrictEqual(prompts(session), ["first", "at once"])
      session.cli.raise("dialog")
      session.run(100)
      session.add("c", "after the dialog", { force: true })
      session.run(20_000)
      assert.deepStrictEqual([prompts(session), session.cli.swallowed], [["first", "at once"], []])
      session.press("\r")
      session.run(2_000)
      assert.deepStrictEqual([prompts(session), session.cli.swallowed], [["first", "at once", "after the dialog"], []])
    }
  },
  {
    id: "A-17",
    says: "a forced message goes round what the user has half typed, and puts it back",
    check: () => {
      const session = host()
      for (const key of "abc") session.press(key)
      session.run(1_000)
      session.add("a", "hello", { force: true })
      session.run(3_000)
      assert.deepStrictEqual([prompts(session), session.cli.draft], [["hello"], "abc"])
      assert.deepStrictEqual(purposes(session), ["clear", "text", "submit", "restore"])
    }
  },
  {
    id: "A-18",
    says: "a turn that leaves background work has ended: its reply is kept and its message done",
    differs: "no query is held in flight (the original's flag): a receipt says how far each message is",
    check: () => {
      const session = new DrivenSession(wholeMachine)
      session.tell(...steps.IDLE)
      session.run(10_000)
      session.add("a", "hello")
      session.run(1_000)
      session.tell(draft("hello"))
      session.run(200)
      session.tell(frame(), started("hello"), ...steps.RUN)
      session.run(5_000)
      assert.strictEqual(session.status("a"), "started")
      session.tell(ended(["build"]), ...steps.CHURN)
      session.run(1_000)
      assert.match(session.why, /^churning/)
      assert.strictEqual(session.status("a"), "done")
      const { facts, view } = trace(
        [
          [1, steps.IDLE[0]!],
          [2, started("hello")],
          [3, ended(["build"])],
          [3.1, frame({ background: 1 })],
          [3.2, steps.CHURN[0]!]
        ],
        4
      )
      assert.deepStrictEqual([view.state, facts.lastResponse], ["churning", "done"])
    }
  }
]
