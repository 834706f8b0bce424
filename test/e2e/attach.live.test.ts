import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { alive, eventually, kill, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { openWindow, inWindows } from "../support/processes/Window.ts"

const submitted = (room: { readonly log: () => ReadonlyArray<{ readonly event: string; readonly text: string }> }) =>
  room
    .log()
    .filter((line) => line.event === "submitted")
    .map((line) => line.text)

describe("attach", () => {
  describe("a terminal attached to a session", () => {
    inWindows("is drawn whole, passes keys on, follows its size, and is left clean by the detach key", function* () {
      const room = yield* makeRoom()
      const session = yield* startDemo(room, "view")
      const client = yield* room.connect("view")
      yield* client.Send({ text: "said before", images: [], front: false, force: false })
      yield* room.until("view", (status) => status.queue.some((message) => message.status === "done"), "said")

      const window = yield* openWindow(room, ["attach", "view"], { cols: 70, rows: 20 })
      yield* window.shows("That is my answer")
      yield* room.until("view", (status) => status.attached === 1, "attached")
      assert.isTrue(window.view().alternate)
      yield* window.type("typed by hand\r")
      yield* window.shows("You asked “typed by hand”")
      assert.deepStrictEqual(submitted(room), ["said before", "typed by hand"])

      yield* window.resize(60, 16)
      yield* eventuallySize(room, "view", 60, 16)
      yield* window.shows((screen) => screen.includes("─".repeat(60)) && !screen.includes("─".repeat(61)))

      const reader = yield* openWindow(room, ["attach", "view", "--read-only"], { cols: 50, rows: 15 })
      yield* reader.shows("typed by hand")
      yield* reader.type("from the reader\r\x1c")
      assert.strictEqual((yield* reader.exit).code, 0)
      assert.deepStrictEqual(submitted(room), ["said before", "typed by hand"])

      yield* window.type("\x1c")
      assert.deepStrictEqual(yield* window.exit, { code: 0, signal: null })
      const view = window.view()
      assert.isFalse(view.alternate)
      assert.isTrue(view.cursor.visible)
      assert.include(window.screen(), "[detached; session 'view' goes on]")
      // every mode that was turned on was turned off again
      for (const mode of ["1049", "2004", "1004"]) {
        const last = window.bytes().lastIndexOf(`\x1b[?${mode}`)
        assert.strictEqual(window.bytes()[last + 3 + mode.length], "l", `mode ${mode}`)
      }
      yield* room.until("view", (status) => status.attached === 0 && status.pid === session.pid, "the session goes on")
    })

    inWindows("tells a terminal that reads program status of a CLI that says nothing, until it detaches", function* () {
      const room = yield* makeRoom()
      yield* room.leap(["told", "--cli", "demo", "--detach"], "", { LEAP_DEMO_REPORTS: "0" })
      yield* room.until("told", ({ ready }) => ready, "ready")
      const window = yield* openWindow(room, ["attach", "told"])
      // the terminal's answers to the queries
      yield* window.type("\x1b]7501;?\x1b\\\x1b[?62;22c")
      yield* window.shows("ask anything")
      const says = (pairs: string) => eventually(() => window.bytes().includes(`\x1b]7501;state=${pairs}`), pairs)
      yield* says("idle:app=demo:title=")
      yield* window.type("permission please\r")
      yield* says("working:app=demo:title=")
      yield* says("blocked:kind=permission:app=demo:title=")
      yield* window.type("\x1c")
      assert.strictEqual((yield* window.exit).code, 0)
      assert.include(window.bytes().slice(window.bytes().lastIndexOf("state=")), "state=clear\x1b\\")
    })

    inWindows("closed in the middle of a turn takes nothing with it", function* () {
      const room = yield* makeRoom()
      const window = yield* openWindow(room, ["gone", "--cli", "demo"])
      yield* window.shows("ask anything")
      yield* window.type("a long answer please\r")
      const running = yield* room.until("gone", (status) => status.state === "running", "running")
      yield* window.hangUp
      yield* eventually(() => !alive(window.pid), "the terminal's own command is gone")
      assert.isTrue(alive(running.hostPid!) && alive(running.pid!))
      yield* room.until(
        "gone",
        (status) => status.state === "idle" && status.attached === 0,
        "the turn ends all the same"
      )
      assert.deepStrictEqual(room.log().filter((line) => line.event === "turn_ended").length, 1)
    })

    inWindows("passes on how its CLI ended", function* () {
      const room = yield* makeRoom()
      const polite = yield* openWindow(room, ["bye", "--cli", "demo"])
      yield* polite.shows("ask anything")
      yield* polite.type("/exit\r")
      assert.deepStrictEqual(yield* polite.exit, { code: 0, signal: null })
      assert.include(polite.screen(), "ended: exit code 0")

      const killed = yield* openWindow(room, ["bye"])
      yield* killed.shows("ask anything")
      const status = yield* room.until("bye", (status) => status.pid !== null, "running")
      kill(status.pid!)
      assert.deepStrictEqual(yield* killed.exit, { code: 137, signal: null })
      assert.isFalse(killed.view().alternate)
    })

    inWindows(
      "is let go when its host is gone for good, told first what is held, and let go by a host that hangs",
      function* () {
        const room = yield* makeRoom("0.1", { hosts: "apart" })
        const session = yield* startDemo(room, "lost")
        const window = yield* openWindow(room, ["attach", "lost"])
        yield* window.shows("ask anything")
        for (const text of ["tool 600", "left over"]) yield* room.leap(["send", "lost", text])
        yield* room.until("lost", ({ queue }) => queue.some(({ status }) => status === "started"), "a turn")
        kill(session.hostPid!)
        assert.deepStrictEqual(yield* window.exit, { code: 1, signal: null })
        assert.include(window.screen(), "ended without a word")
        assert.isFalse(window.view().alternate)
        yield* eventually(() => !alive(session.pid!), "its CLI is gone too")

        const again = yield* startDemo(room, "lost")
        const other = yield* openWindow(room, ["attach", "lost"], { cols: 100, rows: 20 })
        yield* other.shows("ask anything")
        const [first = ""] = other.bytes().split("ask anything")
        assert.include(first, "1 message is held: 'leap queue release lost' sends them")
        yield* other.type("\x1c")
        assert.deepStrictEqual(yield* other.exit, { code: 0, signal: null })
        const needs = ["failed: 1 message failed: leap ended during its turn", "held: 1 message is held: left over"]
        const left = other.bytes().split("[detached; session 'lost' goes on]")[1] ?? ""
        for (const need of needs) assert.include(left, `[${need}`)
        assert.include(other.bytes().split("ask anything")[0], `[${needs[0]}`)
        const last = yield* openWindow(room, ["attach", "lost"], { cols: 100, rows: 20 })
        yield* last.shows("ask anything")
        kill(again.hostPid!, "SIGSTOP")
        yield* last.type("\x1c")
        assert.deepStrictEqual(yield* last.exit, { code: 0, signal: null })
        const stop = yield* openWindow(room, ["stop", "--force", "lost"])
        assert.deepStrictEqual(yield* stop.exit, { code: 0, signal: null })
        assert.include(stop.bytes(), "session 'lost' has ended")
      }
    )
  })
})

/** The pseudo-terminal of a session has this size. */
const eventuallySize = (room: Room, name: string, cols: number, rows: number) =>
  Effect.gen(function* () {
    const client = yield* room.connect(name)
    for (let i = 0; i < 250; i++) {
      const screen = yield* client.Screen()
      if (screen.cols === cols && screen.rows === rows) return
      yield* Effect.sleep("20 millis")
    }
    return yield* Effect.die(new Error(`never ${cols}x${rows}`))
  }).pipe(Effect.scoped)
