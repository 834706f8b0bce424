import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as pty from "node-pty"
import { ptyInternals } from "../../src/layers/terminal/ptyInternals.ts"
import { eventually, makeRoom } from "../support/processes/Room.ts"
import { testPatience } from "../support/run/patience.ts"
import { live } from "../support/run/effects.ts"

describe("leap demo", () => {
  live("ends with the command that starts the CLI which is installed", function* () {
    const room = yield* makeRoom("0.05")
    const bin = path.join(room.dir, "programs")
    fs.mkdirSync(bin)
    fs.writeFileSync(path.join(bin, "claude"), "#!/bin/sh\n", { mode: 0o755 })
    const shown = yield* room.program(["demo"], "", { PATH: `${bin}:/usr/bin:/bin` })
    assert.strictEqual(shown.code, 0)
    assert.match(
      shown.stdout.trimEnd().split("\n").at(-1) ?? "",
      /^Next, in a project of yours: .* my-feature \(runs Claude Code there; /
    )
  })

  live(
    "leaves nothing behind where its terminal is closed in the middle of it",
    function* () {
      const room = yield* makeRoom("1")
      const tmp = path.join(room.dir, "tmp")
      fs.mkdirSync(tmp)
      const [command, ...args] = room.command
      const shown = { text: "" }
      const terminal = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const env = { ...room.env, TMPDIR: tmp, TERM: "xterm-256color" }
          const child = pty.spawn(command, [...args, "demo"], {
            name: "xterm",
            cols: 100,
            rows: 30,
            cwd: tmp,
            env,
            encoding: null
          })
          child.onData((data) => (shown.text += Buffer.from(data).toString("latin1")))
          return child
        }),
        (child) =>
          Effect.sync(() => {
            try {
              process.kill(child.pid, "SIGKILL")
            } catch {
              // it has ended
            }
          })
      )
      const sessions = () => fs.globSync("leap-demo-*/leap/sessions/*/status.json", { cwd: tmp })
      yield* eventually(() => sessions().length === 1, "its session runs")
      yield* eventually(() => shown.text.includes("[?1049h"), "the show has the screen")
      const status = JSON.parse(fs.readFileSync(path.join(tmp, sessions()[0] ?? ""), "utf8")) as {
        readonly session: { readonly hostPid: number }
      }
      const pid = status.session.hostPid
      assert.isTrue(fs.existsSync(`/proc/${pid}`), "the host lives")
      ptyInternals(terminal).socket.destroy()
      yield* eventually(() => fs.readdirSync(tmp).every((name) => !name.startsWith("leap-demo-")), "it is tidied up")
      assert.isFalse(fs.existsSync(`/proc/${pid}`), "the host is gone")
    },
    testPatience
  )
})
