import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Fiber, Layer, Result } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import * as SharedFileNode from "../../../src/layers/files/SharedFileNode.ts"
import { FileLock } from "../../../src/services/FileLock.ts"
import { SharedFile } from "../../../src/services/SharedFile.ts"
import { liveWith } from "../../support/run/effects.ts"

const layer = Layer.merge(FileLockSqlite.layer, SharedFileNode.layer.pipe(Layer.provide(FileLockSqlite.layer)))
const bytes = (text: string) => new TextEncoder().encode(text)
const put = (text: string) => () => Result.succeed(bytes(text))

const temporary = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-shared-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)

describe("a file that several processes change", () => {
  liveWith(layer)("is made for its user alone, and keeps its mode when it is changed", function* () {
    const file = path.join(yield* temporary, "f")
    const shared = yield* SharedFile
    assert.isNull(yield* shared.read(file))
    yield* shared.change(file, put("one"))
    assert.strictEqual(fs.statSync(file).mode & 0o7777, 0o600)
    fs.chmodSync(file, 0o644)
    yield* shared.change(file, (content) =>
      Result.succeed(bytes(`${new TextDecoder().decode(content ?? undefined)} two`))
    )
    assert.strictEqual(fs.readFileSync(file, "utf8"), "one two")
    assert.strictEqual(fs.statSync(file).mode & 0o7777, 0o644)
    assert.deepStrictEqual(fs.readdirSync(path.dirname(file)).sort(), ["f"])
  })

  liveWith(layer)("is changed where its links lead, and the links stay", function* () {
    const dir = yield* temporary
    const shared = yield* SharedFile
    fs.mkdirSync(path.join(dir, "far"))
    fs.symlinkSync("far/middle", path.join(dir, "link"))
    fs.symlinkSync("target", path.join(dir, "far/middle"))
    yield* shared.change(path.join(dir, "link"), put("new"))
    assert.strictEqual(fs.readFileSync(path.join(dir, "far/target"), "utf8"), "new")
    yield* shared.change(path.join(dir, "link"), put("newer"))
    assert.strictEqual(fs.readlinkSync(path.join(dir, "link")), "far/middle")
    assert.strictEqual(fs.readlinkSync(path.join(dir, "far/middle")), "target")
    assert.strictEqual(fs.readFileSync(path.join(dir, "far/target"), "utf8"), "newer")
    fs.symlinkSync("round", path.join(dir, "round"))
    assert.match((yield* Effect.flip(shared.change(path.join(dir, "round"), put("x")))).message, /lead in a circle/)
  })

  liveWith(layer)("is not written when the edit refuses, or when nothing changes", function* () {
    const file = path.join(yield* temporary, "f")
    const shared = yield* SharedFile
    fs.writeFileSync(file, "as it is")
    const before = fs.statSync(file, { bigint: true })
    assert.strictEqual(yield* Effect.flip(shared.change(file, () => Result.fail("no"))), "no")
    yield* shared.change(file, put("as it is"))
    const after = fs.statSync(file, { bigint: true })
    assert.deepStrictEqual([after.ino, after.mtimeNs], [before.ino, before.mtimeNs])
  })

  liveWith(layer)("what a program that knows no lock writes meanwhile is not written over", function* () {
    const file = path.join(yield* temporary, "f")
    const shared = yield* SharedFile
    fs.writeFileSync(file, "old")
    let edits = 0
    yield* shared.change(file, (content) => {
      const text = new TextDecoder().decode(content ?? undefined)
      if (edits++ === 0) fs.writeFileSync(file, "theirs")
      return Result.succeed(bytes(`${text} + ours`))
    })
    assert.strictEqual(fs.readFileSync(file, "utf8"), "theirs + ours")
    let n = 0
    const error = yield* Effect.flip(
      shared.change(file, () => {
        fs.writeFileSync(file, `theirs ${n++}`)
        return Result.succeed(bytes("ours"))
      })
    )
    assert.match(error.message, /another program keeps changing it/)
    assert.strictEqual(fs.readFileSync(file, "utf8"), "theirs 4")
  })

  liveWith(layer)("waits for whoever holds the lock, and what a crash left behind is in nobody's way", function* () {
    const file = path.join(yield* temporary, "f")
    const shared = yield* SharedFile
    fs.writeFileSync(path.join(path.dirname(file), ".f.leap-new"), "half", { mode: 0o400 })
    const waiting = yield* Effect.scoped(
      Effect.gen(function* () {
        yield* (yield* FileLock).acquire(`${file}.lock`)
        const waiting = yield* Effect.forkDetach(shared.change(file, put("new")), { startImmediately: true })
        yield* Effect.sleep("50 millis")
        assert.isFalse(fs.existsSync(file))
        return waiting
      })
    )
    yield* Fiber.join(waiting)
    assert.strictEqual(fs.readFileSync(file, "utf8"), "new")
  })

  liveWith(layer)(
    "killed writers' temporaries and locks go with the next one, also when it changes nothing",
    function* () {
      const dir = yield* temporary
      const [file, left] = [path.join(dir, "f"), path.join(dir, ".f.leap-new")]
      const shared = yield* SharedFile
      fs.writeFileSync(file, "as it is")
      for (const text of ["as it is", "new"]) {
        fs.writeFileSync(left, "half", { mode: 0o400 })
        fs.writeFileSync(`${file}.lock`, "")
        yield* shared.change(file, put(text))
        assert.strictEqual(fs.readFileSync(file, "utf8"), text)
        assert.deepStrictEqual(fs.readdirSync(dir), ["f"])
      }
    }
  )

  // only root can give a file to another user
  it.live.skipIf(process.getuid?.() !== 0)(
    "of another user stays that user's: where it cannot, it is left as it is, and why",
    () =>
      Effect.gen(function* () {
        const dir = yield* temporary
        const file = path.join(dir, "f")
        fs.writeFileSync(file, "theirs")
        fs.chownSync(file, 4321, 4321)
        const handle = yield* Effect.promise(() => fs.promises.open(file))
        const denied = vi
          .spyOn(Object.getPrototypeOf(handle) as typeof handle, "chown")
          .mockRejectedValue(Object.assign(new Error("EPERM"), { code: "EPERM" }))
        yield* Effect.promise(() => handle.close())
        const error = yield* Effect.flip((yield* SharedFile).change(file, put("ours"))).pipe(
          Effect.ensuring(Effect.sync(() => denied.mockRestore()))
        )
        assert.match(error.message, /belongs to another user \(uid \d+; this is uid \d+\); it was left as it is/)
        assert.strictEqual(fs.readFileSync(file, "utf8"), "theirs")
        assert.deepStrictEqual(fs.readdirSync(dir), ["f"])
        yield* (yield* SharedFile).change(file, put("changed"))
        assert.deepStrictEqual([fs.statSync(file).uid, fs.statSync(file).gid], [4321, 4321])
      }).pipe(Effect.scoped, Effect.provide(layer))
  )

  liveWith(layer)("in a directory that is not there is none", function* () {
    const dir = yield* temporary
    const error = yield* Effect.flip((yield* SharedFile).change(path.join(dir, "no/f"), put("x")))
    assert.match(error.message, /no\/f: /)
    assert.deepStrictEqual(fs.readdirSync(dir), [])
  })
})
