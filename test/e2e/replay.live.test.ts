import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { makeRoom } from "../support/processes/Room.ts"
import { isThorough } from "../support/run/thorough.ts"
import { patience } from "../support/run/patience.ts"
import { live } from "../support/run/effects.ts"
import { rowsOf } from "../support/data/fields.ts"

const header = JSON.stringify({
  version: 2,
  width: 60,
  height: 12,
  timestamp: 1_795_000_000,
  leap: { provider: "claude" }
})
const rule = "─".repeat(60)
const rest = `\u001b[2J\u001b[H${[rule, "❯ ", rule, "  ⏸ manual mode on"].join("\r\n")}`
const lines = (...all: ReadonlyArray<unknown>) => `${[header, ...all.map((one) => JSON.stringify(one))].join("\n")}\n`
const answers = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly t: number; readonly ready: boolean })

describe("leap replay", () => {
  live("answers each line of a pipe that stays open", function* () {
    const room = yield* makeRoom()
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(room.command[0], [room.command[1], "replay", "-"], {
          env: room.env,
          cwd: room.dir,
          stdio: ["pipe", "pipe", "inherit"]
        })
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    let text = ""
    const until = (what: string) =>
      Effect.callback<void>((resume) => {
        const look = () => (text.includes(what) ? resume(Effect.void) : undefined)
        child.stdout.on("data", look)
        look()
        return Effect.sync(() => child.stdout.off("data", look))
      }).pipe(Effect.timeout(patience))
    child.stdout.setEncoding("utf8").on("data", (data: string) => (text += data))
    child.stdin.write(`${header}\n`)
    yield* until('"t":0,"state":"starting"')
    // half a line is no line
    const line = JSON.stringify([0.5, "o", rest])
    child.stdin.write(line.slice(0, 20))
    child.stdin.write(`${line.slice(20)}\n${JSON.stringify([1, "k", ""])}\n`)
    yield* until('"t":1,"state":"idle"')
    child.stdin.write(`${JSON.stringify([9, "k", ""])}\n`)
    yield* until('"t":9,"state":"idle","ready":true')
    child.stdin.end()
    const code = yield* Effect.callback<number | null>((resume) => {
      if (child.exitCode !== null) resume(Effect.succeed(child.exitCode))
      else child.on("exit", (code) => resume(Effect.succeed(code)))
    }).pipe(Effect.timeout(patience))
    assert.strictEqual(code, 0)
  })

  live("ends quietly when its reader has what it wanted", function* () {
    const room = yield* makeRoom()
    fs.writeFileSync(path.join(room.dir, "long.cast"), lines(...Array.from({ length: 50_000 }, (_, i) => [i, "k", ""])))
    const ended = yield* Effect.callback<{ readonly code: number | null; readonly stderr: string }>((resume) => {
      const child = spawn(room.command[0], [room.command[1], "replay", "long.cast"], {
        env: room.env,
        cwd: room.dir,
        stdio: ["ignore", "pipe", "pipe"]
      })
      let stderr = ""
      child.stderr.setEncoding("utf8").on("data", (data: string) => (stderr += data))
      child.stdout.once("data", () => child.stdout.destroy())
      child.on("close", (code) => resume(Effect.succeed({ code, stderr })))
    }).pipe(Effect.timeout(patience))
    assert.deepStrictEqual(ended, { code: 0, stderr: "" })
  })

  live("reads files as they are written anywhere, and keeps what it found of a broken one", function* () {
    const room = yield* makeRoom()
    const write = (name: string, text: string | Uint8Array) => fs.writeFileSync(path.join(room.dir, name), text)
    write("windows.cast", `\uFEFF${lines([0.5, "o", rest], [9, "k", ""]).replaceAll("\n", "\r\n")}`)
    const windows = yield* room.leap(["replay", "windows.cast"])
    assert.strictEqual(windows.code, 0, windows.stderr)
    assert.deepStrictEqual(rowsOf(answers(windows.stdout), "t", "ready"), [
      [0, false],
      [0.5, false],
      [2.5, true],
      [9, true]
    ])
    write(
      "bytes.cast",
      Buffer.concat([
        Buffer.from(`${header}\n[0.4,"o","`),
        Buffer.from([0xff, 0xc3, 0x28, 0xe2]),
        Buffer.from(`"]\n${JSON.stringify([0.5, "o", rest])}\n[9,"k",""]`)
      ])
    )
    const bytes = yield* room.leap(["replay", "bytes.cast"])
    assert.deepStrictEqual([bytes.code, answers(bytes.stdout).at(-1)?.ready], [0, true], bytes.stderr)
    write("torn.cast", `${lines([0.5, "o", rest], [9, "k", ""])}[10,"o","half a li`)
    const torn = yield* room.leap(["replay", "torn.cast"])
    assert.deepStrictEqual([torn.code, answers(torn.stdout).at(-1)?.t], [1, 9])
    assert.strictEqual(torn.stderr, "leap: line 4 of the recording cannot be replayed: it is not JSON\n")
    const nameless = yield* room.leap(["replay", "-"], '{"version":2,"width":60,"height":12}\n')
    assert.deepStrictEqual([nameless.code, nameless.stdout], [1, ""])
    assert.include(nameless.stderr, "--provider")
    const named = yield* room.leap(["replay", "--provider", "codex", "-"], '{"version":2,"width":60,"height":12}\n')
    assert.deepStrictEqual([named.code, answers(named.stdout).length], [0, 1])
    const unknown = yield* room.leap(["replay", "windows.cast", "--provider", "nonesuch"])
    assert.deepStrictEqual([unknown.code, unknown.stdout], [2, ""])
    assert.match(unknown.stderr, /no CLI is called 'nonesuch'/)
  })

  live("says which line is beyond all measure, and reads no more of it than it must", function* () {
    const room = yield* makeRoom()
    const long = `${lines([0.5, "o", rest])}[1,"o","${"x".repeat(20 << 20)}`
    const stderr =
      "leap: line 3 of the recording cannot be replayed: it is longer than the 16777216 characters that a line may have\n"
    const piped = yield* room.leap(["replay", "-"], long)
    assert.deepStrictEqual([piped.code, answers(piped.stdout).map(({ t }) => t), piped.stderr], [1, [0, 0.5], stderr])
    fs.writeFileSync(path.join(room.dir, "long.cast"), long)
    const read = yield* room.leap(["replay", "--json", "long.cast"])
    assert.deepStrictEqual(read, { code: 1, stdout: "", stderr })
    // neither NUL bytes nor others that are no text are a recording
    for (const bytes of [
      new Uint8Array(1 << 20),
      Uint8Array.from({ length: 1 << 20 }, (_, i) => (i * 2_654_435_761) >>> 24)
    ]) {
      fs.writeFileSync(path.join(room.dir, "bytes.cast"), bytes)
      const { code, stderr, stdout } = yield* room.leap(["replay", "bytes.cast", "--provider", "claude"])
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, /^leap: line 1 of the recording cannot be replayed: it is not JSON\n$/)
    }
  })

  it.live.runIf(isThorough)("holds no more of an endless recording than its last lines", () =>
    Effect.gen(function* () {
      const room = yield* makeRoom()
      // 24 MB of ordinary lines, with a heap that would not hold them
      const line = JSON.stringify([1, "o", `${"An ordinary row of output… ".repeat(40)}\r\n`])
      const input = `${lines([0.5, "o", rest])}${`${line}\n`.repeat(Math.ceil((24 << 20) / line.length))}${JSON.stringify([9, "k", ""])}\n`
      const all = yield* room.program(["replay", "-"], input, { NODE_OPTIONS: "--max-old-space-size=48" })
      assert.deepStrictEqual([all.code, answers(all.stdout).at(-1)?.t, all.stderr], [0, 9, ""])
    }).pipe(Effect.scoped)
  )

  live("gives one document on request", function* () {
    const room = yield* makeRoom()
    const text = lines([0.5, "o", rest], [9, "k", ""])
    const each = yield* room.leap(["replay", "-"], text)
    const all = yield* room.leap(["replay", "--json", "-"], text)
    assert.deepStrictEqual(JSON.parse(all.stdout), { schema: 1, states: answers(each.stdout) })
  })
})
