import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { kill, eventually, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { openWindow, inWindows } from "../support/processes/Window.ts"

const submitted = (room: Room) =>
  room
    .log()
    .filter(({ event }) => event === "submitted")
    .map(({ text }) => text)

describe("the queue client in a terminal", () => {
  inWindows(
    "three at once, 30, 80 and 160 columns wide: wrap, edit, queue, answer; each terminal is as it was",
    function* () {
      const room = yield* makeRoom("0.1")
      yield* startDemo(room, "line")
      const all = yield* Effect.forEach(
        [30, 80, 160],
        (cols) => openWindow(room, ["queue", "line"], { cols, rows: 24 }),
        {
          concurrency: 3
        }
      )
      const [narrow, middle, wide] = all
      const text = "a message that is long enough to be wrapped in a narrow terminal"
      for (const window of all) {
        yield* window.shows("line ● idle")
        // wrapped text, and a cursor that goes back through it: no row is drawn twice
        yield* window.type(`${text}${"\x1b[D".repeat(20)}X\x7f`)
        yield* window.shows((screen) => screen.replaceAll(/\s+/g, " ").includes("narrow terminal"))
        assert.strictEqual(window.screen().split("a message that").length, 2, window.screen())
        if (window !== narrow) yield* window.type("\x03")
      }
      yield* narrow!.type("\r")
      for (const window of all) yield* window.shows("You asked")
      yield* wide!.type("please write a file\r")
      for (const window of all) yield* window.shows("3 No")
      // an answer right behind the dialog is not taken for one
      yield* middle!.shows((screen) => /needs permission [1-9]/.test(screen))
      yield* middle!.type("no\r")
      yield* eventually(() => room.log().some(({ event }) => event === "dialog_answered"), "the answer")
      // 50 KB are a word on the screen, and whole where they are sent
      const long = Array.from({ length: 2_000 }, (_, i) => `line ${i} of a long paste`).join("\n")
      for (const window of all) yield* window.shows("line ● idle")
      yield* narrow!.type(`\x1b[200~${long}\x1b[201~`)
      yield* narrow!.shows("[pasted text, 2000 lines]")
      yield* narrow!.resize(44, 20)
      yield* narrow!.shows("[pasted text, 2000 lines]")
      yield* narrow!.type("\r")
      yield* eventually(() => submitted(room).length === 3, "the paste is sent")
      assert.deepStrictEqual(submitted(room), [text, "please write a file", long])
      for (const window of all) {
        yield* window.type("\x04")
        assert.strictEqual((yield* window.exit).code, 0)
        assert.isFalse(window.view().alternate)
        assert.include(window.screen().replaceAll("\n", ""), "session 'line' goes on")
      }
    }
  )

  inWindows("outlives its host, and goes on with the next one of its tag", function* () {
    const room = yield* makeRoom("0.1", { hosts: "apart" })
    const first = yield* startDemo(room, "keep")
    const window = yield* openWindow(room, ["queue", "keep"])
    yield* window.shows("keep ● idle")
    kill(first.hostPid!)
    yield* window.shows("keep ● not running")
    yield* window.type("for the next one\r")
    yield* window.shows("not sent")
    yield* startDemo(room, "keep")
    yield* window.shows("'keep' runs again")
    yield* window.type("\r")
    yield* eventually(() => submitted(room).length > 0, "it is sent")
    assert.deepStrictEqual(submitted(room), ["for the next one"])
    yield* window.hangUp
    yield* window.exit
  })

  inWindows("reads lines in a terminal that cannot place its cursor", function* () {
    const room = yield* makeRoom("0.1")
    yield* startDemo(room, "line")
    const window = yield* openWindow(room, ["queue", "line"], { cols: 90, rows: 28 }, { TERM: "dumb" })
    yield* window.shows((screen) => /● idle\n›/.test(screen))
    yield* window.type("queued by line\r")
    yield* window.shows("● running")
    yield* room.until("line", (status) => status.queue.some((message) => message.status === "done"), "done")
    assert.deepStrictEqual(submitted(room), ["queued by line"])
    yield* window.type("\x04")
    assert.strictEqual((yield* window.exit).code, 0)
  })
})
