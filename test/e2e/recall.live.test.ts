import { assert, describe } from "@effect/vitest"
import { makeRoom, startDemo } from "../support/processes/Room.ts"
import { hasTmux, openPane } from "../support/processes/Tmux.ts"
import { live } from "../support/run/effects.ts"

const pasted = Array.from({ length: 12 }, (_, i) => `line ${i + 1}`).join("\n")

describe("arrows in an attached terminal, in tmux", () => {
  describe.skipIf(!hasTmux)("of a CLI that does not bring back what was typed itself", () => {
    live("bring it back, with all keys in their order; a picker keeps its own", function* () {
      const room = yield* makeRoom()
      yield* startDemo(room, "one")
      const pane = yield* openPane(room, "pane", ["attach", "one"], { cols: 90, rows: 24 })
      const box = (text: string) =>
        pane.shows(
          (screen) =>
            screen
              .split("\n")
              .findLast((row) => row.startsWith("»"))
              ?.slice(1)
              .trim() === text,
          `the box shows '${text}'`
        )
      yield* box("ask anything")
      for (const text of ["run the tests", `\x1b[200~${pasted}\x1b[201~`]) {
        yield* pane.type(text)
        yield* pane.type("\r")
        yield* room.until("one", ({ state }) => state !== "idle", "a turn")
        yield* room.until("one", ({ ready }) => ready, "its end")
      }
      yield* pane.type("mine")
      yield* box("mine")
      yield* pane.type("\x1b[A\x1bOA and again")
      yield* box("run the tests and again")
      yield* pane.type("\x1b[A\x1b[A\x1b[A\x1b[B\x1b[B")
      yield* box("run the tests and again")
      yield* pane.type("\x15\x1b[A")
      yield* box("[pasted 12 lines]")
      yield* pane.type("\r")
      yield* room.until("one", ({ ready }) => ready, "its end")
      assert.strictEqual(
        room
          .log()
          .filter(({ event }) => event === "submitted")
          .at(-1)?.text,
        pasted
      )
      yield* pane.type("/model\r")
      yield* pane.shows((screen) => screen.includes("» 2. demo-steady"), "the picker")
      yield* pane.type("\x1b[A")
      yield* pane.shows((screen) => screen.includes("» 1. demo-swift"), "its mark")
      yield* pane.type("\x1b")
      yield* box("ask anything")
    })
  })
})
