import { assert } from "@effect/vitest"
import { Schema } from "effect"
import { rootRecord } from "../../src/domain/engine/tracker/Facts.ts"
import type { SessionEvent } from "../../src/domain/words/session/SessionEvent.ts"
import type * as Tracker from "../../src/domain/engine/tracker/Tracker.ts"
import {
  eventsOf,
  Life,
  lifeOf,
  live,
  Mode,
  modesOf,
  type StepName,
  steps,
  tellsOf,
  without
} from "../support/session/lives.ts"
import { runsOf } from "../support/recordings/scenes.ts"
import { frame, nothing, settle } from "../support/session/trace.ts"
import { restEndsTurn, words } from "../support/session/SessionLaws.ts"
import { law, type Law, lawOfAll } from "./registry.ts"

const all = runsOf(250)
const second = 1_000
/** The CLI itself says at this moment that it works, or waits. */
const says = ({ facts }: Tracker.TrackerMemory): "work" | "wait" | "rest" | null => {
  const root = rootRecord(facts.records)
  if (root !== null) return root.state === "working" ? "work" : root.state === "blocked" ? "wait" : "rest"
  return facts.ownStatus === null || facts.ownStatus.phase === "gone" ? null : facts.ownStatus.phase
}
/** Events, each so long after the one before. */
const then = (
  memory: Tracker.TrackerMemory,
  ...list: ReadonlyArray<readonly [after: number, step: StepName]>
): ReadonlyArray<SessionEvent> => {
  let at = memory.facts.at
  return list.map(([after, name]) => {
    at += after
    return { ...steps[name], at }
  })
}

export const bounds: ReadonlyArray<Law> = [
  // Leap's form: 60 s of silence end what a hook, the title or a compaction says of work; a running indicator that
  // stands still, 10 s.
  law(
    ["V21", "V24"],
    "running ends a minute after the last sign of life, but for the CLI's own word",
    { life: lifeOf(without(...words)), mode: Mode },
    ({ life, mode }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const { memory } = settle(track, last, last.facts.at + 60.3 * second)
      assert.notStrictEqual(memory.view.state, "running", memory.view.reason._tag)
    },
    all
  ),

  law(
    ["V24"],
    "what has no bound is what the CLI says, or shows for the user to act on",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const { memory } = settle(track, last, Infinity)
      const { facts, view } = memory
      const word = says(memory)
      if (view.state === "running") assert.isTrue(word === "work" || word === "wait", view.reason._tag)
      if (view.state === "needs_permission" || view.state === "needs_input") {
        const unread = facts.screen.box === null && (facts.lastQuestion !== null || facts.screen.title === "ask")
        assert.isTrue(
          facts.screen.dialog !== null || word === "wait" || facts.openQuestions.length > 0 || unread,
          view.reason._tag
        )
      }
      // What keeps a session at rest from being ready for ever can be seen or is said.
      if (view.state === "idle" && !view.ready) {
        const { screen } = facts
        const shows =
          screen.dialog !== null ||
          screen.picker ||
          screen.working ||
          screen.title === "work" ||
          screen.resting === false ||
          screen.box === null ||
          screen.box.draft !== ""
        assert.isTrue(
          shows || word === "work" || word === "wait" || view.problem !== null || screen.loggedOut === true,
          view.reason._tag
        )
      }
    },
    all
  ),

  // Leap's form of the 5 s with the cursor visible: the box on screen, empty, with nothing at work and no word of the
  // CLI's against it.
  lawOfAll(["V22"], restEndsTurn, all),

  // Leap's form: a Stop hook alone ends nothing; with the box at rest on screen it does within a second.
  law(
    ["V23"],
    "a turn's end by its hook and a screen at rest is known within a second",
    { life: lifeOf(without(...words, "send", "leapEnter", "enter", "compact")), mode: Mode, first: Schema.Boolean },
    ({ first, life, mode }) => {
      const { last } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const order = first
        ? ([
            [1, "ended"],
            [1, "boxRest"],
            [900, "boxRest"]
          ] as const)
        : ([
            [1, "boxRest"],
            [1, "ended"],
            [900, "boxRest"]
          ] as const)
      const { last: end } = live(then(last, ...order), modesOf(mode), tellsOf(mode), last)
      assert.notStrictEqual(end.view.state, "running", end.view.reason._tag)
    },
    all
  ),

  // Leap's form: no grace of 60 s. An answered dialog is rest only when the box has stood at rest for the settling
  // time.
  law(
    ["V25"],
    "nothing is ready within a moment of a dialog, however it went",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      for (const memory of live(eventsOf(life), modesOf(mode), tellsOf(mode)).seen) {
        const {
          facts: { at, dialogClosedAt },
          view
        } = memory
        if (view.ready && dialogClosedAt !== null)
          assert.isAtLeast(at - dialogClosedAt, says(memory) === null ? 1_000 : 400, view.reason._tag)
      }
    },
    runsOf(400)
  ),
  law(
    ["V25"],
    "nor after an answer, until the box is back",
    {
      life: Life,
      mode: Mode,
      after: lifeOf([
        "dialog",
        "unreadable",
        "blank",
        "half",
        "picker",
        "toolEnded",
        "ended",
        "toldIdle",
        "toldDone",
        "ownRest",
        "answered",
        "resize"
      ])
    },
    ({ after, life, mode }) => {
      const { last } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const { last: answered } = live(then(last, [500, "dialog"], [500, "enter"]), modesOf(mode), tellsOf(mode), last)
      for (const { view } of live(eventsOf(after, answered.facts.at), modesOf(mode), tellsOf(mode), answered).seen)
        assert.isFalse(view.ready, view.reason._tag)
    },
    all
  ),

  // Leap's form: unsent text may be idle, never ready; no silence, hook or word of the CLI's changes that.
  law(
    ["V26"],
    "unsent text is never ready, for any time and any word",
    {
      life: Life,
      mode: Mode,
      after: lifeOf([
        "draft",
        "interruptedDraft",
        "half",
        "toldIdle",
        "toldDone",
        "ownRest",
        "ended",
        "endedChurning",
        "toolEnded",
        "responded",
        "resize",
        "text",
        "compacted"
      ])
    },
    ({ after, life, mode }) => {
      const { last } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const { last: drafted } = live(then(last, [0, "draft"]), modesOf(mode), tellsOf(mode), last)
      for (const { view } of live(
        [...eventsOf(after, drafted.facts.at), ...then(drafted, [10_000_000, "draft"])],
        modesOf(mode),
        tellsOf(mode),
        drafted
      ).seen) {
        assert.isFalse(view.ready, view.reason._tag)
      }
    },
    all
  ),
  law(
    ["V26"],
    "nor is text that was typed and does not show yet",
    {
      life: Life,
      mode: Mode,
      keys: Schema.Literals(["text", "paste", "leapText"]),
      lag: Schema.Literals([0, 50, 500, 1_000, 1_499])
    },
    ({ keys, lag, life, mode }) => {
      const { last } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const { seen } = live(
        then(last, [1, "box"], [61_000, keys], [0, "box"], [lag, "toldIdle"], [0, "box"]),
        modesOf(mode),
        tellsOf(mode),
        last
      )
      const typedAt = last.facts.at + 61_001
      for (const { facts, view } of seen)
        if (facts.at >= typedAt && facts.typedAt === typedAt) assert.isFalse(view.ready, view.reason._tag)
    },
    all
  ),

  law(
    ["V27"],
    "silence before a turn does not count",
    {
      life: Life,
      mode: Mode,
      after: Life,
      silence: Schema.Literals([61 * second, 600 * second, 86_400 * second]),
      begins: Schema.Literals(["started", "send", "toldWork"])
    },
    ({ after, begins, life, mode, silence }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const { memory } = settle(track, last, Infinity)
      const from = (wait: number) => {
        const at = memory.facts.at + wait
        const began = track(memory, { ...steps[begins], at })
        return live(eventsOf(after, at), modesOf(mode), tellsOf(mode), began).seen.map(
          ({ facts, view: { ready, state } }) => [facts.at - at, state, ready]
        )
      }
      assert.deepStrictEqual(from(silence), from(60 * second))
    },
    runsOf(150)
  ),

  // Leap's form: the screen's last certain count of background work stands for a minute under screens that tell nothing
  // of it.
  law(
    ["V28"],
    "a screen that says nothing of background work ends none",
    {
      life: lifeOf(
        without(
          ...words,
          "ownRest",
          "ownShell",
          "toldIdle",
          "toldDone",
          "toldChild",
          "toldChildGone",
          "started",
          "ownTurn",
          "ended",
          "endedChurning",
          "enter",
          "leapEnter",
          "send",
          "compact",
          "escape",
          "ctrlC",
          "interrupted",
          "interruptedWork",
          "interruptedDraft",
          "stopTold",
          "plan"
        )
      ),
      mode: Mode,
      between: Schema.Array(
        Schema.Literals(["half", "blank", "unreadable", "picker", "resize", "navigate", "titleAsks", "dialog"])
      )
    },
    ({ between, life, mode }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), nothing)
      const churning = live(
        then(last, [0, "boxRest"], [70_000, "background"], [1_000, "background"]),
        modesOf(mode),
        nothing,
        last
      ).last
      assert.strictEqual(churning.view.state, "churning", churning.view.reason._tag)
      const after = live(
        then(churning, ...between.map((step) => [300, step] as const)),
        modesOf(mode),
        nothing,
        churning
      ).last
      const mute = track(after, {
        ...frame({ background: null, title: "rest" }),
        at: Math.min(after.facts.at + 100, churning.facts.at + 59_000)
      })
      assert.strictEqual(mute.facts.background?.count, 1)
      assert.strictEqual(settle(track, mute, mute.facts.at + 500).memory.view.state, "churning")
      assert.strictEqual(track(mute, { ...steps.box, at: mute.facts.at + 1 }).facts.background?.count, 0)
    },
    runsOf(100)
  )
]
