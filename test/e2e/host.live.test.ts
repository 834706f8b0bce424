import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { spawn, spawnSync } from "node:child_process"
import { alive, eventually, kill, makeRoom, startDemo } from "../support/Room.ts"

const send = (text: string) => ({ text, images: [], front: false, force: false })
const mode = (file: string) => fs.statSync(file).mode & 0o777

describe("a session's host", () => {
  it.live("killed mid-queue loses nothing, types nothing twice, and says what it holds", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      const before = yield* startDemo(room, "crash")
      yield* Effect.gen(function*() {
        const client = yield* room.connect("crash")
        yield* client.Send(send("a long first turn"))
        yield* room.until("crash", (status) => status.queue.some((message) => message.status === "started"), "its turn began")
        yield* client.Send(send("second\nof two lines"))
        yield* client.Send(send("third"))
      }).pipe(Effect.scoped)
      kill(before.hostPid!)
      yield* eventually(() => !alive(before.hostPid!), "the host is gone")
      // its CLI hangs up with it
      yield* eventually(() => !alive(before.pid!), "the CLI is gone")

      const crashed = yield* room.leap(["status", "crash", "--json"])
      const [session] = JSON.parse(crashed.stdout).sessions
      assert.strictEqual(session.state, "exited")
      assert.strictEqual(session.problem.kind, "crashed")
      assert.deepStrictEqual(session.queue.map((message: { text: string }) => message.text), ["second\nof two lines", "third"])
      assert.strictEqual((yield* room.leap(["send", "crash", "more"])).code, 3)

      const again = yield* room.leap(["crash", "--detach"])
      assert.strictEqual(again.code, 0, again.stderr)
      assert.include(again.stderr, "2 messages are held")
      const restarted = yield* room.until("crash", (status) => status.ready, "ready again")
      assert.strictEqual(restarted.cli, "demo")
      assert.deepStrictEqual(
        // beside them, for a while, there is the receipt of the turn that was cut off
        restarted.queue.filter((message) => message.status !== "failed").map((message) => [message.text.slice(0, 6), message.status]),
        [["second", "held"], ["third", "held"]]
      )
      const sentMeanwhile = yield* room.leap(["wait", "crash", "--until", "running", "--timeout", "2"])
      assert.strictEqual(sentMeanwhile.code, 4)
      assert.strictEqual((yield* room.leap(["queue", "release", "crash"])).code, 0)
      yield* room.until("crash", (status) => status.ready && status.queue.every((message) => message.status === "done"), "both sent")
      const submitted = room.log().filter((line) => line.event === "submitted").map((line) => line.text)
      assert.deepStrictEqual(submitted, ["a long first turn", "second\nof two lines", "third"])
    }).pipe(Effect.scoped))

  it.live("is one for a tag, however many start at the same moment", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      const runs = yield* Effect.all(
        Array.from({ length: 4 }, () => room.leap(["one", "--cli", "demo", "--detach"])),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(runs.map((run) => run.code).sort((a, b) => Number(a) - Number(b)), [0, 5, 5, 5], JSON.stringify(runs))
      for (const run of runs.filter((run) => run.code === 5)) assert.strictEqual(run.stderr.trim().split("\n").length, 1)
      yield* room.until("one", (status) => status.ready, "the one is well")
    }).pipe(Effect.scoped))

  it.live("its files are closed to others; a socket it left behind is told from a live one by connecting", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      const first = yield* startDemo(room, "files")
      const dir = room.session("files")
      assert.strictEqual(mode(dir), 0o700)
      assert.strictEqual(mode(path.join(dir, "spool")), 0o700)
      for (const name of ["host.sock", "lock", "queue.ndjson", "status.json", "host.log"]) assert.strictEqual(mode(path.join(dir, name)), 0o600, name)
      kill(first.hostPid!)
      yield* eventually(() => !alive(first.hostPid!), "the host is gone")
      assert.isTrue(fs.existsSync(path.join(dir, "host.sock")), "a killed host leaves its socket")
      const again = yield* room.leap(["files", "--detach"])
      assert.strictEqual(again.code, 0, again.stderr)
      yield* room.until("files", (status) => status.ready, "ready again")
    }).pipe(Effect.scoped))

  it.live("garbage on its socket does not disturb it", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      yield* startDemo(room, "noise")
      const socket = path.join(room.session("noise"), "host.sock")
      const pieces = [
        "\n\n\n",
        "not json\n",
        "{\"_tag\":\"Request\"}\n",
        "{\"_tag\":\"Request\",\"id\":\"1\",\"tag\":\"NoSuchThing\",\"payload\":null,\"headers\":[]}\n",
        "{\"_tag\":\"Request\",\"id\":\"2\",\"tag\":\"Send\",\"payload\":{\"text\":5},\"headers\":[]}\n",
        "{\"_tag\":\"Ack\",\"requestId\":\"77\"}\n",
        Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a]),
        `${"x".repeat(200_000)}\n`,
        "[[[[[[[[[["
      ]
      yield* Effect.forEach(pieces, (piece) =>
        Effect.callback<void>((resume) => {
          const client = net.connect(socket, () => client.end(piece))
          client.on("error", () => {})
          client.resume()
          client.once("close", () => resume(Effect.void))
          return Effect.sync(() => client.destroy())
        }).pipe(Effect.timeoutOption("2 seconds")))
      const client = yield* room.connect("noise")
      yield* client.Send(send("still there?"))
      yield* room.until("noise", (status) => status.queue.some((message) => message.status === "done"), "it works on")
      assert.deepStrictEqual(room.log().filter((line) => line.event === "submitted").map((line) => line.text), ["still there?"])
    }).pipe(Effect.scoped))

  it.live("a hook with broken JSON, one of another process, and one when leap is gone change nothing and fail nothing", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      yield* startDemo(room, "wires")
      const spool = path.join(room.session("wires"), "spool")
      const script = path.join(room.env["LEAP_HOME"]!, "hooks", "leap-hook.sh")
      const fire = (event: string, payload: string, dir = spool) => {
        const ran = spawnSync("sh", [script, event], {
          input: payload,
          encoding: "utf8",
          env: { ...room.env, LEAP_TAG: "wires", LEAP_SIGNAL_DIR: dir, LEAP_CLI_PROVIDER: "demo" }
        })
        assert.strictEqual(ran.status, 0, `${event}: ${ran.stderr}`)
        assert.strictEqual(ran.stderr, "")
      }
      fire("Stop", "{\"broken\": ")
      fire("UserPromptSubmit", "{\"session_id\":\"somebody-else\",\"prompt\":\"nested\"}")
      fire("PermissionRequest", "")
      fire("No/Such\nEvent", "x")
      fire("Stop", "{}", path.join(room.dir, "no-such-spool"))
      yield* eventually(() => fs.readdirSync(spool).every((name) => name === "decision" || name === "bell"), "the spool is read empty")
      const client = yield* room.connect("wires")
      assert.strictEqual((yield* client.Status()).state, "idle")
      yield* client.Send(send("works"))
      yield* room.until("wires", (status) => status.queue.some((message) => message.status === "done"), "it works on")
    }).pipe(Effect.scoped))

  it.live("tells watchers that the CLI ended, with its exit status, before it goes", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      const started = yield* startDemo(room, "exit")
      const client = yield* room.connect("exit")
      const watching = yield* Effect.forkScoped(Stream.runCollect(client.Watch()))
      yield* client.Send(send("/exit"))
      const seen = yield* Effect.timeout(Fiber.join(watching), "20 seconds")
      assert.deepStrictEqual(seen.at(-1)?.exit, { code: 0, signal: null })
      assert.strictEqual(seen.at(-1)?.state, "exited")
      yield* eventually(() => !alive(started.hostPid!), "the host goes with its CLI")
      assert.isFalse(fs.existsSync(path.join(room.session("exit"), "host.sock")))
      const after = JSON.parse((yield* room.leap(["status", "exit", "--json"])).stdout).sessions[0]
      assert.strictEqual(after.state, "exited")
      assert.deepStrictEqual(after.exit, { code: 0, signal: null })
      assert.isNull(after.problem)
    }).pipe(Effect.scoped))

  it.live("goes when its CLI has ended, whatever a connection does; stop --force ends one that does not answer", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      const dead = yield* startDemo(room, "dead")
      // a client that asks, and closes without reading the answers
      const socket = net.connect(path.join(room.session("dead"), "host.sock"))
      yield* Effect.callback<void>((resume) => {
        socket.once("connect", () => {
          socket.write("{\"_tag\":\"Request\",\"id\":\"1\",\"tag\":\"Hello\",\"payload\":null,\"headers\":[]}\n{\"_tag\":\"Ping\"}\n{\"_tag\":\"Ping\"}\n", () => {
            socket.destroy()
            resume(Effect.void)
          })
        })
      })
      assert.strictEqual((yield* room.leap(["stop", "dead"])).code, 0)
      yield* eventually(() => !alive(dead.hostPid!), "the host is gone")
      assert.strictEqual((yield* room.leap(["dead", "--detach"])).code, 0)

      const stuck = yield* startDemo(room, "stuck")
      kill(stuck.hostPid!, "SIGSTOP")
      const status = JSON.parse((yield* room.leap(["status", "stuck", "--json"])).stdout).sessions[0]
      assert.strictEqual(status.problem.kind, "stuck")
      assert.notStrictEqual(status.state, "exited", "its CLI lives")
      const forced = yield* room.leap(["stop", "stuck", "--force"])
      assert.strictEqual(forced.code, 0, forced.stderr)
      yield* eventually(() => !alive(stuck.hostPid!), "the stuck host is gone")
      yield* eventually(() => !alive(stuck.pid!), "and its CLI")
    }).pipe(Effect.scoped))

  it.live("survives a log and a status file that cannot be written, and an ending that cannot be tidied up", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      yield* startDemo(room, "full")
      const dir = room.session("full")
      fs.mkdirSync(path.join(dir, "status.json.tmp"))
      fs.mkdirSync(path.join(dir, "queue.ndjson.new"))
      const client = yield* room.connect("full")
      yield* client.Send(send("still works"))
      yield* room.until("full", (status) => status.queue.some((message) => message.status === "done"), "done")
      const stopped = yield* room.leap(["stop", "full", "--json"])
      assert.strictEqual(stopped.code, 0, stopped.stderr)
      assert.deepStrictEqual(JSON.parse(stopped.stdout).exit, { code: 0, signal: null })
    }).pipe(Effect.scoped))

  it.live("stopped before its CLI was started, it starts none", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      const spec = { tag: "never", cli: "demo", cwd: room.dir, args: [], cols: 80, rows: 24, waitForViewer: true }
      const host = spawn(room.command[0], [room.command[1], "__host"], { env: room.env, stdio: ["pipe", "pipe", "inherit"], detached: true })
      const up = yield* Effect.callback<string>((resume) => {
        host.stdout.once("data", (data: Buffer) => resume(Effect.succeed(data.toString())))
        host.stdin.end(JSON.stringify(spec))
      })
      assert.include(up, "\"ready\":true")
      const stopped = yield* room.leap(["stop", "never"])
      assert.strictEqual(stopped.code, 0, stopped.stderr)
      yield* eventually(() => !alive(host.pid!), "the host is gone")
      assert.deepStrictEqual(room.log(), [])
    }).pipe(Effect.scoped))

  it.live("ends a CLI that outlived its former host, before it starts another on the same files", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      // a CLI that ignores the hang-up, in the place of Claude Code
      const bin = path.join(room.dir, "bin")
      fs.mkdirSync(bin)
      fs.writeFileSync(path.join(bin, "claude"), "#!/bin/sh\ntrap '' HUP\nwhile :; do sleep 1; done\n", { mode: 0o755 })
      const env = { PATH: `${bin}:${room.env["PATH"]}` }
      assert.strictEqual((yield* room.leap(["hooks", "install", "--cli", "claude"])).code, 0)
      const start = Effect.map(room.leap(["deaf", "--cli", "claude", "--detach", "--json"], "", env), (ran) => JSON.parse(ran.stdout).sessions[0])
      const first = yield* start
      kill(first.hostPid)
      yield* eventually(() => !alive(first.hostPid), "the host is gone")
      assert.isTrue(alive(first.pid), "its CLI is deaf to the hang-up")
      const second = yield* start
      assert.notStrictEqual(second.pid, first.pid)
      yield* eventually(() => !alive(first.pid), "the old CLI is gone")
      assert.isTrue(alive(second.pid))
      assert.strictEqual((yield* room.leap(["stop", "deaf", "--force"])).code, 0)
    }).pipe(Effect.scoped))
})
