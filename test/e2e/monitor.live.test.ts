import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { aRepository } from "../support/processes/Repository.ts"
import { endsWell, eventually, kill, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { hasTmux, openPane } from "../support/processes/Tmux.ts"
import { isThorough } from "../support/run/thorough.ts"

/** A monitor in a terminal, behind which a shell tells how it ended. */
const openMonitor = (room: Room, size: { readonly cols: number; readonly rows: number }) =>
  openPane(
    {
      dir: room.dir,
      env: room.env,
      command: [
        "sh",
        "-c",
        '"$0" "$@"; echo "left with $?"; stty -a | grep -o "[-]*icanon"; exec sleep 600',
        ...room.command
      ]
    },
    `monitor-${size.cols}`,
    ["monitor"],
    size
  )

/** The monitor's process, by its command line and the room that it runs in. */
const monitorPid = (room: Room): number | null => {
  for (const name of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const argv = fs.readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0")
      if (argv[0] !== room.command[0] || argv[2] !== "monitor") continue
      if (fs.readFileSync(`/proc/${name}/environ`, "utf8").includes(`HOME=${room.dir}\0`)) return Number(name)
    } catch {
      // it has ended meanwhile
    }
  }
  return null
}

layer(Layer.empty, { excludeTestServices: true })("leap monitor, in tmux", (it) => {
  describe.skipIf(!hasTmux)("over real sessions", () => {
    it.effect("shows what each does, answers, sends, attaches and comes back, at three sizes", () =>
      Effect.gen(function* () {
        const room = yield* makeRoom()
        yield* Effect.all([startDemo(room, "api"), startDemo(room, "docs")], { concurrency: 2 })
        const pane = yield* openMonitor(room, { cols: 100, rows: 30 })
        yield* pane.shows((screen) => /^❯ ○ api +idle/m.test(screen) && / ○ docs +idle/.test(screen), "both sessions")
        yield* pane.shows((screen) => screen.includes("ask anything"), "the screen of the first")

        // ---- a message from here makes it ask; the dialog is answered from here
        yield* pane.type("s")
        yield* pane.type("please write a file\r")
        yield* pane.shows((screen) => /needs you \(1\)\n❯ ! api +permission/.test(screen), "it needs the user")
        for (const [cols, rows] of [
          [60, 24],
          [200, 50],
          [100, 30]
        ] as const) {
          yield* pane.resize(cols, rows)
          yield* pane.shows(
            (screen) => /^❯ ! api +permission/m.test(screen) && screen.split("\n").length >= rows - 1,
            `at ${cols} columns`
          )
          const lines = yield* pane.lines
          for (const line of lines) assert.isAtMost([...line].length, cols)
        }
        yield* pane.type("a")
        yield* pane.shows((screen) => screen.includes("❯ 1 Yes"), "its options")
        yield* pane.type("3\r")
        yield* pane.shows((screen) => /answered .*: No/.test(screen), "what was answered")
        yield* room.until("api", ({ state }) => state === "idle", "idle again")

        // ---- what it has changed
        yield* pane.shows((screen) => /^❯ ○ api +idle/m.test(screen), "at rest, so that the key is for it")
        yield* pane.type("c")
        yield* pane.shows((screen) => /── api · .* is in no git work tree/.test(screen), "why nobody can tell")
        execFileSync("git", ["init", "-q"], { cwd: room.dir, env: room.env })
        fs.writeFileSync(`${room.dir}/.gitignore`, "*\n!plan.txt\n")
        fs.writeFileSync(`${room.dir}/plan.txt`, "one\ntwo\n")
        yield* pane.type("r")
        yield* pane.shows((screen) => /── api · 1 file differs from the beginning: \+2/.test(screen), "its changes")
        yield* pane.shows((screen) => /│ +1 \+one/.test(screen), "the patch beside its files")
        yield* pane.type("q")

        // ---- attached and back
        yield* pane.shows((screen) => /^❯ ○ api +idle/m.test(screen), "at rest")
        yield* pane.type("\r")
        yield* room.until("api", ({ attached }) => attached === 1, "attached")
        yield* pane.type("from the attached terminal\r")
        yield* room.until(
          "api",
          ({ lastResponse }) => lastResponse?.includes("attached terminal") === true,
          "typed there"
        )
        yield* pane.type("\x1c")
        yield* pane.shows((screen) => screen.startsWith("leap monitor · 2 sessions"), "back")

        // ---- filter, stop, start anew
        yield* pane.type("/doc")
        yield* pane.shows((screen) => /1\/2/.test(screen) && /^❯ ○ docs/m.test(screen), "filtered")
        yield* pane.type("\r")
        yield* pane.type("x")
        yield* pane.shows((screen) => screen.includes("Stop docs?"), "it asks first")
        yield* pane.type("y")
        yield* pane.shows((screen) => /^❯ × docs +ended/m.test(screen), "ended")
        yield* pane.type("r")
        yield* pane.shows((screen) => /^❯ ○ docs +idle/m.test(screen), "runs again")
        yield* pane.type("\x1b")
        yield* pane.shows((screen) => screen.startsWith("leap monitor · 2 sessions"), "all again")
        yield* pane.type("q")
        yield* pane.shows((screen) => /left with 0\nicanon/.test(screen), "the terminal as it was")
      })
    )

    it.effect("finishes a session's worktree behind its changes, and discards only an ended one's, as was told", () =>
      Effect.gen(function* () {
        const room = yield* makeRoom("0.1")
        const { git, main, root } = yield* aRepository
        const place = `${root}/proj.worktrees/fix`
        for (const name of ["name", "email"]) git(main, "config", `user.${name}`, "t@example.com")
        fs.appendFileSync(`${main}/.git/info/exclude`, ".env\n")
        const started = yield* room.leap(["fix", "--cli", "demo", "-d", "--cwd", main, "--worktree"])
        assert.strictEqual(started.code, 0, started.stderr)
        yield* room.until("fix", ({ state }) => state === "idle", "it is idle")
        fs.writeFileSync(`${place}/made.txt`, "made\n")
        const pane = yield* openMonitor(room, { cols: 100, rows: 30 })
        const asked = Effect.fnUntraced(function* (row: RegExp) {
          yield* pane.shows((screen) => row.test(screen), "its row")
          yield* pane.type("c")
          yield* pane.shows((screen) => /f finish/.test(screen), "its changes")
          yield* pane.type("f")
          yield* pane.shows((screen) => /What is to become of it\?[^]*nothing now/.test(screen), "what can be done")
          return (yield* pane.lines).join("\n")
        })

        // ---- it runs: it can be merged, but not discarded
        const running = yield* asked(/^❯ ○ fix +idle/m)
        assert.include(running, "fix: branch 'fix': 1 file not committed, 0 commits not in 'main'")
        for (const one of ["Merge into main", "Rebase onto main and merge", "Commit only"]) assert.include(running, one)
        assert.notInclude(running, "Discard")
        yield* pane.type("m")
        yield* pane.shows((screen) => /The commit's message/.test(screen), "which message")
        yield* pane.type("made by f\r")
        yield* pane.shows(
          (screen) => /fix: committed 1 file on 'fix' .*; 'main' has 1 commit of 'fix'/.test(screen),
          "done"
        )
        assert.strictEqual(git(main, "log", "-1", "--format=%s"), "made by f\n")

        // ---- it has ended: it is told what goes with it, and nothing goes before that is agreed to
        yield* endsWell(room.leap(["stop", "fix"]))
        fs.writeFileSync(`${place}/.env`, "secret\n")
        assert.include(yield* asked(/^❯ × fix +ended/m), "Discard")
        yield* pane.type("d")
        const question = /would be lost: 1 file or directory that git ignores \(\.env\)[^]*Discard it all the same\?/
        yield* pane.shows((screen) => question.test(screen), "what would be lost")
        assert.isTrue(fs.existsSync(`${place}/.env`))
        yield* pane.type("y")
        yield* pane.shows((screen) => /fix: removed the worktree/.test(screen), "it is gone")
        assert.isFalse(fs.existsSync(place))
      })
    )

    it.effect.runIf(isThorough)(
      "goes on while a host is stopped, and gives the terminal back when a signal ends it",
      () =>
        Effect.gen(function* () {
          const room = yield* makeRoom(undefined, { hosts: "apart" })
          const [stuck] = yield* Effect.all([startDemo(room, "api"), startDemo(room, "docs")], { concurrency: 2 })
          kill(stuck.hostPid!, "SIGSTOP")
          yield* Effect.addFinalizer(() => Effect.sync(() => kill(stuck.hostPid!, "SIGCONT")))
          const pane = yield* openMonitor(room, { cols: 100, rows: 30 })
          yield* pane.shows((screen) => / ○ docs +idle/.test(screen), "the one that answers, at once")
          yield* pane.shows((screen) => /~ api +no answer/.test(screen), "the one that does not, by its name")
          yield* room.leap(["send", "docs", "please write a file"])
          yield* pane.shows((screen) => /! docs +permission/.test(screen), "the others go on")
          const pid = monitorPid(room)
          assert.isNotNull(pid)
          kill(pid, "SIGTERM")
          yield* pane.shows((screen) => /left with 143\nicanon/.test(screen), "the terminal as it was")
          yield* eventually(() => monitorPid(room) === null, "it is gone")
        })
    )
  })
})
