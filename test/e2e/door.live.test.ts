import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { endsWell, makeRoom } from "../support/processes/Room.ts"
import { openWindow, inWindows } from "../support/processes/Window.ts"

const size = { cols: 80, rows: 24 }
const down = "\x1b[B"

/** A room whose demo CLI has no hooks of leap's. */
const makeUnwired = Effect.fnUntraced(function* (settings = "{}") {
  const room = yield* makeRoom()
  fs.rmSync(path.join(room.env["LEAP_DEMO_HOME"] ?? "", "settings.json"), { force: true })
  const file = path.join(room.env["LEAP_HOME"] ?? "", "settings.json")
  fs.writeFileSync(file, settings)
  return { room, settings: () => fs.readFileSync(file, "utf8") }
})

describe("the door", () => {
  describe("of a CLI without leap's hooks", () => {
    inWindows("asks at a terminal, starts nothing at Escape, and adds the hooks or not, as is said", function* () {
      const { room, settings } = yield* makeUnwired()
      const start = () => openWindow(room, ["one", "--cli", "demo", "--detach"], size)
      const left = yield* start()
      yield* left.shows("How is leap demo to start?")
      const shown = left.screen()
      for (const says of ["settings.json  (9 hooks of leap's)", "leap hooks remove --cli demo", "❯ add the hooks"])
        assert.include(shown, says)
      yield* left.type("\x1b")
      assert.strictEqual((yield* left.exit).code, 130)
      assert.notInclude((yield* room.leap(["status", "--json"])).stdout, '"one"')

      const without = yield* start()
      yield* without.shows("How is leap demo to start?")
      yield* without.type(`${down}\r`)
      assert.strictEqual((yield* without.exit).code, 0)
      assert.include(without.screen(), "runs without leap's hooks")
      assert.notInclude(settings(), "unwired")
      yield* room.until("one", ({ ready }) => ready, "ready")
      // without hooks what is queued goes out and is seen to be done, by the screen alone
      for (const text of ["first", "second"]) yield* endsWell(room.leap(["send", "one", text, "--wait"]))
      const status = yield* room.until("one", ({ ready }) => ready, "ready")
      assert.deepStrictEqual(
        [status.lastMessage, status.context, status.cost, status.lastResponse],
        ["second", null, null, null]
      )
      assert.strictEqual(status.pause, null)
      assert.match(
        (yield* room.leap(["status", "one"])).stdout,
        /not wired here: .*; not known: context, cost, last message/
      )
      const last = yield* room.leap(["last", "one"])
      assert.strictEqual(last.code, 1)
      assert.match(last.stderr, /runs without leap's hooks there/)
      assert.match((yield* room.leap(["why", "one"])).stdout, /not wired here/)
      yield* room.leap(["stop", "one", "--force"])

      const never = yield* start()
      yield* never.shows("How is leap demo to start?")
      yield* never.type(`${down}${down}\r`)
      assert.strictEqual((yield* never.exit).code, 0)
      assert.deepStrictEqual(JSON.parse(settings()), { clis: { demo: { unwired: "start" } } })
      yield* room.leap(["stop", "one", "--force"])
      const unasked = yield* start()
      assert.strictEqual((yield* unasked.exit).code, 0)
      assert.notInclude(unasked.screen(), "How is")
      yield* room.leap(["stop", "one", "--force"])
    })

    inWindows("with a rule that needs them offers to add them and nothing else", function* () {
      const { room } = yield* makeUnwired('{"policy":{"deny":[{"command":"rm *"}]}}')
      const nobody = yield* room.leap(["one", "--cli", "demo", "--detach"])
      assert.strictEqual(nobody.code, 6)
      assert.match(nobody.stderr, /^leap: leap demo is not started: 'deny command\(rm \*\)' cannot hold .*\n$/)
      const window = yield* openWindow(room, ["one", "--cli", "demo", "--detach"], size)
      yield* window.shows("How is leap demo to start?")
      assert.notInclude(window.screen(), "start without them")
      yield* window.type("\r")
      assert.strictEqual((yield* window.exit).code, 0)
      const status = yield* room.until("one", ({ ready }) => ready, "ready")
      assert.strictEqual(status.unwired, null)
      yield* room.leap(["stop", "one", "--force"])
    })
  })

  describe("of a name", () => {
    inWindows(
      "is the session's screen, with a hint that goes and a way back; nearly a command's it is asked about",
      function* () {
        const room = yield* makeRoom("0.1")
        for (const [word, command] of [
          ["satus", "status"],
          ["stats", "status"]
        ] as const) {
          const piped = yield* room.leap([word, "--detach"])
          assert.strictEqual(piped.code, 2)
          assert.include(piped.stderr, `did you mean 'leap ${command}'?`)
          const asked = yield* openWindow(room, [word], size)
          yield* asked.shows("What do you mean?")
          yield* asked.type("\r")
          assert.strictEqual((yield* asked.exit).code, 0)
          assert.include(asked.screen(), "no sessions")
        }
        const none = yield* openWindow(room, ["attach"], size)
        assert.strictEqual((yield* none.exit).code, 3)

        const first = yield* openWindow(room, ["docs", "--cli", "demo"], size)
        yield* first.shows("ask anything")
        yield* first.shows("leap demo · ^^ message · ctrl-] menu · ctrl-\\ leaves · leap docs comes back")
        // the CLI has the keys and the cursor meanwhile, and the row is its own again
        yield* first.type("typed meanwhile")
        yield* first.shows((screen) => screen.includes("typed meanwhile") && screen.includes("^^ message"))
        yield* first.shows((screen) => screen.includes("typed meanwhile") && !screen.includes("^^ message"))
        yield* first.type("\x1c")
        assert.strictEqual((yield* first.exit).code, 0)
        assert.include(first.screen(), "[detached; session 'docs' goes on]\n['leap docs' comes back, 'leap' shows all]")
        assert.match(first.screen(), /nobody is told that a detached session needs you/)

        for (const words of [["docs"], ["attach"]]) {
          const again = yield* openWindow(room, words, size)
          yield* again.shows("typed meanwhile")
          yield* again.type("\x1c")
          assert.strictEqual((yield* again.exit).code, 0)
        }
        const queue = yield* openWindow(room, ["queue", "docs"], size)
        yield* queue.shows("docs ●")
        yield* queue.type("\x04")
        assert.strictEqual((yield* queue.exit).code, 0)
        assert.include((yield* room.leap(["queue", "docs"])).stderr, "nothing waits")

        yield* room.leap(["more", "--cli", "demo", "--detach"])
        const which = yield* openWindow(room, ["attach"], size)
        assert.strictEqual((yield* which.exit).code, 2)
        assert.match(which.screen(), /docs .*\n *more [^]*2 sessions run: 'leap attach <tag>' shows one/)
        yield* room.leap(["stop", "--all", "--force"])
      }
    )
  })
})
