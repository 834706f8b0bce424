import { assert } from "@effect/vitest"
import { Schema } from "effect"
import type { SessionState } from "../../src/domain/words/session/Session.ts"
import type { SessionEvent } from "../../src/domain/words/session/SessionEvent.ts"
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
  waits,
  without
} from "../support/session/lives.ts"
import { runsOf } from "../support/recordings/scenes.ts"
import { begin } from "../support/session/trace.ts"
import { dialogAsks, restTold } from "../support/session/SessionLaws.ts"
import { law, type Law, lawOfAll } from "./registry.ts"

const all = runsOf(300)
const waiting: ReadonlySet<SessionState> = new Set(["needs_permission", "needs_input"])
/** These steps, each after one of these waits. */
const paced = (
  list: ReadonlyArray<StepName>,
  pace: ReadonlyArray<number>,
  from: number
): ReadonlyArray<SessionEvent> => {
  let at = from
  return list.map((name, i) => {
    at += pace[i % pace.length] ?? 0
    return { ...steps[name], at }
  })
}
const Pace = Schema.Array(Schema.Literals(waits.filter((wait) => wait > 0))).check(Schema.isMinLength(1))

export const interrupts: ReadonlyArray<Law> = [
  // Leap's form of V18 and V20, stronger: a dialog that can be read stays until it leaves the screen, however it was
  // answered, and only a minute of the CLI's own word that it rests takes it for a quotation.
  lawOfAll(["V18", "V20"], dialogAsks, all),

  law(
    ["V20"],
    "a dialog that nobody answers stays, whatever time and hooks bring",
    {
      life: Life,
      shown: Schema.Literals(["dialog", "question", "trust", "declinable"]),
      mode: Mode,
      after: lifeOf([
        "dialog",
        "half",
        "resize",
        "navigate",
        "ended",
        "endedChurning",
        "failed",
        "toolEnded",
        "tool",
        "responded",
        "toldBlocked",
        "ownAsks",
        "asked"
      ])
    },
    ({ after, life, mode, shown }) => {
      const { last } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const again = after.map((moment) => (moment.step === "dialog" ? { ...moment, step: shown } : moment))
      const began = last.facts.at + 2_000
      const events = [...paced(["toldBlocked", shown], [1], began), ...eventsOf(again, began + 2)]
      for (const { facts, view } of live(events, modesOf(mode), tellsOf(mode), last).seen) {
        if (facts.at > began + 2 + 1_500 && facts.screen.dialog !== null)
          assert.isTrue(waiting.has(view.state), `${view.state}: ${view.reason._tag}`)
      }
    },
    all
  ),

  law(
    ["V20"],
    "a dialog in the place of an answered one waits for an answer of its own",
    { life: Life, mode: Mode, key: Schema.Literals(["text", "enter"]), word: Schema.Literals(["ownWork", "toldWork"]) },
    ({ key, life, mode, word }) => {
      const { last } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const { last: end } = live(
        paced(["dialog", key, word, "question", "question"], [2_000], last.facts.at),
        modesOf(mode),
        tellsOf(mode),
        last
      )
      if (restTold(end) === null)
        assert.isTrue(waiting.has(end.view.state), `${end.view.state}: ${end.view.reason._tag}`)
    },
    all
  ),

  law(
    ["V18"],
    "one that left the screen is over",
    { life: lifeOf(without("toldBlocked", "ownAsks", "ownDialog", "titleAsks", "askedOne")), mode: Mode },
    ({ life, mode }) => {
      const { last } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const { seen } = live(paced(["box", "dialog", "box"], [3_000], last.facts.at), modesOf(mode), tellsOf(mode), last)
      assert.isTrue(
        waiting.has(seen.at(-2)!.view.state) ||
          seen.some(({ view }) => waiting.has(view.state)) ||
          restTold(last) !== null,
        seen.at(-2)!.view.reason._tag
      )
      assert.isFalse(waiting.has(seen.at(-1)!.view.state), seen.at(-1)!.view.reason._tag)
    },
    all
  ),

  // Leap's form: `interrupted` lasts until the next prompt, turn or conversation, whatever the screen shows and hooks
  // say meanwhile.
  law(
    ["V19"],
    "what was provably stopped stays stopped until a prompt or a turn",
    {
      life: lifeOf(
        without("toldBlocked", "ownAsks", "ownDialog", "toldAuth", "askedOne", "toldWork", "ownWork", "compact")
      ),
      mode: Mode,
      proof: Schema.Literals(["interrupted", "stopTold"]),
      after: lifeOf([
        "box",
        "boxRest",
        "draft",
        "command",
        "menu",
        "search",
        "picker",
        "resting",
        "half",
        "blank",
        "interrupted",
        "interruptedDraft",
        "text",
        "paste",
        "navigate",
        "other",
        "edit",
        "escape",
        "ctrlC",
        "resize",
        "ended",
        "toolEnded",
        "responded",
        "ownRest",
        "toldIdle",
        "toldDone"
      ])
    },
    ({ after, life, mode, proof }) => {
      const { last } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const stopped = live(
        paced(["box", "started", "working", "escape", proof, "box"], [100], last.facts.at),
        modesOf(mode),
        tellsOf(mode),
        last
      ).last
      for (const { view } of live(
        eventsOf(after, stopped.facts.at + 100),
        modesOf(mode),
        tellsOf(mode),
        stopped
      ).seen.slice(1)) {
        assert.strictEqual(view.state, "interrupted", view.reason._tag)
        assert.isFalse(view.ready)
      }
    },
    all
  ),

  law(
    ["V42"],
    "a stop that is proven beats the end of its turn, whichever comes first",
    {
      life: lifeOf(
        without("toldBlocked", "ownAsks", "ownDialog", "toldAuth", "askedOne", "toldWork", "ownWork", "compact")
      ),
      mode: Mode,
      pace: Pace,
      key: Schema.Literals(["escape", "ctrlC"]),
      ahead: Schema.Boolean,
      order: Schema.Literals(["interrupted ended", "ended interrupted", "stopTold ended box", "interrupted ended box"])
    },
    ({ ahead, key, life, mode, order, pace }) => {
      const { last } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const { last: end } = live(
        paced(
          [
            "box",
            "started",
            "working",
            ...(ahead ? (["draft", "enter", "working"] as const) : []),
            key,
            ...(order.split(" ") as ReadonlyArray<StepName>)
          ],
          pace.map((wait) => Math.min(wait, 500)),
          last.facts.at
        ),
        modesOf(mode),
        tellsOf(mode),
        last
      )
      assert.strictEqual(end.view.state, "interrupted", end.view.reason._tag)
    },
    all
  ),

  law(
    ["V43"],
    "the line of an earlier stop stops nothing",
    {
      life: lifeOf(without("toldBlocked", "ownAsks", "ownDialog", "toldAuth", "askedOne")),
      mode: Mode,
      pace: Pace,
      again: Schema.Boolean
    },
    ({ again, life, mode, pace }) => {
      const { last } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const first = live(
        paced(["started", "working", "escape", "interrupted"], [100], last.facts.at),
        modesOf(mode),
        tellsOf(mode),
        last
      ).last
      // Another Esc that the CLI did not heed, while the old line still stands.
      const turn: ReadonlyArray<StepName> = [
        "started",
        "interruptedWork",
        ...(again ? (["escape", "interruptedWork"] as const) : []),
        "interruptedWork",
        "ended",
        "interrupted"
      ]
      const { last: end } = live(paced(turn, pace, first.facts.at), modesOf(mode), tellsOf(mode), first)
      assert.notStrictEqual(end.view.state, "interrupted", end.view.reason._tag)
    },
    all
  ),

  // Leap's form: trust is a dialog like others, and nothing is ready before the start has settled.
  law(
    ["V44"],
    "an answered trust dialog leads to a session that has yet to settle",
    { pace: Pace, mode: Mode, key: Schema.Literals(["enter", "text"]) },
    ({ key, mode, pace }) => {
      const { seen } = live(
        paced(["blank", "trust", "trust", key, "blank", "box", "box", "boxRest", "box"], pace, begin),
        modesOf(mode),
        tellsOf(mode)
      )
      assert.isTrue(seen.some(({ view }) => view.state === "needs_permission"))
      for (const { facts, view } of seen) {
        if (facts.firstBoxAt === null) assert.isFalse(view.ready)
        else {
          assert.include(["idle", "running"], view.state, view.reason._tag)
          if (view.ready) assert.isAtLeast(facts.at - facts.firstBoxAt, 2_000)
        }
      }
    },
    all
  )
]
