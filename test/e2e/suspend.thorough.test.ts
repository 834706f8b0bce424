import { assert, describe } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import { makeRoom, startDemo } from "../support/processes/Room.ts"
import { hasTmux, openPane } from "../support/processes/Tmux.ts"
import { isThorough } from "../support/run/thorough.ts"
import { live } from "../support/run/effects.ts"

const size = { cols: 90, rows: 24 }

describe("Ctrl+Z in an attached terminal, in tmux", () => {
  describe.runIf(hasTmux && isThorough)("under a shell with job control", () => {
    live(
      "leaves to the shell, and fg brings back the screen as it is by then, in the size that it has by then",
      function* () {
        const room = yield* makeRoom(undefined, { hosts: "apart" })
        yield* startDemo(room, "one")
        const client = yield* room.connect("one")
        const bin = path.join(room.dir, "bin")
        fs.mkdirSync(bin)
        fs.writeFileSync(path.join(bin, "leap"), `#!/bin/sh\nexec "${room.command.join('" "')}" "$@"\n`, {
          mode: 0o755
        })
        const env = { ...room.env, PATH: `${bin}:${room.env["PATH"]}`, PS1: "shell$ " }
        const shell = { dir: room.dir, env, command: ["bash", "--norc"] as never }
        const pane = yield* openPane(shell, "pane", ["-i"], size)
        const same = (what: string) => pane.agrees(client.Screen(), what)
        yield* pane.type("leap attach one\r")
        yield* pane.shows((screen) => screen.includes("ask anything"), "the CLI")
        yield* pane.type("\x1a")
        yield* pane.shows((screen) => /Stopped\s+leap attach one/.test(screen), "the shell says that the job stopped")
        yield* room.until("one", ({ attached }) => attached === 0, "nobody is attached")

        // the terminal is the shell's: it echoes, edits and runs
        yield* pane.type("echo $((40+2))\r")
        yield* pane.shows((screen) => screen.includes("\n42\n"), "the shell has its terminal back")
        const { state } = yield* room.until("one", () => true, "its status")
        assert.strictEqual(state, "idle", "the session went on, and was not stopped")
        yield* client.Send({ text: "while you were away", images: [], front: false, force: false })
        yield* pane.resize(70, 20)

        yield* pane.type("fg\r")
        yield* room.until("one", ({ attached, queue }) => attached === 1 && queue.length === 0, "attached again")
        yield* pane.shows((screen) => screen.includes("while you were away"), "what happened meanwhile")
        yield* room.until("one", ({ ready }) => ready, "at rest")
        yield* same("after fg")

        // once more, and another way back
        yield* pane.type("a draft\x1a")
        yield* pane.shows((screen) => screen.includes("fg shows it again"), "stopped again")
        yield* pane.type("bg\r")
        yield* pane.type("\rfg\r")
        yield* pane.shows((screen) => screen.includes("a draft"), "what was typed before is in the box")
        yield* same("after bg and fg")
        yield* pane.type("\x1c")
        yield* pane.shows((screen) => screen.includes("detached"), "detached")
      }
    )

    live("is the CLI's where no shell could bring leap back", function* () {
      const room = yield* makeRoom(undefined, { hosts: "apart" })
      yield* startDemo(room, "one")
      const pane = yield* openPane(room, "pane", ["attach", "one"], size)
      yield* pane.shows((screen) => screen.includes("ask anything"), "the CLI")
      yield* pane.type("\x1a")
      yield* room.until("one", ({ attached }) => attached === 0, "it tried")
      yield* room.until("one", ({ attached }) => attached === 1, "and came back by itself")
      yield* pane.shows((screen) => screen.includes("ask anything"), "the CLI again")
      yield* pane.type("\x1a")
      yield* pane.type("typed behind it")
      yield* pane.shows((screen) => screen.includes("typed behind it"), "it stays")
      const { attached, state } = yield* room.until("one", () => true, "its status")
      assert.deepStrictEqual([attached, state], [1, "idle"])
    })
  })
})
