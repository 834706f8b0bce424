import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { claudeWorld, using, type World } from "../../support/relocation/relocation.ts"
import { childProgram } from "../../support/children/childProgram.ts"
import { live } from "../../support/run/effects.ts"

const script = childProgram("relocationChild")

/** Moves the world's session in a process of its own; gives what it said, and the signal that ended it. */
const child = (world: World, env: Record<string, string> = {}) =>
  Effect.callback<{ readonly said: string; readonly signal: string | null }>((resume) => {
    const args = [script, JSON.stringify(world.plan), world.journals, path.join(world.root, "state/records")]
    const process_ = spawn(process.execPath, args, {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...env }
    })
    let said = ""
    process_.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text
    })
    process_.once("close", (_code, signal) => resume(Effect.succeed({ said, signal })))
    return Effect.sync(() => process_.kill("SIGKILL"))
  }).pipe(Effect.timeout("60 seconds"))

/** The child keeps one book only. */
const settle = Effect.fnUntraced(function* (world: World, what: string) {
  for (const { outcome, why } of yield* world.recover()) assert.notStrictEqual(outcome, "refused", `${what}: ${why}`)
  fs.writeFileSync(path.join(world.root, "state/registry"), world.where())
  return world.verify(what)
})

live(
  "a process that is killed at any instant of a move leaves a session that is complete in one place",
  function* () {
    const whole = yield* using(claudeWorld("one"), function* (world) {
      const { said } = yield* child(world)
      assert.match(said, /^moved \d+$/m)
      assert.strictEqual(yield* settle(world, "whole"), "destination")
      return Number(said.split(" ")[1])
    })
    const ends = { source: 0, destination: 0 }
    // Every operation is tried in the simulation; here the kernel takes part: some, from the first to the last.
    for (let k = 8; k < whole; k += Math.ceil(whole / 8)) {
      yield* using(claudeWorld("one"), function* (world) {
        const { signal } = yield* child(world, { KILL_AT: String(k) })
        assert.strictEqual(signal, "SIGKILL")
        ends[yield* settle(world, `SIGKILL at ${k} of ${whole}`)]++
      })
    }
    console.log(
      `SIGKILL before ${ends.source + ends.destination} of ${whole} operations: ${ends.source} undone, ${ends.destination} finished`
    )
    assert.isAbove(ends.source, 0)
    assert.isAbove(ends.destination, 0)
  },
  120_000
)

it.live(
  "a process that is killed in the middle of copying to another disk leaves the source as it was",
  ({ skip }) =>
    Effect.gen(function* () {
      const elsewhere = fs.mkdtempSync(path.join(fs.realpathSync("/var/tmp"), "leap-move-"))
      yield* using(
        claudeWorld("one", {
          tree: (root) => {
            fs.mkdirSync(root)
            fs.writeFileSync(path.join(root, "big"), Buffer.alloc(100 << 20, 5))
          }
        }),
        function* (world) {
          if (fs.statSync(elsewhere).dev === fs.statSync(world.root).dev) return skip("there is only one disk here")
          const plan = {
            ...world.plan,
            pieces: world.plan.pieces.map((piece) => ({
              ...piece,
              to: path.join(elsewhere, "new", path.basename(piece.to))
            }))
          }
          const { signal } = yield* child(Object.assign(Object.create(world), { plan }) as World, {
            KILL_COPYING: String(1 << 20)
          })
          assert.strictEqual(signal, "SIGKILL")
          assert.isNotEmpty(fs.readdirSync(path.join(elsewhere, "new")))
          assert.strictEqual(yield* settle(world, "killed while copying"), "source")
          assert.deepStrictEqual(fs.readdirSync(elsewhere), [])
        }
      ).pipe(Effect.ensuring(Effect.sync(() => fs.rmSync(elsewhere, { recursive: true, force: true }))))
    }),
  120_000
)

live(
  "of processes that move one session at once, one does",
  function* () {
    yield* using(claudeWorld("one"), function* (world) {
      const said = (yield* Effect.forEach([1, 2, 3], () => child(world), { concurrency: "unbounded" })).map(
        ({ said }) => said.split(" ")[0]
      )
      assert.deepStrictEqual(
        said.filter((word) => word === "moved"),
        ["moved"]
      )
      for (const word of said) assert.include(["moved", "busy", "source-missing"], word)
      assert.strictEqual(yield* settle(world, "three movers"), "destination")
    })
  },
  120_000
)
