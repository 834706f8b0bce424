import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import { readDrafts } from "../../src/domain/surfaces/overlay/drafts.ts"
import { pauseMs } from "../../src/domain/surfaces/overlay/InputPath.ts"
import { eventually, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { openSlowTerminal } from "../support/processes/SlowTerminal.ts"
import { hasTmux, openPane } from "../support/processes/Tmux.ts"
import { inWindows } from "../support/processes/Window.ts"
import { each } from "../support/data/fields.ts"
import { live } from "../support/run/effects.ts"

const size = { cols: 90, rows: 24 }
const drafts = (room: Room): string => `${room.session("one")}/drafts.json`

describe("over the screen of an attached terminal, in tmux", () => {
  describe.skipIf(!hasTmux)("leap's menu and a message", () => {
    live("lie over a screen that goes on, and leave it exactly as the host has it", function* () {
      const room = yield* makeRoom()
      yield* startDemo(room, "one")
      yield* startDemo(room, "two")
      const client = yield* room.connect("one")
      const pane = yield* openPane(room, "pane", ["attach", "one"], size)
      yield* room.until("one", ({ attached }) => attached === 1, "attached")
      const same = (what: string) => pane.agrees(client.Screen(), what)
      yield* pane.shows((screen) => screen.includes("ask anything"), "the CLI")
      yield* same("before")

      // ---- the menu, while the CLI works under it
      yield* pane.type("\x1d")
      yield* pane.shows((screen) => screen.includes("next session"), "the menu")
      yield* client.Send({ text: "under the menu", images: [], front: false, force: false })
      yield* pane.shows(
        (screen) => screen.includes("You asked “under the menu”") && screen.includes("next session"),
        "output goes on under it"
      )
      yield* pane.type("\x1b")
      yield* pane.shows((screen) => !screen.includes("next session"), "closed")
      yield* same("after the menu")

      // ---- a message
      yield* pane.type("^^")
      yield* pane.shows((screen) => screen.includes("Enter queues"), "the capture")
      yield* pane.type("from the")
      yield* pane.type("\n")
      yield* pane.type("overlay\r")
      yield* pane.shows((screen) => screen.includes("You asked “from the overlay”"), "it is sent")
      yield* room.until("one", ({ state }) => state === "idle", "idle")
      yield* same("after the message")
      assert.deepStrictEqual(
        each(
          room.log().filter(({ event }) => event === "submitted"),
          "text"
        ),
        ["under the menu", "from the\noverlay"],
        "nothing of it was typed into the CLI by the terminal"
      )

      // ---- an answer
      yield* client.Send({ text: "ask me", images: [], front: false, force: false })
      yield* room.until("one", ({ state }) => state === "needs_input", "a question")
      yield* pane.type("\x1d")
      yield* pane.shows((screen) => screen.includes("answer (asked now)"), "it knows the question")
      yield* pane.type("a")
      yield* pane.shows((screen) => screen.includes("❯ 1 The short way"), "its options")
      yield* pane.type("2")
      yield* pane.shows((screen) => screen.includes("❯ 2 The scenic way"), "marked")
      yield* pane.type("\r")
      yield* room.until("one", ({ state }) => state === "idle", "answered")
      yield* same("after the answer")
      assert.include(yield* pane.history, "scenic way")

      // ---- the next session, and out
      yield* pane.type("\x1d")
      yield* pane.type("n")
      yield* room.until("two", ({ attached }) => attached === 1, "the next session")
      yield* room.until("one", ({ attached }) => attached === 0, "and this one is let go")
      yield* pane.shows((screen) => screen.includes("ask anything"), "its screen")
      yield* pane.type("\x1d")
      yield* pane.type("d")
      yield* pane.shows((screen) => screen.includes("[detached; session 'two' goes on]"), "detached")
    })

    inWindows("has the keys over a dialog, in a terminal that is too small for it", function* () {
      const room = yield* makeRoom()
      yield* startDemo(room, "one")
      const client = yield* room.connect("one")
      yield* client.Send({ text: "ask me", images: [], front: false, force: false })
      yield* room.until("one", ({ state }) => state === "needs_input", "a question")
      const before = room.log().length
      for (const [cols, rows] of [
        [20, 5],
        [12, 3],
        [5, 2],
        [1, 1]
      ] as const) {
        const what = `${cols}x${rows}`
        const { command, dir, env } = room
        const terminal = yield* openSlowTerminal(
          [...command, "attach", "one"],
          { cwd: dir, env, delay: 0 },
          { cols, rows }
        )
        yield* room.until("one", ({ attached }) => attached === 1, `attached at ${what}`)
        const words = `2 of ${what}`
        yield* terminal.type("^^")
        // read in one with it, they would be text
        yield* terminal.eventually(
          () => terminal.bytes().includes("\x1b[?2004h\x1b[?25l\x1b[m"),
          `the overlay is drawn at ${what}`
        )
        yield* terminal.type(words)
        yield* eventually(
          () =>
            readDrafts(fs.existsSync(drafts(room)) ? fs.readFileSync(drafts(room)) : null).some(
              ({ text }) => text === words
            ),
          `it is written at ${what}`
        )
        if (cols > 1)
          yield* terminal.eventually(() => terminal.screen().includes(words.slice(-2)), `it is shown at ${what}`)
        else yield* terminal.eventually(() => terminal.screen().trim().length === 1, `a cell of it is shown at ${what}`)
        yield* terminal.type("\r")
        const arrived = Effect.map(client.Queue(), ({ queue, recent }) =>
          [...queue, ...recent].some(({ text }) => text === words)
        )
        for (let time = 0; !(yield* arrived); time++) {
          if (time > 300) {
            const { queue, state } = yield* client.Status()
            assert.fail(
              `${what}: ${state} ${JSON.stringify([queue, room.log().slice(before), readDrafts(fs.readFileSync(drafts(room)))])} ${terminal.screen()}`
            )
          }
          yield* Effect.sleep(100)
        }
        yield* terminal.type("\x1c")
        yield* terminal.left
        yield* room.until("one", ({ attached }) => attached === 0, "detached")
      }
      assert.deepStrictEqual(room.log().slice(before), [], "no key came to the dialog")
    })

    live("takes over what stands in the CLI's box, and puts it back when it is left", function* () {
      const room = yield* makeRoom()
      yield* startDemo(room, "one")
      const pane = yield* openPane(room, "pane", ["attach", "one"], size)
      yield* pane.shows((screen) => screen.includes("ask anything"), "the CLI")
      yield* pane.type("half a thought")
      yield* pane.shows((screen) => screen.includes("» half a thought"), "it is in the box")
      // so long after a text they belong to it, where they are not read in one
      yield* Effect.sleep(pauseMs)
      yield* pane.type("^^")
      yield* pane.shows(
        (screen) => screen.includes(" ❯ half a thought") && screen.includes("»  ask anything"),
        "it is the message's"
      )
      yield* pane.type(", dropped")
      yield* pane.type("\x1b")
      yield* pane.shows(
        (screen) => screen.includes("» half a thought") && !screen.includes("dropped"),
        "it is the CLI's again"
      )
      yield* pane.type(" more")
      yield* pane.shows((screen) => screen.includes("» half a thought more"), "the CLI has it")
      yield* Effect.sleep(pauseMs)
      yield* pane.type("^^")
      yield* pane.shows((screen) => screen.includes(" ❯ half a thought more"), "it is the message's again")
      yield* pane.type("\r")
      yield* pane.shows((screen) => screen.includes("You asked “half a thought more”"), "it is sent")
      yield* room.until("one", ({ ready }) => ready, "the box is empty")
      assert.deepStrictEqual(
        each(
          room.log().filter(({ event }) => event === "submitted"),
          "text"
        ),
        ["half a thought more"]
      )
    })

    live("keep a message whose terminal is closed or killed while it is written", function* () {
      const room = yield* makeRoom()
      yield* startDemo(room, "one")
      const write = Effect.fnUntraced(function* (name: string, text: string) {
        const pane = yield* openPane(room, name, ["attach", "one"], size)
        yield* pane.shows((screen) => screen.includes("ask anything"), "the CLI")
        yield* pane.type("^^")
        yield* pane.shows((screen) => screen.includes("── message one"), "the capture")
        yield* pane.type(text)
        yield* pane.shows((screen) => screen.includes(text), "it is written")
        return pane
      })
      const killed = yield* write("killed", "an unfinished thought")
      const drafts = `${room.session("one")}/drafts.json`
      while (!fs.existsSync(drafts) || !fs.readFileSync(drafts, "utf8").includes("thought")) yield* Effect.sleep(20)
      process.kill(yield* killed.pid, "SIGKILL")
      yield* room.until("one", ({ attached }) => attached === 0, "it is gone")
      const closed = yield* write("closed", "another one")
      process.kill(yield* closed.pid, "SIGHUP")
      yield* room.until("one", ({ attached }) => attached === 0, "it is gone too")
      const pane = yield* write("pane", "")
      yield* pane.shows((screen) => screen.includes("when a terminal closed"), "it is said")
      yield* pane.type("\x1b[A")
      yield* pane.shows((screen) => screen.includes("another one"), "what was written last")
      yield* pane.type("\x1b[A")
      yield* pane.shows((screen) => screen.includes("an unfinished thought"), "what was written before")
      yield* pane.type("\r")
      yield* pane.shows((screen) => screen.includes("You asked “an unfinished thought”"), "it is sent")
      assert.deepStrictEqual(readDrafts(fs.readFileSync(drafts)), [], "nothing is left behind")
    })
  })
})
