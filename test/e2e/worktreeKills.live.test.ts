import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { endsWell, makeRoom } from "../support/processes/Room.ts"
import { aRepository } from "../support/processes/Repository.ts"
import { isThorough } from "../support/run/thorough.ts"

/** Milliseconds after its start at which a leap is killed that makes a worktree: mostly in the middle of it. */
const moments = Array.from({ length: isThorough ? 24 : 3 }, (_, index) => 60 + ((index * 173) % 1_000))

describe("a leap that is killed (kill -9) while it makes a worktree", () => {
  it.live(
    "leaves what the same command goes on with, and what is forgotten to the last trace",
    () =>
      Effect.gen(function* () {
        const room = yield* makeRoom("0.1")
        const { main, traces } = yield* aRepository
        const before = traces()
        let killed = 0
        for (const [index, moment] of moments.entries()) {
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
    isThorough ? 240_000 : 60_000
  )
})
