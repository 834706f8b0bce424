import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { SessionEvent } from "../../src/domain/words/session/SessionEvent.ts"
import * as Tracker from "../../src/domain/engine/tracker/Tracker.ts"
import {
  eventsOf,
  Life,
  lifeOf,
  live,
  Mode,
  modesOf,
  names,
  type StepName,
  steps,
  tellsOf,
  without
} from "../support/session/lives.ts"
import { runsOf } from "../support/recordings/scenes.ts"
import { settle } from "../support/session/trace.ts"
import { fact, law, type Law } from "./registry.ts"

/*
 * Leap's form: there is no signal file. A hook, a status file's change and a report are events, each taken in once,
 * when it comes; nothing is read again. What could go wrong instead is one that comes twice, late, or that outlives
 * what it spoke of.
 */
const all = runsOf(250)
const words = names.filter((name) => steps[name]._tag === "Signal" || steps[name]._tag === "Reported")
const Word = Schema.Literals(words)
/** The last word on a turn that is over. */
const lasts = [
  "ended",
  "endedChurning",
  "failed",
  "stopTold",
  "toldDone",
  "toldIdle",
  "ownRest",
  "requestFailed"
] as const satisfies ReadonlyArray<StepName>

export const signals: ReadonlyArray<Law> = [
  law(
    ["V39"],
    "a word that comes twice says what it said once",
    { life: Life, word: Word, mode: Mode },
    ({ life, mode, word }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const event = { ...steps[word], at: last.facts.at } as SessionEvent
      const once = track(last, event)
      assert.deepStrictEqual(track(once, event).view, once.view)
    },
    runsOf(500)
  ),

  law(
    ["V39"],
    "time brings no word back: what it ended stays ended",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const { memory } = settle(track, last, Infinity)
      const later = track(memory, { _tag: "Tick", at: memory.facts.at + 100_000_000 })
      assert.deepStrictEqual(later.view, memory.view)
    },
    all
  ),

  law(
    ["V39"],
    "a late question, with the box on screen, asks nothing",
    {
      life: lifeOf(without("toldBlocked", "toldAuth", "ownAsks", "ownDialog", "ownWork", "askedOne")),
      mode: Mode,
      wait: Schema.Literals([0, 300, 5_010])
    },
    ({ life, mode, wait }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const atBox = track(last, { ...steps.box, at: last.facts.at })
      const asked = track(atBox, { ...steps.asked, at: atBox.facts.at + 1 })
      const { memory } = settle(track, asked, asked.facts.at + wait)
      assert.notInclude(["needs_permission", "needs_input"], memory.view.state, memory.view.reason._tag)
      if (wait < 2_000) assert.isFalse(memory.view.ready)
    },
    all
  ),

  law(
    ["V40"],
    "what was said before a prompt says nothing after it",
    { life: Life, last: Schema.Literals(lasts), begins: Schema.Literals(["send", "started"]), mode: Mode },
    ({ begins, last: word, life, mode }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const said = track(last, { ...steps[word], at: last.facts.at + 1 })
      const begun = track(said, { ...steps[begins], at: said.facts.at + 1 })
      assert.include(["running", "needs_permission", "needs_input"], begun.view.state, begun.view.reason._tag)
      assert.isFalse(begun.view.ready)
    },
    all
  ),

  law(
    ["V40"],
    "nor does the user's own Enter leave the old word standing",
    {
      life: lifeOf(without("toldBlocked", "toldAuth", "ownAsks", "ownDialog", "askedOne", "loggedOut", "titleAsks")),
      word: Schema.Literals(lasts),
      mode: Mode
    },
    ({ life, mode, word }) => {
      const { last } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      let at = last.facts.at
      const events = (
        [
          [1_600, "draft"],
          [1_600, word],
          [10, "draft"],
          [10, "enter"]
        ] as const
      ).map(([wait, name]) => ({ ...steps[name], at: (at += wait) }))
      const { last: sent } = live(events, modesOf(mode), tellsOf(mode), last)
      // Where leap holds that the CLI works (or is about to take what was typed ahead), the Enter types ahead: that
      // waits.
      if (sent.facts.submitted?.ahead !== true) assert.strictEqual(sent.view.state, "running", sent.view.reason._tag)
      assert.isFalse(sent.view.ready)
    },
    all
  ),

  // Leap's form: a machine begins with nothing but a time; the host empties the spool before the CLI is started
  // (HookInboxSpool.live.test.ts).
  law(
    ["V41"],
    "a new session knows nothing: no word makes it ready before its box has been drawn",
    {
      life: lifeOf(
        names.filter((name) => {
          const step = steps[name]
          return step._tag !== "Output" || step.screen === null || step.screen.box === null
        })
      ),
      mode: Mode
    },
    ({ life, mode }) => {
      const { seen } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      assert.strictEqual(seen[0]?.view.state, "starting")
      for (const { view } of seen) assert.isFalse(view.ready, view.reason._tag)
    },
    all
  ),

  fact(["V41"], "two machines share nothing", () =>
    Effect.sync(() => {
      const track = Tracker.track({ capabilities: { programStatus: true, ownStatus: true, turnHooks: true } })
      const modes = { autoSend: "pause", churn: "wait" } as const
      words.reduce((memory, name) => track(memory, { ...steps[name], at: 5 }), Tracker.start(0, modes))
      assert.deepStrictEqual(Tracker.start(0, modes).view, {
        state: "starting",
        ready: false,
        dialog: false,
        reason: { _tag: "NotDrawn" },
        message: null,
        problem: null,
        background: [],
        changesAt: null,
        notReady: null,
        since: 0
      })
    })
  )
]
