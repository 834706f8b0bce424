import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import * as PtyNode from "../../support/ptyNode.ts"
import { Pty } from "../../../src/services/Pty.ts"
import { transcript } from "../../suites/PtySuite.ts"
import { childProgram } from "../../support/children/childProgram.ts"

const child = childProgram("userTerminalChild")
const env = { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color" }

/** A shell in a terminal that runs the child program and tells the terminal's settings before and after it. */
const shell = (how: string) =>
  Effect.gen(function* () {
    const terminal = yield* (yield* Pty).spawn({
      command: "sh",
      args: [
        "-c",
        `echo before=$(stty -g)=; "$0" "$1" "$2" 2>/dev/null; echo code=$? after=$(stty -g)=`,
        process.execPath,
        child,
        how
      ],
      cwd: process.cwd(),
      env,
      size: { cols: 90, rows: 20 }
    })
    const { text, until, whole } = yield* transcript(terminal)
    const settings = Effect.map(whole, (all) => {
      const [, before, code, after] = /before=(\S+)=[\s\S]*code=(\d+) after=(\S+)=/.exec(all) ?? []
      return { all, before, code, after }
    })
    return { terminal, text, until, settings }
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

  it.effect("says so when there is no terminal", () =>
    Effect.sync(() => {
      const run = (how: string) =>
        spawnSync(process.execPath, [child, how], { input: "", encoding: "utf8", env, timeout: 30_000 })
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
