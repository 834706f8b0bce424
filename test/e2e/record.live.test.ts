import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { eventually, makeRoom, startDemo } from "../support/Room.ts"

interface Said {
  readonly state: string
  readonly ready: boolean
}

const lines = (text: string) => text.trim().split("\n").map((line) => JSON.parse(line) as unknown)
const states = (said: ReadonlyArray<Said>) => {
  const all = said.map(({ ready, state }) => `${state}${ready ? " ready" : ""}`)
  return all.filter((one, i) => one !== all[i - 1])
}

describe("leap record", () => {
  it.live("a recording replays to what leap said at the time", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      yield* startDemo(room, "s")
      assert.strictEqual((yield* room.leap(["send", "s", "say: hello", "--wait"])).code, 0)
      yield* room.until("s", (status) => status.ready, "ready again")
      const recorded = yield* room.leap(["record", "s", "--past", "a.cast"])
      assert.strictEqual(recorded.code, 0, recorded.stderr)
      assert.include(recorded.stderr, "a.cast")
      const file = path.join(room.dir, "a.cast")
      const text = fs.readFileSync(file, "utf8")
      assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
      const [header, ...events] = lines(text) as [Readonly<Record<string, unknown>>, ...ReadonlyArray<readonly [number, string, string]>]
      assert.strictEqual(header["version"], 2)
      assert.isTrue(events.every(([t], i) => i === 0 || t >= events[i - 1]![0]), "times never go back")
      assert.isTrue(events.some(([, code, data]) => code === "m" && data.startsWith("hook:")), "its hooks are in it")
      assert.isTrue(events.some(([, code, data]) => code === "i" && data.includes("say: hello")), "what was typed is in it")

      const said = events.flatMap(([, code, data]) => code === "m" && data.startsWith("leap:") ? [JSON.parse(data.slice(5)) as Said] : [])
      const replayed = yield* room.leap(["replay", "a.cast"])
      assert.strictEqual(replayed.code, 0, replayed.stderr)
      const again = lines(replayed.stdout) as ReadonlyArray<Said>
      assert.deepStrictEqual(states(again).slice(-4), states(said).slice(-4))
      assert.includeMembers(states(said), ["starting", "running", "idle ready"])

      const twice = yield* room.leap(["record", "s", "--past", "a.cast"])
      assert.strictEqual(twice.code, 5)
      assert.include(twice.stderr, "exists already")
      assert.strictEqual(fs.readFileSync(file, "utf8"), text)
    }).pipe(Effect.scoped))

  it.live("follows a session to its end, and stops after a time when asked to", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      yield* startDemo(room, "s")
      const short = yield* room.leap(["record", "s", "-", "--new", "--for", "0.2"])
      assert.strictEqual(short.code, 0, short.stderr)
      assert.isAtLeast(lines(short.stdout).length, 2)
      const [recorded] = yield* Effect.all([
        room.leap(["record", "s", "-"]),
        Effect.andThen(Effect.sleep("300 millis"), room.leap(["stop", "s"]))
      ], { concurrency: 2 })
      assert.strictEqual(recorded.code, 0, recorded.stderr)
      const last = lines(recorded.stdout).slice(-6) as ReadonlyArray<readonly [number, string, string]>
      assert.isTrue(last.some(([, code, data]) => code === "m" && data === "exit"))
    }).pipe(Effect.scoped))

  it.live("waits for a reader that stands still", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      const bin = path.join(room.dir, "bin")
      fs.mkdirSync(bin)
      // a CLI that, once told to, says more than any pipe and any buffer holds
      const flag = path.join(room.dir, "go")
      const box = `\x1b[2J\x1b[H${["─".repeat(80), "❯ ", "─".repeat(80), "  ⏸ manual mode on"].join("\r\n")}`
      fs.writeFileSync(path.join(bin, "claude"), `#!${process.execPath}
process.stdin.setRawMode?.(true)
process.stdin.on("data", () => {})
process.stdout.write(${JSON.stringify(box)})
let left = 0
const go = () => { while (left-- > 0) if (!process.stdout.write(${JSON.stringify(`${"what it says, over and over. ".repeat(33)}\r\n`)}.repeat(20))) return process.stdout.once("drain", go)
  process.stdout.write("\\x1b]0;said\\x07") }
const wait = setInterval(() => { if (require("node:fs").existsSync(${JSON.stringify(flag)})) { clearInterval(wait); left = 400; go() } }, 20)
`, { mode: 0o755 })
      const extra = { PATH: `${bin}:${room.env["PATH"]!}` }
      assert.strictEqual((yield* room.leap(["hooks", "install", "--cli", "claude"], "", extra)).code, 0)
      const started = yield* room.leap(["s", "--cli", "claude", "--detach"], "", extra)
      assert.strictEqual(started.code, 0, started.stderr)
      yield* room.until("s", (status) => status.ready, "ready")
      const child = yield* Effect.acquireRelease(
        Effect.sync(() => spawn(room.command[0], [room.command[1], "record", "s", "-", "--new"], { env: room.env, cwd: room.dir, stdio: ["ignore", "pipe", "pipe"] })),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      let stderr = ""
      child.stderr.setEncoding("utf8").on("data", (data: string) => (stderr += data))
      yield* Effect.callback<void>((resume) => {
        child.stdout.once("readable", () => resume(Effect.void))
      }).pipe(Effect.timeout("20 seconds"))
      fs.writeFileSync(flag, "")
      // longer than any host may be silent
      yield* Effect.sleep("12 seconds")
      let text = ""
      child.stdout.setEncoding("utf8").on("data", (data: string) => (text += data))
      yield* eventually(() => text.includes("]0;said"), "the rest is there")
      const [code] = yield* Effect.all([
        Effect.callback<number | null>((resume) => {
          child.on("close", (code) => resume(Effect.succeed(code)))
        }).pipe(Effect.timeout("20 seconds")),
        room.leap(["stop", "s", "--force"])
      ], { concurrency: 2 })
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.isAbove(text.length, 2_000_000)
      assert.match(text, /"exit"\]\n/)
      assert.strictEqual((lines(text)[0] as { readonly version: number }).version, 2)
    }).pipe(Effect.scoped), 60_000)

  it.live("refuses what it cannot do", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      assert.strictEqual((yield* room.leap(["record", "nobody"])).code, 3)
      yield* startDemo(room, "s")
      const nowhere = yield* room.leap(["record", "s", "no/such/dir.cast"])
      assert.deepStrictEqual([nowhere.code, nowhere.stderr.includes("no such directory")], [1, true])
      assert.strictEqual((yield* room.leap(["record", "s", "--past", "--new"])).code, 2)
      const full = yield* room.leap(["record", "s", "--past", "/dev/full"])
      assert.strictEqual(full.code, 5, "what exists is not written to")
      fs.mkdirSync(path.join(room.dir, "folder"))
      assert.strictEqual((yield* room.leap(["record", "s", "--past", "folder"])).code, 5)
      yield* room.leap(["stop", "s", "--force"])
      const over = yield* room.leap(["record", "s", "late.cast"])
      assert.deepStrictEqual([over.code, over.stderr.includes("has ended"), fs.existsSync(path.join(room.dir, "late.cast"))], [3, true, false])
    }).pipe(Effect.scoped))
})
