import { assert, describe, it } from "@effect/vitest"
import type { Signal } from "../../../../src/domain/words/session/Signal.ts"
import { machineWith } from "../../../support/brains.ts"
import { failed, minute, statusOf } from "../../../support/session/failures.ts"
import { isThorough } from "../../../support/run/thorough.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"

/** A session whose transcript tells that a turn failed, and whose hooks tell the rest, each in their own time. */
const session = () => {
  const world: { weather: (prompt: string) => Signal | null } = { weather: () => null }
  const host = new SimulatedHost(machineWith({}), (cli) => {
    cli.weather = (_, prompt) => world.weather(prompt)
    cli.transcriptDelay = 0
  })
  host.run(5_000)
  host.add("a", "message a")
  while (statusOf(host.queue, "a") !== "done") host.run(10)
  return { host, world }
}
const answers = (host: SimulatedHost) => host.allAnswered().map(({ text }) => text)
const given = (host: SimulatedHost) => host.allPrompts().map(({ text }) => text)

describe("a message that was told as answered never goes back", () => {
  const times: ReadonlyArray<readonly [string, number, number]> = [
    ["30 ms before its beginning is told", 0, 110],
    ["as its beginning is told", 0, 60],
    ["behind its beginning", 0, 0],
    ["before its beginning, which comes seconds late", 3_000, 110]
  ]
  it.each(times)("the next one's failure is the next one's own: it comes %s", (_, hookDelay, startLate) => {
    const { host, world } = session()
    world.weather = (prompt) => (prompt === "message b" ? failed("network") : null)
    host.cli.turnLength = 30
    host.cli.startDelay = startLate === 0 ? 500 : 20
    host.cli.hookDelay = hookDelay + startLate
    host.run(10_000)
    host.add("b", "message b")
    host.add("c", "message c")
    host.run(45_000)
    assert.strictEqual(statusOf(host.queue, "a"), "done")
    assert.strictEqual(statusOf(host.queue, "b"), "queued, failed")
    world.weather = () => null
    host.cli.hookDelay = 0
    host.run(5 * minute)
    assert.deepStrictEqual(answers(host), ["message a", "message b", "message c"])
    assert.deepStrictEqual(given(host), ["message a", "message b", "message b", "message c"])
  })
})

describe("a message that was typed ahead of the user's own turn, which fails, is typed once", () => {
  const lost = ["", "ownStart", "start", "end", "ownStart end", "start end", "ownStart start end"]
  const ways = [null, 0, 700].flatMap((transcript) =>
    [false, true].flatMap((late) => lost.map((loses) => ({ transcript, late, loses })))
  )
  it.each(ways)("%j", ({ late, loses, transcript }) => {
    for (const hookDelay of [0, 700])
      for (const span of [300, 1_500])
        for (const closes of [false, true]) {
          const { host, world } = session()
          const { cli } = host
          world.weather = (prompt) => (prompt === "mine" ? failed("network") : null)
          cli.transcriptDelay = transcript
          cli.hookDelay = hookDelay
          cli.closes = closes
          cli.tellsAheadLate = late
          cli.loses = ({ _tag }, prompt) =>
            loses
              .split(" ")
              .includes(
                `${prompt === "mine" ? "own" : ""}${_tag === "TurnStarted" ? "start" : "end"}`.replace("owns", "ownS")
              )
          host.run(5_000)
          for (const key of ["mine", "\r"]) host.press(key)
          host.run(span)
          host.add("b", "message b", { force: true })
          host.run(30_000)
          world.weather = () => null
          host.run(10 * minute)
          const [b, times] = [statusOf(host.queue, "b"), answers(host).filter((text) => text === "message b").length]
          assert.strictEqual(times, 1, `${hookDelay}, ${span}, ${closes}: ${b}`)
          assert.notInclude(b, "failed", `${hookDelay}, ${span}, ${closes}`)
        }
  })
})

/** What is lost of the first turn and of the message's: any of their beginnings and ends. */
const lost = Array.from({ length: 16 }, (_, bits) =>
  ["first start", "first end", "start", "end"].filter((_, n) => (bits & (1 << n)) !== 0)
)
const ways = [
  { transcript: null, hookDelay: 700 },
  { transcript: null, hookDelay: 3_000 },
  { transcript: 700, hookDelay: 100 },
  { transcript: 0, hookDelay: 100 },
  ...(isThorough ? [0, 100].map((transcript) => ({ transcript, hookDelay: 0 })) : [])
]
const gaps = isThorough ? [300, 1_500, 2_130, 2_400, 2_900, 3_700, 4_500, 8_000] : [300, 2_400, 4_500]

describe.each(["the user's prompt", "work that the CLI began by itself"])(
  "a message behind %s, which fails",
  (first) => {
    it.each(ways)("is answered once, whatever is lost on the way: %j", ({ hookDelay, transcript }) => {
      for (const loses of lost)
        for (const gap of gaps)
          for (const [closes, isFirst, force, failsAtOnce] of [
            [true, true, true, false],
            [false, false, true, true],
            [false, true, false, false],
            [true, false, false, false]
          ] as const) {
            const world = { isArmed: false }
            const host = new SimulatedHost(machineWith({}), (cli) => {
              cli.weather = (_, prompt) => (world.isArmed && prompt !== "message a" ? failed("network") : null)
              Object.assign(cli, { hookDelay, closes, failsAtOnce, transcriptDelay: transcript })
              cli.loses = ({ _tag }, prompt) =>
                world.isArmed &&
                loses.includes(`${prompt === "message a" ? "" : "first "}${_tag === "TurnStarted" ? "start" : "end"}`)
            })
            host.run(5_000)
            if (!isFirst) host.add("z", "message z")
            host.run(10_000)
            world.isArmed = true
            if (first === "the user's prompt") for (const key of ["mine", "\r"]) host.press(key)
            else host.cli.ownTurn()
            host.run(gap)
            host.add("a", "message a", { force })
            host.run(30_000)
            world.isArmed = false
            host.run(600_000)
            const times = answers(host).filter((text) => text === "message a").length
            const what = JSON.stringify({ loses, gap, closes, isFirst, force, failsAtOnce })
            assert.strictEqual(times, 1, `${what}: ${statusOf(host.queue, "a")}`)
            if (loses.length === 0) assert.strictEqual(statusOf(host.queue, "a"), "done", what)
          }
    })
  }
)

describe("a message behind the user's prompt, both of which fail, is tried again", () => {
  const late = [0, 100, 700].flatMap((transcript) => [0, 100, 700].map((hookDelay) => ({ transcript, hookDelay })))
  it.each(late)("%j", ({ hookDelay, transcript }) => {
    for (const gap of [0, 300, 1_000, 1_500, 2_400])
      for (const isFirst of [false, true])
        for (const [force, atOnce] of [
          [false, true],
          [true, true],
          [true, false]
        ] as const) {
          const world = { isBad: false }
          const host = new SimulatedHost(machineWith({}), (cli) => {
            cli.weather = () => (world.isBad ? failed("network") : null)
            Object.assign(cli, { hookDelay, failsAtOnce: atOnce, closes: !atOnce, tellsAheadLate: !atOnce })
            cli.transcriptDelay = transcript
          })
          host.run(5_000)
          if (!isFirst) host.add("z", "message z")
          host.run(10_000)
          world.isBad = true
          for (const key of ["mine", "\r"]) host.press(key)
          host.run(gap)
          host.add("a", "message a", { force })
          host.run(30_000)
          world.isBad = false
          host.run(10 * minute)
          const what = JSON.stringify({ gap, isFirst, force, atOnce })
          assert.deepStrictEqual(answers(host).slice(isFirst ? 0 : 1), ["message a"], what)
          assert.strictEqual(statusOf(host.queue, "a"), "done", what)
        }
  })
})

/** What is lost of two messages' turns: any of their beginnings and ends. */
const lostOfTwo = Array.from({ length: 16 }, (_, bits) =>
  ["a start", "a end", "b start", "b end"].filter((_, n) => (bits & (1 << n)) !== 0)
)

describe("of two messages none is answered twice, whatever is lost and however late", () => {
  const delays = isThorough ? [0, 100, 700, 3_000] : [700, 3_000]
  const late = [null, 0, 700].flatMap((transcript) => delays.map((hookDelay) => ({ transcript, hookDelay })))
  it.each(late)("%j", ({ hookDelay, transcript }) => {
    for (const fails of isThorough ? ["a", "b", "ab"] : ["b", "ab"])
      for (const loses of isThorough ? lostOfTwo : [[], ["a end"], ["b start"], ["a end", "b start"]])
        for (const gap of isThorough ? [0, 300, 1_500, 2_400] : [0, 1_500])
          for (const tellsAheadLate of [false, true])
            for (const force of isThorough ? [false, true] : [true])
              for (const closes of [false, true]) {
                const world = { isBad: false }
                const host = new SimulatedHost(machineWith({}), (cli) => {
                  cli.weather = (_, prompt) =>
                    world.isBad && fails.includes(prompt.slice(-1)) ? failed("network") : null
                  Object.assign(cli, { hookDelay, closes, failsAtOnce: !closes, tellsAheadLate })
                  cli.transcriptDelay = transcript
                  cli.loses = ({ _tag }, prompt) =>
                    world.isBad && loses.includes(`${prompt.slice(-1)} ${_tag === "TurnStarted" ? "start" : "end"}`)
                })
                host.run(5_000)
                host.add("z", "message z")
                host.run(10_000)
                world.isBad = true
                host.add("a", "message a", { force })
                host.run(gap)
                host.add("b", "message b", { force })
                host.run(30_000)
                world.isBad = false
                host.run(5 * minute)
                const what = JSON.stringify({ fails, loses, gap, tellsAheadLate, force, closes })
                for (const id of ["a", "b"]) {
                  const times = answers(host).filter((text) => text === `message ${id}`).length
                  assert.isAtMost(times, 1, `${id}: ${what}`)
                  // one that has failed is sent again, or held
                  if (loses.length === 0 && fails.includes(id))
                    assert.strictEqual(statusOf(host.queue, id), times === 1 ? "done" : "held", `${id}: ${what}`)
                }
              }
  })
})
