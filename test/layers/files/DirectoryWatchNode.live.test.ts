import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { vi } from "vitest"
import * as DirectoryWatchNode from "../../../src/layers/files/DirectoryWatchNode.ts"
import { DirectoryWatch } from "../../../src/services/DirectoryWatch.ts"
import { patience } from "../../support/run/patience.ts"
import { liveWith } from "../../support/run/effects.ts"

/** Long enough never to be the reason why a wait ends. */
const never = "1 hour"

/** A wait that has to end by itself. */
const ends = (wait: Effect.Effect<void>, what: string) =>
  Effect.map(Effect.timeoutOption(wait, patience), (ended) => assert.isTrue(Option.isSome(ended), what))

/** What was to be done by now is done: each turn of the event loop comes after what the one before it began. */
const settled = Effect.forEach(
  Array.from({ length: 20 }),
  () => Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
  { discard: true }
)

/**
 * Waits until the system has told of a file in this directory to one who listens beside leap: whoever listened before
 * that has heard of it too.
 */
const witness = (dir: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const names = new Set<string | null>()
        return { names, node: fs.watch(dir, (_, name) => names.add(name)).on("error", () => {}) }
      }),
      ({ node }) => Effect.sync(() => node.close())
    ),
    ({ names }) =>
      (name: string) =>
        Effect.andThen(
          Effect.suspend(function look(): Effect.Effect<void> {
            return names.has(name) ? Effect.void : Effect.andThen(settled, Effect.suspend(look))
          }),
          settled
        )
  )

/** No timer goes off until the test says so. */
const frozenTimers = Effect.acquireRelease(
  Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })),
  () => Effect.sync(() => vi.useRealTimers())
)
/** Within a third of a second it is told of what is not urgent: the contract's word. */
const third = 334

const watched = Effect.gen(function* () {
  const parent = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-watch-"))),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )
  const dir = path.join(parent, "dir")
  return { dir, watcher: yield* (yield* DirectoryWatch).watch(dir) }
})

describe("DirectoryWatchNode", () => {
  liveWith(DirectoryWatchNode.layer)("wakes for a new file, also for one that came between two waits", function* () {
    const { dir, watcher } = yield* watched
    fs.mkdirSync(dir)
    yield* ends(watcher.changed(never), "the directory")
    const waiting = yield* Effect.forkChild(watcher.changed(never), { startImmediately: true })
    fs.writeFileSync(path.join(dir, "a"), "")
    yield* ends(Fiber.join(waiting), "a file during a wait")
    fs.writeFileSync(path.join(dir, "b"), "")
    yield* ends(watcher.changed(never), "a file between two waits")
  })

  liveWith(DirectoryWatchNode.layer)(
    "wakes when the directory comes, goes, and comes again in another's place",
    function* () {
      const { dir, watcher } = yield* watched
      for (let round = 0; round < 3; round++) {
        fs.mkdirSync(dir)
        let seen = false
        while (!seen) {
          yield* ends(watcher.changed(never), `the directory, ${round}`)
          seen = fs.existsSync(dir)
        }
        const file = path.join(dir, `file${round}`)
        const waiting = yield* Effect.forkChild(
          Effect.suspend(function wait(): Effect.Effect<void> {
            return fs.existsSync(file) ? Effect.void : Effect.andThen(watcher.changed(never), Effect.suspend(wait))
          })
        )
        fs.writeFileSync(file, "")
        yield* ends(Fiber.join(waiting), `a file, ${round}`)
        fs.rmSync(dir, { recursive: true })
        yield* ends(watcher.changed(never), `the directory gone, ${round}`)
      }
    }
  )

  liveWith(DirectoryWatchNode.layer)("tells of what is not urgent a moment later, or with what is", function* () {
    const { dir } = yield* watched
    fs.mkdirSync(dir)
    const watcher = yield* (yield* DirectoryWatch).watch(dir, (name) => name !== "calm")
    const write = (name: string) => fs.writeFileSync(path.join(dir, name), "")
    yield* ends(watcher.changed(never), "the directory itself is news, once")
    const saw = yield* witness(dir)
    yield* frozenTimers
    let told = 0
    yield* Effect.forkChild(
      Effect.forever(
        Effect.andThen(
          watcher.changed(never),
          Effect.sync(() => void told++)
        )
      ),
      { startImmediately: true }
    )
    write("calm")
    yield* saw("calm")
    assert.strictEqual(told, 0, "at once")
    vi.advanceTimersByTime(third)
    yield* settled
    assert.strictEqual(told, 1, "a moment later")
    write("calm two")
    write("urgent")
    yield* saw("urgent")
    assert.strictEqual(told, 1 + 1, "both")
    vi.advanceTimersByTime(third)
    yield* settled
    assert.strictEqual(told, 1 + 1, "it was told of both")
    write("calm three")
    yield* saw("calm three")
    vi.advanceTimersByTime(third)
    yield* settled
    assert.strictEqual(told, 2 + 1, "and of the next one")
  })

  liveWith(DirectoryWatchNode.layer)("ends a wait in time when nothing changes", function* () {
    const { dir, watcher } = yield* watched
    fs.mkdirSync(dir)
    yield* ends(watcher.changed(never), "the directory itself is news, once")
    yield* ends(watcher.changed("20 millis"), "nothing changed")
    yield* ends(watcher.changed("20 millis"), "nothing changed again")
  })

  it.live("waits for a directory whose parents are missing too, and is not woken by what else comes there", () =>
    Effect.gen(function* () {
      const { dir: parent } = yield* watched
      const dir = path.join(parent, "b/c")
      const watcher = yield* (yield* DirectoryWatch).watch(dir)
      const waiting = yield* Effect.forkChild(watcher.changed(never), { startImmediately: true })
      const saw = yield* witness(path.dirname(parent))
      fs.writeFileSync(path.join(path.dirname(parent), "other"), "")
      yield* saw("other")
      assert.isUndefined(waiting.pollUnsafe())
      fs.mkdirSync(dir, { recursive: true })
      while (!fs.existsSync(dir)) yield* ends(watcher.changed(never), "a parent")
      yield* ends(Fiber.join(waiting), "the first of the parents")
      let seen = 0
      const file = path.join(dir, "file")
      yield* Effect.forkChild(
        Effect.forever(
          Effect.andThen(
            watcher.changed(never),
            Effect.sync(() => void seen++)
          )
        )
      )
      while (seen === 0) yield* Effect.sleep("5 millis")
      const before = seen
      fs.writeFileSync(file, "")
      while (seen === before) yield* Effect.sleep("5 millis")
    }).pipe(Effect.timeout(patience), Effect.provide(DirectoryWatchNode.layer))
  )

  liveWith(DirectoryWatchNode.layer)(
    "checks for lost notices all the time until it is told of stirs, and then after each alone",
    function* () {
      const { dir, watcher } = yield* watched
      const { stir } = yield* DirectoryWatch
      fs.mkdirSync(dir)
      yield* ends(watcher.changed(never), "the directory")
      yield* ends(watcher.changedUnlessLost("20 millis"), "nobody tells")
      stir()
      yield* ends(watcher.changedUnlessLost("20 millis"), "a stir")
      const waiting = yield* Effect.forkChild(watcher.changedUnlessLost("20 millis"), { startImmediately: true })
      yield* Effect.sleep("200 millis")
      assert.isUndefined(waiting.pollUnsafe(), "woken while nothing stirs")
      stir()
      yield* ends(Fiber.join(waiting), "another stir")
      const changing = yield* Effect.forkChild(watcher.changedUnlessLost(never), { startImmediately: true })
      fs.writeFileSync(path.join(dir, "file"), "")
      yield* ends(Fiber.join(changing), "a change without a stir")
    }
  )

  liveWith(DirectoryWatchNode.layer)(
    "finds the directory that another was put in the place of, above it, after a stir",
    function* () {
      const { dir, watcher: _ } = yield* watched
      const inner = path.join(dir, "inner")
      fs.mkdirSync(inner, { recursive: true })
      const watches = yield* DirectoryWatch
      const watcher = yield* watches.watch(inner)
      yield* ends(watcher.changed(never), "the directory")
      watches.stir()
      // no notice says this of the directory below
      fs.renameSync(dir, `${dir}-old`)
      fs.mkdirSync(inner, { recursive: true })
      yield* ends(watcher.changedUnlessLost("20 millis"), "after the stir")
      const waiting = yield* Effect.forkChild(watcher.changed(never), { startImmediately: true })
      yield* ends(Fiber.join(waiting), "the new directory may have changes at once")
      const changing = yield* Effect.forkChild(watcher.changed(never), { startImmediately: true })
      fs.writeFileSync(path.join(inner, "file"), "")
      yield* ends(Fiber.join(changing), "a file in the new one")
    }
  )

  liveWith(DirectoryWatchNode.layer)("wakes all watchers after so many notices that others may be lost", function* () {
    const { dir, watcher } = yield* watched
    const busy = path.join(dir, "busy")
    const quiet = path.join(dir, "quiet")
    for (const each of [busy, quiet]) fs.mkdirSync(each, { recursive: true })
    yield* ends(watcher.changed(never), "the directory")
    const watches = yield* DirectoryWatch
    const other = yield* watches.watch(quiet)
    yield* watches.watch(busy)
    yield* ends(other.changed(never), "the quiet directory")
    const waiting = yield* Effect.forkChild(other.changed(never), { startImmediately: true })
    const saw = yield* witness(busy)
    fs.writeFileSync(path.join(busy, "one"), "")
    yield* saw("one")
    assert.isUndefined(waiting.pollUnsafe(), "woken by another directory's file")
    for (let n = 0; n < 1500; n++) fs.writeFileSync(path.join(busy, `${n}`), "")
    yield* ends(Fiber.join(waiting), "a flood of notices")
  })

  liveWith(DirectoryWatchNode.layer)(
    "tells that a directory is gone, or that another is in its place, and of nothing else",
    function* () {
      const { dir } = yield* watched
      const { gone } = yield* DirectoryWatch
      const file = path.join(dir, "lock")
      const missing = yield* Effect.forkChild(gone(dir, [file]), { startImmediately: true })
      for (const how of ["deleted", "replaced", "left with something else in it", "with another file"]) {
        fs.mkdirSync(dir, { recursive: true })
        fs.writeFileSync(file, "")
        const waiting = yield* Effect.forkChild(gone(dir, [file]), { startImmediately: true })
        const saw = yield* witness(dir)
        fs.writeFileSync(path.join(dir, "a"), how)
        yield* saw("a")
        assert.isUndefined(waiting.pollUnsafe(), how)
        if (how === "deleted") fs.rmSync(dir, { recursive: true })
        else if (how === "replaced") {
          fs.renameSync(dir, `${dir}.old`)
          fs.mkdirSync(dir)
        } else fs.rmSync(file)
        if (how === "with another file") {
          fs.writeFileSync(path.join(dir, "between"), "")
          fs.writeFileSync(file, "")
        }
        yield* ends(Fiber.join(waiting), how)
      }
      assert.isUndefined(missing.pollUnsafe())
      yield* Fiber.interrupt(missing)
    }
  )

  liveWith(DirectoryWatchNode.layer)("takes a directory that cannot be looked at for there", function* () {
    const { dir } = yield* watched
    const parent = path.dirname(dir)
    const away = `${parent}.away`
    yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(away, { recursive: true, force: true })))
    fs.mkdirSync(dir)
    const file = path.join(dir, "lock")
    fs.writeFileSync(file, "")
    const waiting = yield* Effect.forkChild((yield* DirectoryWatch).gone(dir, [file]), { startImmediately: true })
    const saw = yield* witness(dir)
    // a link that leads to itself lets nobody look, root neither, as a directory without permission does others
    fs.renameSync(parent, away)
    fs.symlinkSync(parent, parent)
    fs.writeFileSync(path.join(away, "dir/a"), "")
    yield* saw("a")
    assert.isUndefined(waiting.pollUnsafe(), "hidden")
    fs.rmSync(parent)
    fs.renameSync(away, parent)
    fs.writeFileSync(path.join(dir, "b"), "")
    yield* saw("b")
    assert.isUndefined(waiting.pollUnsafe(), "to be seen again")
    fs.rmSync(dir, { recursive: true })
    yield* ends(Fiber.join(waiting), "deleted")
  })
})
