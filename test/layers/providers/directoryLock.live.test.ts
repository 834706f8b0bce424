import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { holdDirectoryLock } from "../../../src/layers/providers/directoryLock.ts"
import { files } from "../../../src/layers/relocator/RelocationFilesNode.ts"

/** A lock's name in a directory of its own, on a clock that is the test's. */
const withLock = (use: (lock: string) => Effect.fn.Return<void, unknown, Scope.Scope>) =>
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-lock-"))),
      (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
    )
    yield* TestClock.setTime(1_700_000_000_000)
    return yield* Effect.fnUntraced(use)(path.join(directory, "projects.json.lock"))
  }).pipe(Effect.scoped)

const touchedAt = (lock: string): number => fs.statSync(lock).mtimeMs
const touch = (lock: string, millis: number) => fs.utimesSync(lock, millis / 1000, millis / 1000)

describe("a lock that is a directory", () => {
  it.effect(
    "is there while it is held, touched twice in the time in which it would become stale, and gone afterwards",
    () =>
      withLock(function* (lock) {
        const scope = yield* Scope.make()
        const check = yield* holdDirectoryLock(files, lock).pipe(Scope.provide(scope))
        assert.strictEqual(touchedAt(lock), 1_700_000_000_000)
        for (const at of [5, 10, 15]) {
          yield* TestClock.adjust("5 seconds")
          assert.strictEqual(touchedAt(lock), 1_700_000_000_000 + at * 1000)
          yield* check
        }
        yield* Scope.close(scope, yield* Effect.exit(Effect.void))
        assert.isFalse(fs.existsSync(lock))
      })
  )

  it.effect("of somebody who touches it is waited for, but not for ever", () =>
    withLock(function* (lock) {
      fs.mkdirSync(lock)
      touch(lock, 1_700_000_000_000)
      const waiting = yield* Effect.forkScoped(Effect.flip(holdDirectoryLock(files, lock)))
      for (let second = 1; second <= 21; second++) {
        yield* TestClock.adjust("1 second")
        touch(lock, 1_700_000_000_000 + second * 1000)
      }
      assert.match((yield* Fiber.join(waiting)).message, /another program holds it and does not come to an end/)
      assert.strictEqual(touchedAt(lock), 1_700_000_021_000, "it is not touched by who waits")
    })
  )

  it.effect("of somebody who died is taken over after ten seconds, and not before", () =>
    withLock(function* (lock) {
      fs.mkdirSync(lock)
      touch(lock, 1_700_000_000_000)
      const waiting = yield* Effect.forkScoped(holdDirectoryLock(files, lock))
      yield* TestClock.adjust("9900 millis")
      assert.strictEqual(touchedAt(lock), 1_700_000_000_000)
      yield* TestClock.adjust("300 millis")
      yield* Fiber.join(waiting)
      assert.isAtLeast(touchedAt(lock), 1_700_000_010_000)
    })
  )

  it.effect("that another took over meanwhile is not held any more, and is theirs to give back", () =>
    withLock(function* (lock) {
      const scope = yield* Scope.make()
      const check = yield* holdDirectoryLock(files, lock).pipe(Scope.provide(scope))
      fs.rmdirSync(lock)
      fs.mkdirSync(lock)
      touch(lock, 1_700_000_003_000)
      assert.match((yield* Effect.flip(check)).message, /another program took it over/)
      yield* TestClock.adjust("6 seconds")
      assert.strictEqual(touchedAt(lock), 1_700_000_003_000)
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      assert.isTrue(fs.existsSync(lock))
    })
  )
})
