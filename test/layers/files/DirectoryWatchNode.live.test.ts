import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, Fiber, Option } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as DirectoryWatchNode from "../../../src/layers/files/DirectoryWatchNode.ts"
import { DirectoryWatch } from "../../../src/services/DirectoryWatch.ts"

/** Long enough never to be the reason why a wait ends. */
const never = "1 hour"

/** A wait that has to end by itself, and soon. */
const ends = (wait: Effect.Effect<void>, what: string) =>
  Effect.map(Effect.timeoutOption(wait, "20 seconds"), (ended) => assert.isTrue(Option.isSome(ended), what))

const watched = Effect.gen(function* () {
  const parent = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-watch-"))),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )
  const dir = path.join(parent, "dir")
  return { dir, watcher: yield* (yield* DirectoryWatch).watch(dir) }
})

describe("DirectoryWatchNode", () => {
  it.live("wakes for a new file, also for one that came between two waits", () =>
    Effect.gen(function* () {
      const { dir, watcher } = yield* watched
      fs.mkdirSync(dir)
      yield* ends(watcher.changed(never), "the directory")
      const waiting = yield* Effect.forkChild(watcher.changed(never), { startImmediately: true })
      fs.writeFileSync(path.join(dir, "a"), "")
      yield* ends(Fiber.join(waiting), "a file during a wait")
      fs.writeFileSync(path.join(dir, "b"), "")
      yield* ends(watcher.changed(never), "a file between two waits")
    }).pipe(Effect.provide(DirectoryWatchNode.layer))
  )

  it.live("wakes when the directory comes, goes, and comes again in another's place", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(DirectoryWatchNode.layer))
  )

  it.live("tells of what is not urgent a moment later, or with what is", () =>
    Effect.gen(function* () {
      const { dir } = yield* watched
      fs.mkdirSync(dir)
      const watcher = yield* (yield* DirectoryWatch).watch(dir, (name) => name !== "calm")
      const write = (name: string) => fs.writeFileSync(path.join(dir, name), "")
      const told = (within: Duration.Input) =>
        Effect.map(Effect.timeoutOption(watcher.changed(never), within), Option.isSome)
      yield* ends(watcher.changed(never), "the directory itself is news, once")
      write("calm")
      assert.isFalse(yield* told("100 millis"), "at once")
      yield* ends(watcher.changed(never), "a moment later")
      write("calm")
      write("urgent")
      yield* ends(watcher.changed(never), "both")
      assert.isFalse(yield* told("500 millis"), "it was told of both")
    }).pipe(Effect.provide(DirectoryWatchNode.layer))
  )

  it.live("ends a wait in time when nothing changes", () =>
    Effect.gen(function* () {
      const { dir, watcher } = yield* watched
      fs.mkdirSync(dir)
      yield* ends(watcher.changed(never), "the directory itself is news, once")
      yield* ends(watcher.changed("20 millis"), "nothing changed")
      yield* ends(watcher.changed("20 millis"), "nothing changed again")
    }).pipe(Effect.provide(DirectoryWatchNode.layer))
  )

  it.live("waits for a directory whose parents are missing too, and is not woken by what else comes there", () =>
    Effect.gen(function* () {
      const { dir: parent } = yield* watched
      const dir = path.join(parent, "b/c")
      const watcher = yield* (yield* DirectoryWatch).watch(dir)
      const waiting = yield* Effect.forkChild(watcher.changed(never), { startImmediately: true })
      fs.writeFileSync(path.join(path.dirname(parent), "other"), "")
      yield* Effect.sleep("100 millis")
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
    }).pipe(Effect.timeout("20 seconds"), Effect.provide(DirectoryWatchNode.layer))
  )

  it.live("checks for lost notices all the time until it is told of stirs, and then after each alone", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(DirectoryWatchNode.layer))
  )

  it.live("finds the directory that another was put in the place of, above it, after a stir", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(DirectoryWatchNode.layer))
  )

  it.live("wakes all watchers after so many notices that others may be lost", () =>
    Effect.gen(function* () {
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
      fs.writeFileSync(path.join(busy, "one"), "")
      yield* Effect.sleep("100 millis")
      assert.isUndefined(waiting.pollUnsafe(), "woken by another directory's file")
      for (let n = 0; n < 1500; n++) fs.writeFileSync(path.join(busy, `${n}`), "")
      yield* ends(Fiber.join(waiting), "a flood of notices")
    }).pipe(Effect.scoped, Effect.provide(DirectoryWatchNode.layer))
  )

  it.live("tells that a directory is gone, or that another is in its place, and of nothing else", () =>
    Effect.gen(function* () {
      const { dir } = yield* watched
      const { gone } = yield* DirectoryWatch
      const file = path.join(dir, "lock")
      const missing = yield* Effect.forkChild(gone(dir, [file]), { startImmediately: true })
      for (const how of ["deleted", "replaced", "left with something else in it", "with another file"]) {
        fs.mkdirSync(dir, { recursive: true })
        fs.writeFileSync(file, "")
        const waiting = yield* Effect.forkChild(gone(dir, [file]), { startImmediately: true })
        fs.writeFileSync(path.join(dir, "a"), "")
        assert.isTrue(Option.isNone(yield* Effect.timeoutOption(Fiber.join(waiting), "100 millis")))
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
    }).pipe(Effect.scoped, Effect.provide(DirectoryWatchNode.layer))
  )
})
