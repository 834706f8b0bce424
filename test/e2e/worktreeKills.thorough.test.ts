import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { endsWell, makeRoom } from "../support/processes/Room.ts"
import { aRepository } from "../support/processes/Repository.ts"

/**
 * When a leap is killed that makes a worktree, as parts of the time that it takes. Where in its work that is the clock
 * decides, and how fast the machine is: so it is no part of the gate.
 */
const moments = Array.from({ length: 24 }, (_, index) => 0.04 + ((index * 0.37) % 0.96))

describe("a leap that is killed (kill -9) while it makes a worktree", () => {
  it.live(
    "leaves what the same command goes on with, and what is forgotten to the last trace",
    () =>
      Effect.gen(function* () {
        const room = yield* makeRoom("0.1")
        const { main, traces } = yield* aRepository
        const before = traces()
        const begun = yield* Clock.currentTimeMillis
        yield* endsWell(room.leap(["whole", "--cli", "demo", "-d", "--cwd", main, "--worktree"]))
        const whole = (yield* Clock.currentTimeMillis) - begun
        yield* endsWell(room.leap(["stop", "whole"]))
        yield* endsWell(room.leap(["forget", "--worktree", "whole"]))
        let killed = 0
        for (const [index, part] of moments.entries()) {
          const moment = Math.round(part * whole)
          const tag = `k${index}`
          const start = room.leap([tag, "--cli", "demo", "-d", "--cwd", main, "--worktree"])
          // git, which it has called, goes on by itself
          const ended = yield* Effect.timeoutOption(start, `${moment} millis`)
          if (ended._tag === "None") killed++
          const again = yield* room.leap([tag, "--cli", "demo", "-d", "--cwd", main, "--worktree"])
          const told = `killed after ${moment} ms: ${again.stderr}`
          assert.isTrue(again.code === 0 || /runs already/.test(again.stderr), told)
          const { branch } = yield* room.until(tag, ({ state }) => state === "idle", "it is idle")
          assert.strictEqual(branch, tag, told)
          yield* endsWell(room.leap(["stop", tag]))
          const forgotten = yield* room.leap(["forget", "--worktree", tag])
          assert.strictEqual(forgotten.code, 0, `${told}\n${forgotten.stderr}`)
          assert.deepStrictEqual(traces(), before, told)
        }
        assert.isAbove(killed, moments.length / 3)
      }).pipe(Effect.scoped),
    240_000
  )
})
