import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { machineWith } from "../../../support/brains.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"
import type { SimulatedCli } from "../../../support/session/SimulatedCli.ts"
import { failed } from "../../../support/session/failures.ts"
import { calm, holdsLaw, Spell } from "../../../support/session/weatherLife.ts"

/** A life in words: its spells, each with its kind, how long it lasts, what the user does and what befalls the host. */
const lived = (words: string): ReadonlyArray<Spell> =>
  words.split("; ").map((spell) => {
    const [kind, seconds = "", act, event, ...more] = spell.split(" ")
    const late = (what: string) =>
      more.flatMap((word) => (word.startsWith(`${what}+`) ? [Number(word.split("+")[1])] : []))
    return decodeSpell({
      ...calm({ kind: "none", seconds: parseInt(seconds), act: "wait" }),
      kind,
      act,
      event,
      hookDelay: late("hooks")[0] ?? 0,
      transcript: late("transcript")[0] ?? null,
      tellsTwice: more.includes("twice"),
      closes: more.includes("closes"),
      loses: more.find((word) => word.startsWith("loses:"))?.slice("loses:".length) ?? "none",
      aheadLate: more.includes("ahead-late")
    })
  })
const decodeSpell = Schema.decodeUnknownSync(Spell)

/** What the property of bad weather has found: each was a message that was told as done and never answered, or twice. */
const lives: ReadonlyArray<readonly [name: string, words: string]> = [
  [
    "the user's own prompt runs, and two messages are typed ahead of its end",
    "context 0s retry full hooks+700; model 0s prompt says; none 3s force killWithin"
  ],
  [
    "with hooks that come late, more is sent behind what was typed ahead",
    "none 3s force compact hooks+700; context 0s force cancels; rate_limited 1s send cancels"
  ],
  [
    "the machine sleeps, and two are typed ahead of a message that was due",
    "model 0s send sleep; none 5s force killBack; auth 0s send sleep"
  ],
  [
    "the user goes on at once where hooks come late",
    "none 6s force ownTurn hooks+700; overloaded 6s prompt killLater hooks+700; network 0s release clear hooks+700"
  ],
  [
    "the end of the turn before comes while the next message stands in the box",
    "none 10s send ownTurn hooks+700; none 5s force none hooks+700; auth 2s force sleep hooks+700"
  ],
  [
    "ends are told twice, and late",
    "none 3s force killWithin hooks+700 twice; network 1s prompt killLater hooks+100; none 0s send ownTurn"
  ],
  [
    "ends are told twice, of messages typed ahead",
    "rate_limited 0s send killLater hooks+100; unknown 0s retry killLater; model 3s force none hooks+700 twice"
  ],
  [
    "ends are told twice where nothing was sent before",
    "model 0s send kill; model 0s force compact; rate_limited 3s force goesOn twice"
  ],
  [
    "ends are told twice, and the CLI goes on by itself",
    "overloaded 0s send goesOn hooks+100; none 3s force none hooks+100 twice; auth 0s prompt goesOn"
  ],
  [
    "hooks come three seconds late, and the first message to a new CLI fails",
    "overloaded 4s wait kill hooks+100; model 7s send killBack hooks+3000; auth 0s send ownTurn"
  ],
  [
    "hooks come three seconds late behind those that came in time",
    "none 0s force killBack hooks+3000; auth 2s wait clear hooks+3000; overloaded 4s send compact hooks+3000"
  ],
  [
    "the machine sleeps between two ends, with three typed ahead of one another",
    "model 5s release killLater hooks+100; context 6s send none hooks+700; rate_limited 6s force sleep"
  ],
  [
    "the CLI has gone on by itself just before two are sent, and tells so three seconds later",
    "overloaded 6s force none hooks+700; network 6s release says hooks+3000; " +
      "none 0s send goesOn hooks+3000; overloaded 3s force cancels hooks+100"
  ],
  [
    "the beginning of the turn before is told behind the next Enter",
    "auth 3s send none hooks+3000; none 1s force none"
  ],
  [
    "two more are typed ahead while the second of four runs",
    "none 0s force none; none 5s force none; none 4s force none"
  ],
  [
    "four turns' beginnings are told at once, and the first two fail alike within a second",
    "none 1s force none hooks+3000; model 4s force none"
  ],
  [
    "the last of three is stopped at once, behind two that failed, and its end is told late",
    "none 3s force none; network 4s force none; none 6s interrupt none hooks+3000"
  ],
  [
    "a turn that the CLI began by itself is stopped, and told when the message's has begun",
    "none 0s force goesOn hooks+700; none 2s interrupt none"
  ],
  ["failures are closed by ends, and both are told twice", "overloaded 3s force none twice closes"],
  [
    "failures are closed by ends, the CLI has said that it goes on, and what it goes on with is told three seconds late",
    "rate_limited 0s force says hooks+3000 closes; model 16s send goesOn hooks+3000; " +
      "context 0s wait goesOn hooks+100"
  ],
  [
    "a first message to a new host fails before its beginning is told, and the machine sleeps then",
    "auth 0s send killBack hooks+100 transcript+100; refused 9s release sleep; none 0s force says hooks+100"
  ],
  [
    "the problem of the turn before still stands while the next turn's end is awaited",
    "overloaded 4s send none; overloaded 3s retry none hooks+3000; none 6s force none"
  ],
  [
    "the end of the first of two is never told, the second fails and is closed by an end, and more work is shown then",
    "none 0s force none; none 3s wait none loses:end; unknown 2s wait none closes; none 0s force none transcript+100"
  ],
  [
    "the end of one turn and the beginning of the next are never told",
    "none 0s send none; none 20s send none loses:end; context 5s send none loses:start"
  ],
  [
    "the beginnings of two are never told, and two more are typed ahead of the second's end, which fails",
    "network 2s send none closes; none 3s force clear loses:start; overloaded 2s force none hooks+100 transcript+0"
  ],
  [
    "the failure of the user's prompt, of which nothing else is told, is recorded before a message's Enter and read behind",
    "none 0s prompt cancels hooks+100 closes; none 2s send killBack hooks+3000 loses:ownStart; " +
      "rate_limited 1s force killWithin hooks+100 transcript+700 loses:start"
  ],
  [
    "a message's end is lost, and the CLI goes on by itself behind a moment's rest, which is never told, and fails",
    "none 3s send full hooks+700 loses:end; refused 0s retry goesOn hooks+700 loses:start; " +
      "auth 3s send clear hooks+3000 loses:ownStart"
  ],
  [
    "the failure of a message whose beginning is lost comes behind the told end of the one before, and that is not left",
    "none 7s send clear; overloaded 1s retry none hooks+100; refused 1s send sleep hooks+100 loses:start"
  ],
  [
    "the machine sleeps in a turn whose beginning is lost, and the next fails before its own beginning is told",
    "rate_limited 1s force sleep transcript+700 loses:start; unknown 5s send full hooks+100 loses:ownStart; " +
      "none 0s force none hooks+100 loses:end"
  ],
  [
    "the user's prompt fails before its work is shown, behind a message whose beginning is lost",
    "none 40s send none hooks+3000 loses:end; none 4s send ownTurn transcript+100 loses:start; " +
      "context 1s prompt killWithin hooks+700 loses:start"
  ],
  [
    "the user goes on while a message's work is not shown yet, and that fails",
    "rate_limited 0s retry killWithin hooks+700; overloaded 1s force ownTurn hooks+700; " +
      "network 1s prompt clear hooks+700 transcript+700 closes"
  ]
]

describe("a message is answered once, or stands in the queue with its reason, where", () => {
  it.each(lives)("%s", (_, words) => {
    assert.doesNotThrow(() => holdsLaw(lived(words), false))
  })

  it("in whatever words messages are told of: causes decide", () => {
    const nonsense = (why: string) => `${"you held it; its turn failed: ".slice(why.length % 20)}${why.length}`
    for (const [name, words] of lives) {
      const spells = lived(words)
      assert.doesNotThrow(() => holdsLaw(spells, spells.length % 2 === 0, { reworded: nonsense }), name)
    }
  })
})

it("a tool that is told behind the record of its turn's failure does not take the failure back", () => {
  const words =
    "auth 60s send sleep hooks+700 closes transcript+0; none 6s send none hooks+100; auth 16s interrupt none twice"
  assert.doesNotThrow(() => holdsLaw(lived(words), true, { works: 1 }))
})

it("a missing login that a new turn's beginning has hidden is not tried again and again", () => {
  const host = new SimulatedHost(machineWith({}), (cli) => {
    cli.weather = () => failed("auth")
    cli.failsAtOnce = true
    cli.transcriptDelay = 0
    cli.hookDelay = 100
    cli.closes = true
  })
  host.run(5_000)
  host.add("a", "message a")
  host.run(600_000)
  assert.deepStrictEqual([host.allPrompts().length, host.status("a")], [1, "held"])
})

it("a message that was typed ahead is done as soon as its own end is told, behind that of the turn before it", () => {
  const host = new SimulatedHost(machineWith({}))
  host.run(5_000)
  for (const id of ["a", "b"]) host.add(id, `message ${id}`, { force: true })
  const answered = () => host.allAnswered().find(({ text }) => text === "message b")?.at ?? null
  while (answered() === null && host.now < 60_000) host.run(10)
  assert.isNotNull(answered())
  host.run(200)
  assert.strictEqual(host.status("b"), "done")
})

describe("a machine that sleeps has heard no silence: what was sent before is waited for behind it, where", () => {
  const setups: ReadonlyArray<readonly [string, (cli: SimulatedCli) => void]> = [
    ["hooks tell", () => {}],
    ["hooks tell ends only", (cli) => void (cli.tellsPrompts = false)],
    ["the screen alone tells", (cli) => void (cli.hooks = false)]
  ]
  const offsets = Array.from({ length: 700 }, (_, i) => 10 * i)
  it.each(setups)("%s", (_, configure) => {
    for (const offset of offsets) {
      const host = new SimulatedHost(machineWith({}), configure)
      host.run(5_000)
      for (const id of ["a", "b"]) host.add(id, `message ${id}`, { force: true })
      const isAnswered = (id: string) => host.allAnswered().some(({ text }) => text === `message ${id}`)
      host.run(offset)
      host.sleep(60_000)
      while (!isAnswered("b") && host.now < 180_000) {
        host.run(10)
        for (const id of ["a", "b"])
          if (!isAnswered(id)) assert.notStrictEqual(host.status(id), "done", `${id}, asleep after ${offset} ms`)
      }
      host.run(15_000)
      assert.strictEqual(host.status("b"), "done", `asleep after ${offset} ms`)
    }
  })
})
