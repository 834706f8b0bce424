import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import * as fs from "node:fs"
import {
  claudeWorld,
  type Disks,
  type Fault,
  Life,
  run,
  using,
  type World
} from "../../support/relocation/relocation.ts"
import { isTried } from "../../support/run/thorough.ts"
import { longTestPatience } from "../../support/run/patience.ts"
import { RelocationError } from "../../../src/services/Relocator.ts"
import { live } from "../../support/run/effects.ts"

const first = '{"type":"user"}\n{"type":"assistant"}\n'
const line = '{"type":"user","late":true}\n'

/** What somebody else does while an operation of the move is held up. */
interface Meanwhile {
  readonly name: string
  readonly disks: ReadonlyArray<Disks>
  /** Something that is held during the move. */
  readonly begin?: (world: World) => { readonly act: () => void; readonly end: () => void; readonly holds?: boolean }
  readonly act?: (world: World) => Effect.Effect<void>
  /** Refusals that are right, beside success. */
  readonly refusals: ReadonlyArray<string>
}

const transcript = (world: World) => world.plan.pieces[0]?.from ?? ""
const sidecar = (world: World) => world.plan.pieces[1]?.from ?? ""
const goal = (world: World) => world.plan.pieces[0]?.to ?? ""

/** Appends by name, as a CLI does, if the file is there. */
const append = (world: World) => {
  if (!fs.existsSync(transcript(world))) return
  fs.appendFileSync(transcript(world), line)
  world.expect(0, "", first + line)
}

const refusal = (exit: Exit.Exit<unknown, unknown>): string => {
  const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : null
  return error instanceof RelocationError ? error.reason : String(error)
}

/** One that has the transcript open, and appends a line in the middle of the move. */
const opened = (world: World) => {
  const descriptor = fs.openSync(transcript(world), "a")
  return {
    act: () => {
      fs.writeSync(descriptor, line)
      world.expect(0, "", first + line)
    },
    end: () => fs.closeSync(descriptor)
  }
}

const table: ReadonlyArray<Meanwhile> = [
  {
    name: "a line is appended by name",
    disks: ["one", "two"],
    act: (world) => Effect.sync(() => append(world)),
    refusals: []
  },
  {
    name: "a line is appended through a descriptor opened before",
    disks: ["one"],
    begin: opened,
    refusals: []
  },
  {
    name: "a process has it open, and the destination is on another disk",
    disks: ["two"],
    begin: (world) => ({ ...opened(world), holds: true }),
    refusals: ["in-use"]
  },
  {
    name: "a file comes into the tree",
    disks: ["one", "two"],
    act: (world) =>
      Effect.sync(() => {
        if (!fs.existsSync(sidecar(world))) return
        fs.writeFileSync(`${sidecar(world)}/late`, "late", { mode: 0o600 })
        world.expect(1, "late", "late")
      }),
    refusals: ["source-changed", "failed"]
  },
  {
    name: "the transcript is replaced by another file",
    disks: ["two"],
    act: (world) =>
      Effect.sync(() => {
        if (!fs.existsSync(transcript(world)) || fs.existsSync(goal(world))) return
        fs.writeFileSync(`${transcript(world)}.new`, "rewritten\n", { mode: 0o600 })
        fs.renameSync(`${transcript(world)}.new`, transcript(world))
        world.expect(0, "", "rewritten\n")
        world.forgetInode(0, "")
      }),
    refusals: ["source-changed", "failed"]
  },
  {
    name: "another leap moves the session",
    disks: ["one"],
    act: (world) =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(world.move(new Life(() => run)))
        // Before the first has the lock, and after it has let go of it, the second does all of the work.
        if (Exit.isFailure(exit)) assert.strictEqual(refusal(exit), "busy")
      }),
    refusals: ["source-missing"]
  },
  {
    name: "another leap recovers",
    disks: ["two"],
    act: (world) =>
      Effect.gen(function* () {
        const before = world.debris()
        assert.deepStrictEqual(
          yield* Effect.orDie(world.recover()),
          [],
          "it took a live mover's journal for a dead one's"
        )
        const gone = before.filter((name) => !world.debris().includes(name))
        assert.deepStrictEqual(gone, [])
      }),
    refusals: []
  }
]

for (const { act, begin, disks, name, refusals } of table) {
  for (const disk of disks) {
    live(
      `whenever ${name} (${disk === "one" ? "one disk" : "two disks"}), the session is complete in one place`,
      function* () {
        let runs = 0
        let moved = 0
        let length = yield* using(claudeWorld(disk), function* (world) {
          const life = new Life(() => run)
          yield* world.move(life)
          return life.operations.length
        })
        for (let k = 0; k < length; k++) {
          if (!isTried(k, name.length)) continue
          runs++
          yield* using(claudeWorld(disk), function* (world) {
            const held = begin?.(world)
            const meanwhile: Fault = {
              _tag: "meanwhile",
              effect: held === undefined ? (act?.(world) ?? Effect.void) : Effect.sync(held.act)
            }
            const life = new Life((n) => (n === k ? meanwhile : run))
            const exit = yield* Effect.exit(world.move(life, () => Effect.succeed(held?.holds === true ? [4242] : [])))
            held?.end()
            length = Math.max(length, life.operations.length)
            const what = `${name} at ${k} (${life.operations[k]})`
            if (Exit.isSuccess(exit)) {
              moved++
              assert.deepStrictEqual(exit.value.leftovers, [], what)
              assert.isNull(exit.value.pending, what)
            } else assert.include(refusals, refusal(exit), what)
            // The last of all lets go of the lock: it may be another's by then.
            assert.deepStrictEqual(yield* world.recover(), [], `${what}: something was left to recover`)
            const where = world.verify(what)
            if (Exit.isSuccess(exit)) assert.strictEqual(where, "destination", what)
          })
        }
        console.log(`${name}, ${disk}: ${runs} runs, ${moved} moved`)
        assert.isAtLeast(runs, 20)
        if (!refusals.includes("in-use")) assert.isAbove(moved, 0)
        else assert.strictEqual(moved, 0)
      },
      longTestPatience
    )
  }
}
