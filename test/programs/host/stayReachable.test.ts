import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { ControlSocketFake } from "../../support/host/ControlSocketFake.ts"
import { DirectoryWatchFake } from "../../support/host/DirectoryWatchFake.ts"
import { DiskFake } from "../../support/host/DiskFake.ts"
import { hosted } from "../../support/host/hosted.ts"
import { hostDemo, settle } from "../../support/host/stage.ts"

/** A session whose files a test takes away, and what becomes of that. */
const stage = Effect.gen(function* () {
  const sockets = yield* ControlSocketFake
  const directories = yield* DirectoryWatchFake
  const disk = yield* DiskFake
  const host = yield* hostDemo()
  const { paths } = host
  const noticed = Effect.andThen(
    Effect.sync(() => directories.change(paths.dir)),
    settle
  )
  return {
    ...host,
    disk,
    noticed,
    sockets,
    isReached: () => sockets.open().includes(paths.socket),
    isLocked: () => disk.locks.has(paths.lock),
    lose: () => sockets.lose(paths.socket)
  }
})

describe("a session whose socket or lock is taken away", () => {
  hosted("is bound again, a moment later, and connections go on", function* () {
    const { client, isReached, lose, noticed } = yield* stage
    lose()
    yield* noticed
    // who deletes the whole directory is not to find it made anew meanwhile
    assert.isFalse(isReached())
    yield* TestClock.adjust("1 second")
    assert.isTrue(isReached())
    assert.strictEqual((yield* client.Status()).tag, "one")
  })

  hosted("is bound again without a notice, which may have been lost", function* () {
    const { isReached, lose } = yield* stage
    lose()
    yield* TestClock.adjust("11 minutes")
    assert.isTrue(isReached())
  })

  hosted("is locked again first", function* () {
    const { disk, isLocked, isReached, lose, noticed, paths } = yield* stage
    disk.locks.delete(paths.lock)
    lose()
    yield* noticed
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([isLocked(), isReached()], [true, true])
  })

  hosted("is tried again where it cannot be bound, less and less often", function* () {
    const { isReached, lose, noticed, sockets } = yield* stage
    for (let i = 0; i < 4; i++) sockets.failNext("it is a directory")
    lose()
    yield* noticed
    // after half a second each, and 1, 2, 4 and 8 between
    yield* TestClock.adjust("9 seconds")
    assert.isFalse(isReached())
    yield* TestClock.adjust("9 seconds")
    assert.isTrue(isReached())
  })

  hosted("ends where another host has it by now, and takes nothing back", function* () {
    const { disk, end, isReached, lose, noticed, paths, status } = yield* stage
    disk.locks.delete(paths.lock)
    disk.faults.add("lock taken over")
    lose()
    yield* noticed
    yield* end
    assert.isFalse(isReached())
    assert.strictEqual(status.last()?.state, "exited")
  })

  hosted("ends with its directory, and makes nothing in it", function* () {
    const directories = yield* DirectoryWatchFake
    const { disk, end, isLocked, isReached, lose, noticed, paths } = yield* stage
    disk.locks.delete(paths.lock)
    lose()
    yield* directories.take(paths.dir)
    yield* noticed
    yield* end
    assert.deepStrictEqual([isLocked(), isReached()], [false, false])
  })
})
