// A host and its CLI under a clock that the test sets, by libfaketime (Debian's package of that name).
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { eventually, makeRoom, startDemo } from "../support/processes/Room.ts"
import { isThorough } from "../support/run/thorough.ts"
import { live, liveOfEach } from "../support/run/effects.ts"

const library =
  fs
    .globSync("/usr/lib{,64,/*-linux-gnu}/faketime/libfaketime.so.1")
    .concat(fs.globSync("/usr/local/lib/faketime/libfaketime.so.1"))[0] ?? null

/** A room whose processes all read one clock. Timers go by the monotonic clock, which stays the machine's. */
const makeClockedRoom = Effect.fn("makeClockedRoom")(function* (zone: string) {
  const room = yield* makeRoom("0.1", { hosts: "apart" })
  const file = path.join(room.dir, "clock")
  const extra = {
    LD_PRELOAD: library ?? "",
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    TZ: zone
  }
  /** All clocks jump to this moment, and go on from there. */
  const setClock = (moment: string) => {
    const ahead = (Date.parse(moment) - Date.now()) / 1_000
    fs.writeFileSync(`${file}.new`, `${ahead < 0 ? "" : "+"}${ahead.toFixed(3)}s\n`)
    fs.renameSync(`${file}.new`, file)
  }
  const run = (...args: ReadonlyArray<string>) =>
    Effect.map(room.program(args, "", extra), ({ code, stderr, stdout }) => {
      assert.strictEqual(code, 0, stderr)
      return stdout
    })
  /** What reached the CLI, and when by its clock. */
  const submitted = () => room.log().filter(({ event }) => event === "submitted")
  /** What reaches the CLI first after the limit, and when by its clock. */
  const next = Effect.gen(function* () {
    yield* eventually(() => submitted().length > 1, "the message goes")
    const [, message] = submitted()
    return { at: message?.at ?? 0, text: message?.text ?? "" }
  })
  /** The message that waits for the limit's end goes then, and not before. */
  const goes = Effect.fn("goes")(function* (end: string) {
    const { at, text } = yield* next
    assert.strictEqual(text, "go on")
    assert.isAtLeast(at, Date.parse(end))
  })
  // A host looks at the clock from time to time; a message makes it look now.
  const look = run("send", "--at", "2030-01-01T00:00", "q", "much later")
  /** Whatever the clock was before: nothing goes at the first of these moments, and the message at the second. */
  const passes = Effect.fn("passes")(function* (before: string, end: string) {
    setClock(before)
    // by the answer to the second, what the first brought about is done
    yield* look
    yield* look
    const { queue } = yield* room.until("q", () => true, "its status")
    const message = queue.find(({ text }) => text === "go on")
    assert.deepStrictEqual([message?.status, message?.when], ["queued", [{ _tag: "Reset" }]], `at ${before}`)
    // that the clock jumps it finds by itself
    setClock(end)
    yield* goes(end)
  })
  return { ...room, extra, run, setClock, next, goes, passes }
})

/** A session whose CLI tells at this moment that its limit ends at this time, and a message that waits for that. */
const limited = Effect.fn("limited")(function* (zone: string, moment: string, time: string) {
  const room = yield* makeClockedRoom(zone)
  room.setClock("2026-10-01T00:00:00Z")
  yield* startDemo(room, "q", room.extra)
  room.setClock(moment)
  yield* room.run("send", "q", `limit at ${time}`)
  const { problem } = yield* room.until(
    "q",
    ({ problem, queue }) => problem !== null && queue.some(({ status }) => status === "queued"),
    "the limit"
  )
  // the message that met it would meet it again
  yield* room.run("queue", "clear", "q")
  yield* room.run("send", "--after-reset", "q", "go on")
  return { ...room, problem }
})

describe.skipIf(library === null || !isThorough)(
  "a limit's end by the clock of a real host (needs libfaketime)",
  () => {
    live("a message goes by itself as soon as the named minute is over", function* () {
      const room = yield* limited("Europe/Zurich", "2026-11-21T06:33:50Z", "7:33am")
      assert.deepStrictEqual([room.problem?.until, room.problem?.within], ["2026-11-21T06:33:00.000Z", 60_000])
      yield* room.goes("2026-11-21T06:34:00Z")
    })

    live("told at :59 it does not go at once", function* () {
      const room = yield* limited("Europe/Zurich", "2026-11-21T06:33:58.500Z", "7:33am")
      assert.deepStrictEqual([room.problem?.until, room.problem?.within], ["2026-11-21T06:33:00.000Z", 60_000])
      // on a slow machine it is told after its end, and tried a minute later
      room.setClock("2026-11-21T06:36:00Z")
      const { at } = yield* room.next
      assert.isAtLeast(at, Date.parse("2026-11-21T06:34:00Z"))
    })

    liveOfEach<readonly [how: string, zone: string, told: string, time: string, before: string, end: string]>([
      ["at :00 of its minute", "Europe/Zurich", "2026-11-21T06:33:00Z", "7:33am", "06:33:20", "06:34:00"],
      ["at :25", "Europe/Zurich", "2026-11-21T06:33:25Z", "7:33am", "06:33:20", "06:34:00"],
      ["in another zone's time", "UTC", "2026-11-21T04:00:00Z", "1:33 AM (America/New_York)", "06:33:20", "06:34:00"],
      // in summer time, before the clocks go back to 2:00: 2:59 comes again
      ["before an hour that comes twice", "Europe/Zurich", "2026-10-25T00:59:10Z", "2:59am", "01:59:20", "02:00:00"],
      [
        "before half an hour that does",
        "Australia/Lord_Howe",
        "2027-04-03T14:59:10Z",
        "1:59am",
        "15:29:20",
        "15:30:00"
      ],
      ["before the clocks go forward", "America/New_York", "2027-03-14T06:30:00Z", "3:00am", "07:00:20", "07:01:00"]
    ])(
      "told %s, it goes after the latest end, to which the clock jumps",
      function* ([, zone, told, time, before, end]) {
        const room = yield* limited(zone, told, time)
        const date = told.slice(0, 11)
        yield* room.passes(`${date}${before}Z`, `${date}${end}Z`)
      }
    )

    live(
      "told just after its minute it is the same end, not the next day's, and is tried a minute later",
      function* () {
        const room = yield* limited("Europe/Zurich", "2026-11-21T06:34:10Z", "7:33am")
        assert.deepStrictEqual([room.problem?.until, room.problem?.within], ["2026-11-21T06:33:00.000Z", 60_000])
        room.setClock("2026-11-21T06:36:00Z")
        yield* room.goes("2026-11-21T06:35:10Z")
      }
    )

    live("it waits for the end by a clock that was set back", function* () {
      const room = yield* limited("Europe/Zurich", "2026-11-21T06:30:00Z", "7:33am")
      yield* room.passes("2026-11-21T05:00:00Z", "2026-11-21T06:34:00Z")
    })
  }
)
