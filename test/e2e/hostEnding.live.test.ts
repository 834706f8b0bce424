import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { alive, endsWell, eventually, kill, makeRoom, startDemo } from "../support/processes/Room.ts"
import { isThorough } from "../support/run/thorough.ts"
import { live } from "../support/run/effects.ts"

const send = (text: string) => ({ text, images: [], front: false, force: false })

describe("a session's host, at its end", () => {
  it.live.runIf(isThorough)(
    "goes when its CLI has ended, whatever a connection does; stop --force ends one that does not answer",
    () =>
      Effect.gen(function* () {
        const room = yield* makeRoom(undefined, { hosts: "apart" })
        const dead = yield* startDemo(room, "dead")
        // a client that asks, and closes without reading the answers
        const socket = net.connect(path.join(room.session("dead"), "host.sock"))
        yield* Effect.callback<void>((resume) => {
          socket.once("connect", () => {
            socket.write(
              '{"_tag":"Request","id":"1","tag":"Hello","payload":null,"headers":[]}\n{"_tag":"Ping"}\n{"_tag":"Ping"}\n',
              () => {
                socket.destroy()
                resume(Effect.void)
              }
            )
          })
        })
        yield* endsWell(room.leap(["stop", "dead"]))
        yield* eventually(() => !alive(dead.hostPid!), "the host is gone")
        yield* endsWell(room.leap(["dead", "--detach"]))

        const stuck = yield* startDemo(room, "stuck")
        kill(stuck.hostPid!, "SIGSTOP")
        const status = JSON.parse((yield* room.leap(["status", "stuck", "--json"])).stdout).sessions[0]
        assert.strictEqual(status.problem.kind, "stuck")
        assert.notStrictEqual(status.state, "exited", "its CLI lives")
        const forced = yield* room.leap(["stop", "stuck", "--force"])
        assert.strictEqual(forced.code, 0, forced.stderr)
        yield* eventually(() => !alive(stuck.hostPid!), "the stuck host is gone")
        yield* eventually(() => !alive(stuck.pid!), "and its CLI")
      }).pipe(Effect.scoped)
  )

  live("survives a log and a status file that cannot be written, and an ending that cannot be tidied up", function* () {
    const room = yield* makeRoom(undefined, { hosts: "apart" })
    const started = yield* startDemo(room, "full")
    const dir = room.session("full")
    fs.mkdirSync(path.join(dir, "status.json.tmp"))
    fs.mkdirSync(path.join(dir, "queue.ndjson.new"))
    const client = yield* room.connect("full")
    yield* client.Send(send("still works"))
    yield* room.until("full", (status) => status.queue.some((message) => message.status === "done"), "done")
    const stopped = yield* room.leap(["stop", "full", "--json"])
    assert.strictEqual(stopped.code, 0, stopped.stderr)
    assert.deepStrictEqual(JSON.parse(stopped.stdout).exit, { code: 0, signal: null })
    yield* eventually(() => !alive(started.hostPid!), "the host goes with its CLI")
    assert.isFalse(fs.existsSync(path.join(dir, "host.sock")), "and takes its socket with it")
  })

  it.live.runIf(isThorough)(
    "ends a CLI that outlived its former host, before it starts another on the same files",
    () =>
      Effect.gen(function* () {
        const room = yield* makeRoom(undefined, { hosts: "apart" })
        // a CLI that ignores the hang-up, in the place of Claude Code
        const bin = path.join(room.dir, "bin")
        fs.mkdirSync(bin)
        fs.writeFileSync(path.join(bin, "claude"), "#!/bin/sh\ntrap '' HUP\nwhile :; do sleep 1; done\n", {
          mode: 0o755
        })
        const env = { PATH: `${bin}:${room.env["PATH"]}` }
        yield* endsWell(room.leap(["hooks", "install", "--cli", "claude"]))
        const start = Effect.map(
          room.leap(["deaf", "--cli", "claude", "--detach", "--json"], "", env),
          (ran) => JSON.parse(ran.stdout).sessions[0]
        )
        const first = yield* start
        kill(first.hostPid)
        yield* eventually(() => !alive(first.hostPid), "the host is gone")
        assert.isTrue(alive(first.pid), "its CLI is deaf to the hang-up")
        const second = yield* start
        assert.notStrictEqual(second.pid, first.pid)
        yield* eventually(() => !alive(first.pid), "the old CLI is gone")
        assert.isTrue(alive(second.pid))
        yield* endsWell(room.leap(["stop", "deaf", "--force"]))
      }).pipe(Effect.scoped)
  )
})
