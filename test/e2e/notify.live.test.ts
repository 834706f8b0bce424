import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { makeRoom, startDemo } from "../support/processes/Room.ts"
import { hasTmux, openPane } from "../support/processes/Tmux.ts"
import { lookingAgain } from "../support/run/patience.ts"
import { live } from "../support/run/effects.ts"

describe("a session that needs its user, in tmux", () => {
  describe.skipIf(!hasTmux)("an attached terminal", () => {
    live("is told by the sequence that it is set to read, and its title carries tag and state", function* () {
      const room = yield* makeRoom()
      fs.mkdirSync(path.join(room.env["LEAP_HOME"]!), { recursive: true })
      const settings = path.join(room.env["LEAP_HOME"]!, "settings.json")
      fs.writeFileSync(settings, '{"notify": {"terminal": "osc9"}}')
      yield* startDemo(room, "one")
      const client = yield* room.connect("one")
      const pane = yield* openPane(room, "pane", ["attach", "one"], { cols: 90, rows: 24 })
      const tmux = (...words: ReadonlyArray<string>): string =>
        execFileSync("tmux", ["-S", path.join(room.dir, "pane.tmux"), ...words], { encoding: "utf8" })
      const output = path.join(room.dir, "output")
      tmux("pipe-pane", "-O", "-t", "one", `cat > '${output}'`)
      const eventually = (test: () => boolean, what: () => string) =>
        Effect.suspend(() => (test() ? Effect.void : Effect.fail("not yet"))).pipe(
          Effect.retry(lookingAgain(100)),
          Effect.catch(() => Effect.die(new Error(what())))
        )
      const title = () => tmux("display-message", "-p", "-t", "one", "#{pane_title}").trim()
      yield* pane.shows((screen) => screen.includes("ask anything"), "the CLI")
      yield* eventually(() => title().startsWith("one: idle"), title)

      yield* client.Send({ text: "write a file", images: [], front: false, force: false })
      yield* room.until("one", ({ state }) => state === "needs_permission", "a dialog")
      const said = () => fs.readFileSync(output, "utf8")
      yield* eventually(() => said().includes("\x1b]9;leap: one needs you: Write notes.md?"), said)
      yield* eventually(() => title().startsWith("one: needs you"), title)
      assert.strictEqual(said().split("\x1b]9;leap").length, 2, "once")
      const { text } = yield* client.Screen()
      yield* pane.shows((screen) => screen.trimEnd() === text.trimEnd(), "the screen is as it was")

      yield* client.Answer({ answer: "1" })
      yield* room.until("one", ({ state }) => state === "idle", "answered")
      yield* eventually(() => title().startsWith("one: idle"), title)
      yield* pane.type("\x1c")
      yield* pane.shows((screen) => screen.includes("[detached; session 'one' goes on]"), "detached")
      assert.notInclude(title(), "one:", "the title from before is back")

      // the bell, in a terminal of which nothing else is known
      fs.writeFileSync(settings, "{}")
      const other = yield* openPane(room, "other", ["attach", "one"], { cols: 90, rows: 24 })
      yield* other.shows((screen) => screen.includes("ask anything"), "the CLI")
      const bells = path.join(room.dir, "bells")
      execFileSync("tmux", [
        "-S",
        path.join(room.dir, "other.tmux"),
        "pipe-pane",
        "-O",
        "-t",
        "one",
        `cat > '${bells}'`
      ])
      yield* client.Send({ text: "ask me", images: [], front: false, force: false })
      // oxlint-disable-next-line no-control-regex
      const rung = () =>
        (fs.existsSync(bells) ? fs.readFileSync(bells, "latin1") : "").replaceAll(
          /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g,
          ""
        )
      yield* eventually(() => rung().includes("\x07"), rung)
    })
  })
})
