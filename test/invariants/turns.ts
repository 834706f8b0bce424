import { assert } from "@effect/vitest"
import { Schema } from "effect"
import type { SessionState } from "../../src/domain/words/session/Session.ts"
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
import { begin, everything, nothing, settle } from "../support/session/trace.ts"
import { runsOnSignOnly, works } from "../support/session/SessionLaws.ts"
import { law, type Law, lawOfAll } from "./registry.ts"

const all = runsOf(250)
const waiting: ReadonlySet<SessionState> = new Set(["needs_permission", "needs_input"])
const interrupts = [
  "escape",
  "ctrlC",
  "interrupted",
  "interruptedDraft",
  "interruptedWork",
  "stopTold",
  "plan"
] as const satisfies ReadonlyArray<StepName>
const at = (event: StepName, time: number) => ({ ...steps[event], at: time }) as SessionEvent

export const turns: ReadonlyArray<Law> = [
  // Leap's form: work is claimed on a sign of work only: an Enter over typed text, leap's own typing, the CLI's word,
  // title or indicator.
  lawOfAll(["V10"], runsOnSignOnly, all),

  law(
    ["V10"],
    "no other key, resize or time makes a settled session run",
    {
      life: Life,
      mode: Mode,
      more: lifeOf(["text", "paste", "escape", "ctrlC", "ctrlD", "edit", "other", "navigate", "resize"])
    },
    ({ life, mode, more }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const { memory } = settle(track, last, Infinity)
      if (memory.view.state !== "idle") return
      for (const { view } of live(eventsOf(more, memory.facts.at), modesOf(mode), tellsOf(mode), memory).seen)
        assert.notStrictEqual(view.state, "running", view.reason._tag)
    },
    all
  ),

  law(
    ["V11"],
    "output alone makes nothing run, unless it shows work",
    {
      life: lifeOf(names.filter((name) => steps[name]._tag === "Output" && !works.some((one) => one === name))),
      mode: Mode
    },
    ({ life, mode }) => {
      for (const { view } of live(eventsOf(life), modesOf(mode), tellsOf(mode)).seen)
        assert.notStrictEqual(view.state, "running", view.reason._tag)
    },
    all
  ),

  // Leap's form: a key that stops, the CLI's line or word of it, or, where hooks tell of turns, a turn's end without
  // its hook.
  law(
    ["V12"],
    "nothing is interrupted without a key, a line or a word",
    { life: lifeOf(without(...interrupts)), mode: Mode },
    ({ life, mode }) => {
      for (const { view } of live(eventsOf(life), modesOf(mode), nothing).seen)
        assert.notStrictEqual(view.state, "interrupted", view.reason._tag)
    },
    all
  ),
  law(
    ["V12"],
    "nor where hooks tell of turns, while no turn began",
    { life: lifeOf(without(...interrupts, "started", "ownTurn")), mode: Mode },
    ({ life, mode }) => {
      for (const { view } of live(eventsOf(life), modesOf(mode), everything).seen)
        assert.notStrictEqual(view.state, "interrupted", view.reason._tag)
    },
    all
  ),

  law(
    ["V13"],
    "an interrupt key at rest stops nothing, then or later",
    {
      before: lifeOf(without(...interrupts)),
      key: Schema.Literals(["escape", "ctrlC"]),
      after: lifeOf(without(...interrupts)),
      mode: Mode
    },
    ({ after, before, key, mode }) => {
      const { last, track } = live(eventsOf(before), modesOf(mode), nothing)
      const { memory } = settle(track, last, Infinity)
      if (memory.view.state !== "idle" && memory.view.state !== "churning") return
      const pressed = track(memory, at(key, memory.facts.at + 1))
      for (const { view } of live(eventsOf(after, pressed.facts.at), modesOf(mode), nothing, pressed).seen)
        assert.notStrictEqual(view.state, "interrupted", view.reason._tag)
    },
    all
  ),

  // Leap's form: there is no running flag to reset. A new turn, prompt or message takes back what was stopped before
  // it.
  law(
    ["V15"],
    "what begins work begins it now, and takes an old stop back",
    { life: Life, mode: Mode, what: Schema.Literals(["started", "send"]) },
    ({ life, mode, what }) => {
      const { last, seen, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const memory = track(last, at(what, last.facts.at + 1))
      assert.isNull(memory.facts.stop)
      assert.isTrue(
        memory.view.state === "running" || waiting.has(memory.view.state),
        `${memory.view.state}: ${memory.view.reason._tag}`
      )
      seen.forEach(({ facts, view }, i) => {
        if (view.state === "running" && seen[i - 1]?.view.state !== "running") assert.strictEqual(view.since, facts.at)
      })
    },
    all
  ),

  // Leap's form: every state has the moment since which it lasts, not only the waiting ones.
  law(
    ["V16"],
    "a state lasts since the event that brought it, or since its question came up that never left the screen",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      const { seen } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      assert.strictEqual(seen[0]?.view.since, begin)
      seen.slice(1).forEach(({ facts, view }, i) => {
        const before = seen[i]!.view
        if (view.state === before.state) return assert.strictEqual(view.since, before.since)
        if (view.since === facts.at) return
        assert.include(["needs_permission", "needs_input"], view.state)
        // the state before began after the question had come up, and all saw the same question
        assert.isAtMost(view.since, before.since)
        const from = seen.findIndex((one) => one.facts.visibleSince.question === view.since)
        assert.isAtLeast(from, 0)
        assert.strictEqual(seen[from]?.facts.at, view.since)
        const titles = seen.slice(from, i + 2).map((one) => one.facts.screen.dialog?.title)
        assert.strictEqual(new Set(titles).size, 1)
        assert.isDefined(titles[0])
      })
    },
    all
  ),

  // Leap's form: no state ever blanks the screen. What is known of it is the last whole frame, and only output or a
  // frame's age changes it.
  law(
    ["V17"],
    "what is not output leaves the screen as it was",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      if (last.facts.torn !== null) return
      for (const name of names) {
        if (steps[name]._tag === "Output") continue
        const { facts } = track(last, at(name, last.facts.at))
        assert.strictEqual(facts.screen, last.facts.screen, name)
        assert.strictEqual(facts.visibleSince, last.facts.visibleSince, name)
      }
      const ticked = track(last, { _tag: "Tick", at: last.facts.at })
      assert.deepStrictEqual(
        { ...ticked.facts, concludedTurnStart: last.facts.concludedTurnStart, foundRestAt: last.facts.foundRestAt },
        last.facts
      )
      assert.deepStrictEqual(
        Tracker.track({ capabilities: tellsOf(mode) })(ticked, { _tag: "Tick", at: last.facts.at }),
        ticked
      )
    },
    runsOf(100)
  )
]
