import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import { withoutLocks } from "../support/data/withoutLocks.ts"
import { makeRoom } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

live("a file system that keeps no locks is found by leap doctor, with what to set", function* () {
  const room = yield* makeRoom("0.1")
  const home = room.env["LEAP_HOME"]!
  const locks = () =>
    Effect.map(room.leap(["doctor", "--json"]), ({ code, stdout }) => {
      const { findings } = JSON.parse(stdout) as { findings: ReadonlyArray<{ subject: string }> }
      return { code, found: findings.filter(({ subject }) => subject === "locks") }
    })
  assert.deepStrictEqual((yield* locks()).found, [])
  assert.deepStrictEqual(
    fs.readdirSync(home).filter((name) => name.includes("doctor")),
    []
  )
  yield* withoutLocks(home, 5)
  const { code, found } = yield* locks()
  assert.notStrictEqual(code, 0)
  assert.deepStrictEqual(found, [
    {
      subject: "locks",
      state: "broken",
      detail: `could not lock ${home}/doctor.lock: the file system of ${home} keeps no locks`,
      mend: "set LEAP_HOME (or XDG_STATE_HOME) to a directory on one that does"
    }
  ] as ReadonlyArray<object>)
})
