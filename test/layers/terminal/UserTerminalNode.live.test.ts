import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { spawn } from "node-pty"
import * as PtyNode from "../../support/ptyNode.ts"
import { Pty } from "../../../src/services/Pty.ts"
import { transcript } from "../../suites/PtySuite.ts"
import { childProgram } from "../../support/children/childProgram.ts"
import { alive, eventually, kill } from "../../support/processes/Room.ts"
import { patience } from "../../support/run/patience.ts"

const child = childProgram("userTerminalChild")
const env = { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color" }

/** What a shell runs: the child program, with the terminal's settings before and after it. */
const inShell = (how: string) => [
  "-c",
  `echo before=$(stty -g)=; "$0" "$1" "$2" 2>/dev/null; echo code=$? after=$(stty -g)=`,
  process.execPath,
  child,
  how
]

const settingsIn = (all: string) => {
  const [, before, code, after] = /before=(\S+)=[\s\S]*code=(\d+) after=(\S+)=/.exec(all) ?? []
  return { all, before, code, after }
}

/** A shell in a terminal that runs the child program and tells the terminal's settings before and after it. */
const shell = Effect.fnUntraced(function* (how: string) {
  const terminal = yield* (yield* Pty).spawn({
    command: "sh",
    args: inShell(how),
    cwd: process.cwd(),
    env,
    size: { cols: 90, rows: 20 }
  })
  const { text, until, whole } = yield* transcript(terminal)
  return { terminal, text, until, settings: Effect.map(whole, settingsIn) }
})

/** The same in a terminal that is frozen once the child program has begun to write more than it takes. */
const frozen = Effect.fnUntraced(function* (how: string) {
  const pty = spawn("/bin/sh", inShell(how), {
    name: "xterm",
    cols: 90,
    rows: 20,
    cwd: process.cwd(),
    env,
    encoding: null
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => kill(pty.pid)))
  let text = ""
  let state: "read" | "frozen" | "thawed" | "over" = "read"
  pty.onData((chunk) => {
    text += Buffer.from(chunk).toString("latin1")
    if (state !== "read" || !/READY \d+ \./.test(text)) return
    state = "frozen"
    pty.pause()
  })
  pty.onExit(() => {
    state = "over"
  })
  yield* eventually(() => state === "frozen", "the program writes to its terminal")
  return {
    child: Number(/READY (\d+) /.exec(text)?.[1]),
    /** Reads on, to the end. */
    thaw: Effect.gen(function* () {
      state = "thawed"
      pty.resume()
      yield* eventually(() => state === "over", "the shell has ended")
      return settingsIn(text)
    })
  }
})

layer(PtyNode.layer, { excludeTestServices: true })("UserTerminalNode", (it) => {
  for (const [how, code, lastWords] of [
    ["end", "0", false],
    ["fail", "1", false],
    ["defect", "1", false],
    ["throw", "1", true],
    ["exit", "3", true]
  ] as const) {
    it.effect(`restores the terminal when the program ends by: ${how}`, () =>
      Effect.gen(function* () {
        const { settings } = yield* shell(how)
        const { after, all, before, code: ended } = yield* settings
        assert.include(all, "READY")
        assert.isDefined(before)
        assert.strictEqual(after, before)
        assert.strictEqual(ended, code)
        assert.strictEqual(all.includes("LAST-WORDS"), lastWords, all)
      }).pipe(Effect.scoped)
    )
  }

  for (const [how, signal, code] of [
    ["wait", "SIGTERM", "130"],
    ["wait", "SIGINT", "130"],
    ["bare", "SIGTERM", "143"],
    ["bare", "SIGINT", "130"],
    ["bare", "SIGHUP", "129"]
  ] as const) {
    it.effect(
      `restores the terminal at ${signal} that ${how === "bare" ? "nobody handles" : "interrupts the program"}`,
      () =>
        Effect.gen(function* () {
          const { settings, until } = yield* shell(how)
          const [, pid] = yield* until(/READY (\d+) /)
          process.kill(Number(pid), signal)
          const { after, all, before, code: ended } = yield* settings
          assert.strictEqual(after, before, all)
          assert.strictEqual(ended, code)
          assert.strictEqual(all.includes("LAST-WORDS"), how === "bare", all)
        }).pipe(Effect.scoped)
    )
  }

  it.effect("is raw: keys come one by one and untouched, Ctrl+C among them, and nothing is echoed", () =>
    Effect.gen(function* () {
      const { settings, terminal, until } = yield* shell("echo")
      yield* until(/READY/)
      for (const [key, hex] of [
        ["\r", "0d"],
        ["\x03", "03"],
        ["\x1a", "1a"],
        ["\x1b[A", "1b5b41"],
        ["é", "c3a9"]
      ] as const) {
        yield* terminal.write(new TextEncoder().encode(key))
        yield* until(new RegExp(`<${hex}>`))
      }
      yield* terminal.write(new TextEncoder().encode("q"))
      const { all, code } = yield* settings
      assert.strictEqual(code, "0")
      assert.include(all, "<0d><03><1a><1b5b41><c3a9><71>")
    }).pipe(Effect.scoped)
  )

  it.effect("tells its size and every new one", () =>
    Effect.gen(function* () {
      const facts = yield* shell("facts")
      assert.include((yield* facts.settings).all, "true 90x20")
      const { settings, terminal, until } = yield* shell("sizes")
      yield* until(/READY/)
      yield* terminal.resize({ cols: 71, rows: 13 })
      assert.include((yield* settings).all, "<71x13>")
    }).pipe(Effect.scoped)
  )

  it.effect("waits until what it writes was taken, and loses nothing", () =>
    Effect.gen(function* () {
      const { settings } = yield* shell("flood")
      const { all } = yield* settings
      assert.strictEqual(/\.+/.exec(all)?.[0].length, 64 * 16_384)
      assert.include(all, ".FLOODED")
    }).pipe(Effect.scoped)
  )

  for (const signal of ["SIGHUP", "SIGTERM"] as const)
    it.effect(`ends at ${signal} while it writes to a terminal that nobody reads, and restores it`, () =>
      Effect.gen(function* () {
        const { child, thaw } = yield* frozen("leave")
        process.kill(child, signal)
        yield* eventually(() => !alive(child), "the program has ended, though nobody reads its terminal")
        const { after, before, code } = yield* thaw
        assert.isDefined(before)
        assert.strictEqual(after, before)
        assert.strictEqual(code, signal === "SIGHUP" ? "129" : "130")
      }).pipe(Effect.scoped)
    )

  it.effect("gives its last words to a terminal that is read again in time, behind all that was written", () =>
    Effect.gen(function* () {
      const { child, thaw } = yield* frozen("leave")
      process.kill(child, "SIGTERM")
      const { after, all, before } = yield* thaw
      assert.strictEqual(after, before)
      assert.match(all, /READY \d+ \.{16384,}LEFT/)
    }).pipe(Effect.scoped)
  )

  it.effect("says so when there is no terminal", () =>
    Effect.sync(() => {
      const run = (how: string) =>
        spawnSync(process.execPath, [child, how], { input: "", encoding: "utf8", env, timeout: patience })
      const { status, stdout } = run("end")
      assert.include(
        stdout,
        "standard input and output are not a terminal: run this in a terminal, without pipes or redirections"
      )
      assert.notInclude(stdout, "READY")
      assert.strictEqual(status, 1)
      assert.include(run("facts").stdout, "false 80x24")
    })
  )
})
