import { assert } from "@effect/vitest"
import { endsWell, makeRoom, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

live("a host that is stopped: the doctor's command lets it go on, and ending it by force is no crash", function* () {
  const room = yield* makeRoom("0.1")
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
