import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { placesIn } from "../../src/layers/files/leapPaths.ts"
import { alive, endsWell, eventually, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

const socketOf = (room: Room, tag: string) => path.join(room.session(tag), "host.sock")

/** What a cleaner, or a mistake, makes of a live session's files. */
const losses: ReadonlyArray<readonly [string, (room: Room, tag: string) => void]> = [
  ["its socket is removed", (room, tag) => fs.rmSync(socketOf(room, tag))],
  [
    "a file is in its place",
    (room, tag) => {
      fs.rmSync(socketOf(room, tag))
      fs.writeFileSync(socketOf(room, tag), "not a socket")
    }
  ],
  ["the lock's file is removed", (room, tag) => fs.rmSync(path.join(room.session(tag), "lock"))],
  [
    "both are removed",
    (room, tag) => {
      fs.rmSync(path.join(room.session(tag), "lock"))
      fs.rmSync(socketOf(room, tag))
    }
  ]
]

describe("a session that lives and cannot be reached", () => {
  live("is reached again, by its own host, whatever was lost, and more than once", function* () {
    const room = yield* makeRoom("0.1", { hosts: "apart" })
    const { hostPid } = yield* startDemo(room, "s")
    for (const [what, lose] of [...losses, ...losses]) {
      lose(room, "s")
      const isBack = eventually(
        () => fs.lstatSync(socketOf(room, "s"), { throwIfNoEntry: false })?.isSocket() === true,
        `the socket, where ${what}`
      )
      // Without lock and socket nothing says that it lives, until its host has made them again.
      if (!fs.existsSync(path.join(room.session("s"), "lock"))) yield* isBack
      // the quick way and the whole program alike
      assert.deepInclude(yield* room.leap(["send", "s", `hello, where ${what}`]), { code: 0 })
      const { sessions } = JSON.parse((yield* room.leap(["status", "s", "--json"])).stdout) as {
        sessions: ReadonlyArray<{ hostPid: number; problem: unknown }>
      }
      assert.deepStrictEqual([sessions[0]?.hostPid, sessions[0]?.problem], [hostPid, null], what)
      yield* isBack
      yield* room.until("s", ({ queue, ready }) => ready && queue.every(({ status }) => status === "done"), "sent")
    }
    yield* endsWell(room.leap(["stop", "s"]))
    yield* eventually(() => !alive(hostPid!), "the host's end")
    assert.isFalse(fs.existsSync(socketOf(room, "s")), "its socket goes with it")
  })

  live("by a host that cannot mend it: all surfaces say what is missing, and its end by force is one", function* () {
    const room = yield* makeRoom("0.1", { hosts: "apart" })
    const { hostPid, pid } = yield* startDemo(room, "s")
    process.kill(hostPid!, "SIGSTOP")
    fs.rmSync(socketOf(room, "s"))
    const said = new RegExp(`host lives \\(process ${hostPid}\\), and nothing reaches it at .*host\\.sock`)
    const ran = yield* Effect.all(
      {
        one: room.leap(["status", "s", "--json"]),
        all: room.leap(["status"]),
        send: room.leap(["send", "s", "hello"]),
        start: room.leap(["start", "s", "--cli", "demo", "--detach"]),
        stop: room.leap(["stop", "s"]),
        screen: room.leap(["screen", "s"]),
        doctor: room.leap(["doctor", "--json"])
      },
      { concurrency: 2 }
    )
    const { sessions } = JSON.parse(ran.one.stdout) as {
      sessions: ReadonlyArray<{ state: string; ready: boolean; hostPid: number; problem: { message: string } }>
    }
    const [now] = sessions as [(typeof sessions)[number]]
    assert.deepStrictEqual([now.state, now.ready, now.hostPid], ["idle", false, hostPid!])
    assert.match(now.problem.message, said)
    assert.notInclude(ran.all.stdout, "died")
    for (const name of ["send", "start", "stop", "screen"] as const) {
      assert.strictEqual(ran[name].code, 1, `${name}: ${ran[name].stderr}`)
      assert.match(ran[name].stderr, said, name)
      assert.include(ran[name].stderr, "'leap stop s --force' ends it", name)
    }
    const { findings } = JSON.parse(ran.doctor.stdout) as {
      findings: ReadonlyArray<{ subject: string; detail: string; mend: string | null }>
    }
    const finding = findings.find(({ subject }) => subject === "s")
    assert.strictEqual(finding?.mend, "leap stop s --force")
    assert.match(finding?.detail ?? "", said)
    assert.isTrue(alive(hostPid!) && alive(pid!))

    yield* endsWell(room.leap(["stop", "s", "--force"]))
    yield* eventually(() => !alive(hostPid!) && !alive(pid!), "the end of host and CLI")
    const after = JSON.parse((yield* room.leap(["status", "s", "--json"])).stdout) as {
      sessions: ReadonlyArray<{ state: string; problem: unknown }>
    }
    assert.deepInclude(after.sessions[0], { state: "exited", problem: null })
  })

  live(
    "whose socket is not beside its files, since its address would be too long: it is bound again there",
    function* () {
      // its address would be too long beside its files
      const room = yield* makeRoom("0.1", { hosts: "apart", place: "d".repeat(90) })
      const { hostPid } = yield* startDemo(room, "s")
      const socket = placesIn(room.env).session("s").socket
      assert.notStrictEqual(path.dirname(socket), room.session("s"))
      fs.rmSync(socket)
      yield* endsWell(room.leap(["send", "s", "hello"]))
      assert.isTrue(alive(hostPid!))
      assert.strictEqual(fs.statSync(path.dirname(socket)).mode & 0o777, 0o700)
      yield* endsWell(room.leap(["stop", "s"]))
    }
  )
})
