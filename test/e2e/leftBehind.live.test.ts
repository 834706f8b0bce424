import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as path from "node:path"
import { alive, eventually, kill, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

/** A server that the session's CLI has started in a group of its own. */
const server = (room: Room, tag: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const env = { ...room.env, LEAP_SIGNAL_DIR: path.join(room.session(tag), "spool") }
      const child = spawn("/bin/sh", ["-c", "trap '' HUP; sleep 300"], { env, detached: true, stdio: "ignore" })
      child.unref()
      return child.pid!
    }),
    (pid) => Effect.sync(() => kill(-pid))
  )

live("what a session left running is named when it is stopped, and ended by force; its sessions are not", function* () {
  const room = yield* makeRoom("0.1", { hosts: "apart" })
  yield* startDemo(room, "s")
  // a session that was started from within it
  const inner = yield* startDemo(room, "inner", { LEAP_SIGNAL_DIR: path.join(room.session("s"), "spool") })
  const pid = yield* server(room, "s")
  const stopped = yield* room.leap(["stop", "s", "--json"])
  assert.strictEqual(stopped.code, 0)
  assert.match(stopped.stderr, new RegExp(`left running: .*${pid} \\(sh\\).*'leap stop s --force' ends them`))
  const { left } = JSON.parse(stopped.stdout) as { left: ReadonlyArray<{ pid: number; name: string }> }
  assert.isTrue(left.some((one) => one.pid === pid && one.name === "sh"))
  assert.isTrue(left.every((one) => one.pid !== inner.hostPid && one.pid !== inner.pid))
  assert.isTrue(alive(pid))
  const forced = yield* room.leap(["stop", "s", "--force"])
  assert.strictEqual(forced.code, 0, forced.stderr)
  assert.include(forced.stderr, "ended what session 's' left running")
  yield* eventually(() => !alive(pid), "the server's end")
  assert.isTrue(alive(inner.hostPid!) && alive(inner.pid!))
  assert.strictEqual((yield* room.leap(["stop", "s", "--force"])).code, 3, "nothing is left of it")
  assert.notInclude((yield* room.leap(["stop", "inner"])).stderr, "left running")
})
