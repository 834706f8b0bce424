import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as DirectoryWatchNode from "../../src/layers/DirectoryWatchNode.ts"
import { DirectoryWatch } from "../../src/services/DirectoryWatch.ts"

/** Long enough never to be the reason why a wait ends. */
const never = "1 hour"

const watched = Effect.gen(function*() {
  const parent = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-watch-"))),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )
  const dir = path.join(parent, "dir")
  return { dir, watcher: yield* (yield* DirectoryWatch).watch(dir) }
})

describe("DirectoryWatchNode", () => {
  it.live("wakes for a new file, also for one that came between two waits", () =>
    Effect.gen(function*() {
      const { dir, watcher } = yield* watched
      fs.mkdirSync(dir)
      yield* watcher.changed(never)
      const waiting = yield* Effect.forkChild(watcher.changed(never), { startImmediately: true })
      fs.writeFileSync(path.join(dir, "a"), "")
      yield* Fiber.join(waiting)
      fs.writeFileSync(path.join(dir, "b"), "")
      yield* watcher.changed(never)
    }).pipe(Effect.provide(DirectoryWatchNode.layer)))

  it.live("wakes when the directory comes, goes, and comes again in another's place", () =>
    Effect.gen(function*() {
      const { dir, watcher } = yield* watched
      // Blind while it is missing: this returns after a moment without a change.
      yield* watcher.changed(never)
      for (let round = 0; round < 3; round++) {
        fs.mkdirSync(dir)
        let seen = false
        while (!seen) {
          yield* watcher.changed(never)
          seen = fs.existsSync(dir)
        }
        const file = path.join(dir, `file${round}`)
        const waiting = yield* Effect.forkChild(
          Effect.suspend(function wait(): Effect.Effect<void> {
            return fs.existsSync(file) ? Effect.void : Effect.andThen(watcher.changed(never), Effect.suspend(wait))
          })
        )
        fs.writeFileSync(file, "")
        yield* Fiber.join(waiting)
        fs.rmSync(dir, { recursive: true })
        yield* watcher.changed(never)
      }
    }).pipe(Effect.provide(DirectoryWatchNode.layer)))

  it.live("ends a wait in time when nothing changes", () =>
    Effect.gen(function*() {
      const { dir, watcher } = yield* watched
      fs.mkdirSync(dir)
      // The directory itself is news, once.
      yield* watcher.changed(never)
      yield* watcher.changed("20 millis")
      yield* watcher.changed("20 millis")
      assert.deepStrictEqual(fs.readdirSync(dir), [])
    }).pipe(Effect.provide(DirectoryWatchNode.layer)))
})
