import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { endsWell, makeRoom, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

live("a host that is stopped: the doctor's command lets it go on, and ending it by force is no crash", function* () {
  const room = yield* makeRoom("0.1", { hosts: "apart" })
  const { hostPid } = yield* startDemo(room, "s")
  process.kill(hostPid!, "SIGSTOP")
  const { findings } = JSON.parse((yield* room.leap(["doctor", "--json"])).stdout) as {
    findings: ReadonlyArray<{ subject: string; mend: string | null }>
  }
  const mend = findings.find(({ subject }) => subject === "s")?.mend
  assert.strictEqual(mend, `kill -CONT ${hostPid}`)
  process.kill(hostPid!, "SIGCONT")
  assert.strictEqual((yield* room.leap(["wait", "s"])).stdout, "idle\n")

  process.kill(hostPid!, "SIGSTOP")
  yield* endsWell(room.leap(["stop", "s", "--force"]))
  const { sessions } = JSON.parse((yield* room.leap(["status", "s", "--json"])).stdout) as {
    sessions: ReadonlyArray<{ state: string; problem: unknown; exit: unknown }>
  }
  const [{ exit, problem, state }] = sessions as [(typeof sessions)[number]]
  assert.deepStrictEqual([state, problem, exit], ["exited", null, { code: null, signal: "SIGKILL" }])
})

live("every command says of a stopped host how it goes on, and of a message that it was not queued", function* () {
  const room = yield* makeRoom("0.1", { hosts: "apart" })
  const { hostPid } = yield* startDemo(room, "s")
  process.kill(hostPid!, "SIGSTOP")
  const asked = ["why", "queue", "answer 1", "interrupt", "mode", "screen", "keys a", "stop", "wait", "send hi"]
  const told = yield* Effect.forEach(
    asked,
    (line) => {
      const [command = "", ...rest] = line.split(" ")
      return room.leap([command, "s", ...rest])
    },
    { concurrency: 4 }
  )
  for (const [i, { code, stderr }] of told.entries()) {
    assert.strictEqual(code, 1, asked[i])
    assert.include(stderr, `'kill -CONT ${hostPid}' lets it go on`, asked[i])
    assert.strictEqual(/not queued: /.test(stderr), asked[i] === "send hi", asked[i])
  }
  process.kill(hostPid!, "SIGCONT")
  // what a host is asked now it is asked behind all that came while it was stopped
  const { queue, recent } = JSON.parse((yield* room.leap(["queue", "s", "--json"])).stdout) as {
    queue: ReadonlyArray<unknown>
    recent: ReadonlyArray<unknown>
  }
  assert.deepStrictEqual([queue, recent], [[], []])
})
