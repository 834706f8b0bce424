import { assert, describe } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import { endsWell, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { openWindow, inWindows } from "../support/processes/Window.ts"

const write = (file: string, text: string): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

interface FirstError {
  readonly what: string
  readonly args: ReadonlyArray<string>
  readonly env?: (dir: string) => Readonly<Record<string, string>>
  readonly before?: (room: Room) => void
  readonly code: number
  /** What is so, and what is to be done about it. */
  readonly says: ReadonlyArray<string>
}

const demo = ["x", "--cli", "demo", "--detach"]
const inFile = (dir: string) => ({ LEAP_HOME: path.join(dir, "file", "leap") })
const inProc = () => ({ LEAP_HOME: "/proc/leap" })
const nothingOnPath = (dir: string) => ({ PATH: path.join(dir, "nothing") })

const errors: ReadonlyArray<FirstError> = [
  {
    what: "no CLI",
    args: ["x", "--detach"],
    env: nothingOnPath,
    code: 7,
    says: ["Claude Code is not installed", "npm install -g @anthropic-ai/claude-code", "'leap demo'"]
  },
  {
    what: "a flag of the CLI's before the lone --",
    args: ["x", "--detach", "--model", "opus 5"],
    code: 2,
    says: ["leap has no flag --model for a start", "('leap x -- --model opus 5')"]
  },
  {
    what: "no git, where a worktree is asked for",
    args: [...demo, "--worktree"],
    env: nothingOnPath,
    code: 7,
    says: ["worktrees need git", "it is not on PATH; install it"]
  },
  {
    what: "a home that nothing can be written to",
    args: demo,
    before: ({ dir }) => write(path.join(dir, "file"), ""),
    env: inFile,
    code: 5,
    says: ["cannot create", "set LEAP_HOME to a folder that you can write to"]
  },
  ...(process.platform === "linux"
    ? [demo, ["settings", "set", "unwired", "start"]].map((args) => ({
        what: `a home in /proc: leap ${args.join(" ")}`,
        args,
        env: inProc,
        code: args === demo ? 5 : 2,
        says: ["/proc/leap"]
      }))
    : []),
  {
    what: "settings of leap's that cannot be read",
    args: demo,
    before: ({ env }) => {
      fs.rmSync(path.join(env["LEAP_DEMO_HOME"] ?? "", "settings.json"))
      write(path.join(env["LEAP_HOME"] ?? "", "settings.json"), '{ "policy": ')
    },
    code: 6,
    says: ["leap's settings cannot all be read: 'leap settings check' says where", "'leap hooks install --cli demo'"]
  },
  {
    what: "comments in a CLI's settings",
    args: ["hooks", "install", "--cli", "claude"],
    before: ({ dir }) => write(path.join(dir, ".claude", "settings.json"), "{ // mine\n}\n"),
    code: 1,
    says: ["it has comments or trailing commas", "mend it, then run this again"]
  }
]

const screens: ReadonlyArray<readonly [args: ReadonlyArray<string>, instead: string]> = [
  [["monitor"], "'leap status --watch'"],
  [["attach"], "'leap screen'"],
  [["x", "--cli", "demo"], "--detach"],
  [["resume"], "--detach"]
]

describe("a first error", () => {
  for (const { args, before, code, env, says, what } of errors)
    inWindows(`says what is so and what to do: ${what}`, function* () {
      const room = yield* makeRoom()
      before?.(room)
      // a process of its own, since one that hangs is to be ended
      const ran = yield* room.program(args, "", env?.(room.dir) ?? {})
      assert.strictEqual(ran.code, code, ran.stderr)
      assert.match(ran.stderr, /^leap: [^\n]+\n$/)
      for (const words of says) assert.include(ran.stderr, words)
    })

  inWindows("leap alone in a pipe says that there is nothing, asks nothing, and is no failure", function* () {
    const room = yield* makeRoom()
    for (const input of ["", "x\n"]) {
      const { code, stderr, stdout } = yield* room.program([], input)
      assert.deepStrictEqual([code, stdout, stderr], [0, "no sessions; 'leap <tag>' starts one\n", ""])
    }
  })

  inWindows("the doctor begins with its verdict, and ends with what is not installed", function* () {
    const room = yield* makeRoom()
    const nothing = nothingOnPath(room.dir)
    const well = yield* room.leap(["doctor"], "", nothing)
    const rows = well.stdout.trimEnd().split("\n")
    assert.match(rows[0] ?? "", /^1 thing to do: claude: install it with: npm install -g/)
    assert.strictEqual(rows.at(-1), "not installed: claude, codex, gemini, copilot, cursor-agent, opencode")
    // no row for what is not there, and a file that is not is called so
    assert.isAtMost(rows.length, 8)
    assert.match(well.stdout, /^ok +settings +none, all defaults/m)
    // at a terminal no word is cut
    const window = yield* openWindow(room, ["doctor"], { cols: 80, rows: 40 }, nothing)
    yield* window.exit
    assert.deepStrictEqual(window.screen().trim().split(/\s+/), well.stdout.trim().split(/\s+/))

    // a folder that is none, and what to do about it
    write(path.join(room.dir, "file"), "")
    const ill = yield* room.leap(["doctor"], "", { ...nothing, ...inFile(room.dir) })
    assert.strictEqual(ill.code, 1)
    assert.match(ill.stdout, /^2 things to do: files: set LEAP_HOME to a folder that you can write to\n/)
    assert.match(ill.stdout, /^broken +files .*: it is not a directory → set LEAP_HOME/m)
    assert.notMatch(ill.stdout, /ls -ld|ENOENT|ENOTDIR/)
    assert.strictEqual(ill.stderr, "leap: 1 thing is broken (files, above)\n")
  })

  inWindows("a terminal that cannot place its cursor is told the command that does without", function* () {
    const room = yield* makeRoom()
    for (const [name, why] of [
      ["-uTERM", "TERM is not set"],
      ["TERM=dumb", "TERM is dumb"]
    ] as const) {
      // a pseudo-terminal's own starter gives a program that has none a TERM
      const open = (args: ReadonlyArray<string>) =>
        openWindow({ ...room, command: ["/usr/bin/env", name] }, [...room.command, ...args], { cols: 200, rows: 10 })
      for (const [args, instead] of screens) {
        const window = yield* open(args)
        assert.strictEqual((yield* window.exit).code, 2, args.join(" "))
        assert.match(window.screen().trim(), /^leap: [^\n]+$/)
        for (const words of [why, instead]) assert.include(window.screen(), words)
      }
      const alone = yield* open([])
      assert.strictEqual((yield* alone.exit).code, 0)
      assert.include(alone.screen(), "no sessions; 'leap <tag>' starts one")
    }
  })

  inWindows("a window that is too small says so until it is larger, and is left as ever", function* () {
    const room = yield* makeRoom()
    yield* startDemo(room, "one")
    const small = { cols: 20, rows: 3 }
    for (const [args, leaves, shown] of [
      [["monitor"], "q", "one"],
      [["queue", "one"], "\x04", "one ●"]
    ] as const) {
      const window = yield* openWindow(room, args, small)
      yield* window.shows((screen) => screen.replaceAll(/\s+/g, " ").includes("too small: 20x3, at least 20x4"))
      assert.notInclude(window.screen(), shown)
      yield* window.resize(60, 12)
      yield* window.shows((screen) => screen.includes(shown) && !screen.includes("too small"))
      yield* window.resize(20, 3)
      yield* window.shows("too small")
      yield* window.type(leaves)
      assert.strictEqual((yield* window.exit).code, 0)
    }
    const attached = yield* openWindow(room, ["one"], small)
    yield* attached.shows(() => attached.bytes().includes("'leap screen one' prints the screen"))
    yield* room.until("one", ({ attached }) => attached === 1, "it is attached")
    yield* attached.type("\x1c")
    assert.strictEqual((yield* attached.exit).code, 0)
    yield* endsWell(room.leap(["stop", "one", "--force"]))
  })
})
