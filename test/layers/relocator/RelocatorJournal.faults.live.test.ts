import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { injections } from "../../support/relocation/injections.ts"
import {
  claudeWorld,
  cursorWorld,
  type Disks,
  Life,
  run,
  using,
  type World
} from "../../support/relocation/relocation.ts"
import { isTried } from "../../support/run/thorough.ts"
import { longTestPatience } from "../../support/run/patience.ts"
import { RelocationError } from "../../../src/services/Relocator.ts"
import { live } from "../../support/run/effects.ts"

const worlds: ReadonlyArray<readonly [string, (disks: Disks) => World]> = [
  ["a file and its tree", claudeWorld],
  ["a tree", cursorWorld]
]
const disks: ReadonlyArray<Disks> = ["one", "two", "no links"]

/** The operations of a move that meets no fault, which are the points of injection. */
const operationsOf = (make: () => World) =>
  using(make(), function* (world) {
    const life = new Life(() => run)
    yield* world.move(life)
    assert.strictEqual(world.verify("without a fault"), "destination")
    return life.operations
  })

const counts = { points: 0, runs: 0, undone: 0, finished: 0, recovered: 0 }

let tests = 0
for (const [shape, make] of worlds) {
  for (const disk of disks) {
    // Where there are no hard links, only files go another way.
    if (make === cursorWorld && disk === "no links") continue
    const test = tests++
    live(
      `${shape}, ${disk === "one" ? "one disk" : disk === "two" ? "two disks" : "no hard links"}: whatever fails or dies at whatever operation, the session is complete in one place`,
      function* () {
        const operations = yield* operationsOf(() => make(disk))
        assert.isAbove(operations.length, 100)
        const before = { ...counts }
        for (const [k, operation] of operations.entries()) {
          if (!isTried(k, test)) continue
          counts.points++
          for (const { fault, lasting, name } of injections(operations, k)) {
            const what = `${name} at ${k}: ${operation}`
            counts.runs++
            yield* using(make(disk), function* (world) {
              const life = new Life((n) => (n === k || (lasting && n > k) ? fault : run))
              const exit = yield* Effect.exit(world.move(life))
              assert.isAbove(life.operations.length, k, `${what}: it was not reached`)
              if (Exit.isSuccess(exit)) {
                // What dies while it lets go of the lock has done all it had to.
                if (k < operations.length - 1) assert.notStrictEqual(fault._tag, "die", what)
                // Every piece is there; what is not yet deleted at the source is told.
                assert.include(["destination", "both"], world.where(), what)
              } else {
                const error = Cause.squash(exit.cause)
                if (fault._tag === "die") assert.strictEqual((error as Error).constructor.name, "Killed", what)
                else {
                  const reason = error instanceof RelocationError ? error.reason : "busy"
                  assert.notInclude(["busy", "unsettled", "not-movable"], reason, `${what}: ${String(error)}`)
                  assert.match((error as Error).message, /^session \S+ was not moved: .*complete/, what)
                  // Undone at once; only who cannot read the journals cannot know that there is nothing to settle.
                  if (!lasting && operation !== "read") {
                    assert.notInclude((error as Error).message, "may still lie about", what)
                    assert.strictEqual(world.where(), "source", what)
                  }
                }
              }
              // Every other time the user tries the same move again instead of anything else.
              if (fault._tag === "die" && k % 2 === 1 && world.where() !== "destination") {
                const again = yield* world.move(new Life(() => run))
                assert.isNull(again.pending, what)
                assert.strictEqual(world.verify(`${what}, moved again`), "destination")
                counts.finished++
                return
              }
              const recovered = yield* world.recover()
              counts.recovered += recovered.length
              for (const { outcome, why } of recovered) assert.notStrictEqual(outcome, "refused", `${what}: ${why}`)
              const where = world.verify(what)
              if (where === "source") counts.undone++
              else counts.finished++
              if (Exit.isSuccess(exit)) assert.strictEqual(where, "destination", what)
              assert.deepStrictEqual(yield* world.recover(), [], `${what}: a second recovery found something`)
            })
          }
        }
        console.log(
          `${shape}, ${disk}: ${counts.points - before.points} injection points, ${counts.runs - before.runs} runs: ` +
            `${counts.undone - before.undone} ended at the source, ${counts.finished - before.finished} at the destination, ` +
            `${counts.recovered - before.recovered} journals settled by a recovery`
        )
        assert.isAbove(counts.undone, before.undone)
        assert.isAbove(counts.finished, before.finished)
        assert.isAbove(counts.recovered, before.recovered)
      },
      longTestPatience
    )
  }
}
