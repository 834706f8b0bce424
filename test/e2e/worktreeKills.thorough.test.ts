import { assert, describe } from "@effect/vitest"
import { Duration, Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { anEndedWorktree } from "../support/processes/EndedWorktree.ts"
import { endsWell, makeRoom } from "../support/processes/Room.ts"
import { longTestPatience, lookingAgain } from "../support/run/patience.ts"
import { aRepository } from "../support/processes/Repository.ts"
import { live } from "../support/run/effects.ts"

/**
 * When a leap is cut off that makes a worktree, as parts of the time that it takes. Where in its work that is the clock
 * decides, and how fast the machine is: so it is no part of the gate.
 */
const moments = Array.from({ length: 24 }, (_, index) => 0.04 + ((index * 0.37) % 0.96))

describe.each([
  // the host that it has started goes on by itself, as does git, which it has called
  ["killed (kill -9)", "program"],
  // as by Ctrl+C: what it has begun has ended with it, so that the next one does not meet what is about to end
  ["interrupted", "leap"]
] as const)("a leap that is %s while it makes a worktree", (_, way) => {
  live(
    "leaves what the same command goes on with, and what is forgotten to the last trace",
    function* () {
      const room = yield* makeRoom("0.1", { hosts: "apart" })
      const { main, traces } = yield* aRepository
      const before = traces()
      const start = (tag: string) => room[way]([tag, "--cli", "demo", "-d", "--cwd", main, "--worktree"])
      const ends = Effect.fnUntraced(function* (tag: string, told: string) {
        yield* endsWell(room.leap(["stop", tag]))
        const forgotten = yield* room.leap(["forget", "--worktree", tag])
        assert.strictEqual(forgotten.code, 0, `${told}\n${forgotten.stderr}`)
        assert.deepStrictEqual(traces(), before, told)
      })
      const [first] = yield* Effect.timed(endsWell(start("whole")))
      yield* ends("whole", "whole")
      let whole = Duration.toMillis(first)
      let cutOff = 0
      for (const [index, part] of moments.entries()) {
        const moment = Math.round(part * whole)
        const tag = `k${index}`
        const [took, ended] = yield* Effect.timed(Effect.timeoutOption(start(tag), `${moment} millis`))
        if (ended._tag === "None") cutOff++
        // the first one may have had to wait for the machine
        else whole = Math.min(whole, Duration.toMillis(took))
        const again = yield* start(tag)
        const told = `after ${moment} ms: ${again.stderr}`
        assert.isTrue(again.code === 0 || /runs already/.test(again.stderr), told)
        const { branch } = yield* room.until(tag, ({ state }) => state === "idle", "it is idle")
        assert.strictEqual(branch, tag, told)
        yield* ends(tag, told)
      }
      assert.isAbove(cutOff, moments.length / 3)
    },
    240_000
  )
})

/** What a finish may say of what git is at, or has left, and the user's way out. */
const waits = /git may still be at what a killed leap has begun|index\.lock': File exists/
const halfRebase = /in the middle of a rebase in the worktree/

live(
  "a leap that is killed (kill -9) while it finishes a worktree leaves what the same command goes on with",
  function* () {
    const { git, main, place, room, write } = yield* anEndedWorktree
    // git outlives the one that called it, and is still at it when the next one comes
    for (const name of ["pre-commit", "pre-merge-commit", "pre-rebase"])
      fs.writeFileSync(path.join(main, ".git", "hooks", name), "#!/bin/sh\nsleep 0.5\n", { mode: 0o755 })
    const work = (name: string) => {
      write(path.join(place, `${name}.txt`), name)
      write(path.join(main, `main ${name}.txt`), name)
      git(main, "add", "-A")
      git(main, "commit", "-qnm", name)
    }
    const finish = (how: string) => room.program(["finish", "fix", how, "--message", how])
    work("whole")
    const [first] = yield* Effect.timed(endsWell(finish("merge")))
    let whole = Duration.toMillis(first)
    let cutOff = 0
    for (const [index, part] of moments.entries()) {
      const how = index % 2 === 0 ? "merge" : "rebase"
      const moment = Math.round(part * whole)
      work(`k${index}`)
      const [took, ended] = yield* Effect.timed(Effect.timeoutOption(finish(how), `${moment} millis`))
      if (ended._tag === "None") cutOff++
      else whole = Math.min(whole, Duration.toMillis(took))
      const again = Effect.gen(function* () {
        const { code, stderr } = yield* finish(how)
        const told = `${how} after ${moment} ms: ${stderr}`
        assert.isTrue(code === 0 || (code === 5 && (waits.test(stderr) || halfRebase.test(stderr))), told)
        if (halfRebase.test(stderr)) git(place, "rebase", "--abort")
        return code
      })
      yield* Effect.repeat(again, { until: (code) => code === 0, schedule: lookingAgain(50) })
      for (const one of [place, main]) assert.strictEqual(git(one, "status", "--porcelain"), "", `after ${moment} ms`)
      assert.strictEqual(git(main, "show", `main:k${index}.txt`), `k${index}`)
    }
    assert.isAbove(cutOff, moments.length / 3)
  },
  longTestPatience
)
