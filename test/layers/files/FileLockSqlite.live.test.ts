import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import { make as madeDirectories } from "../../../src/layers/files/madeDirectories.ts"
import { FileLock } from "../../../src/services/FileLock.ts"
import { SessionLock } from "../../../src/services/SessionLock.ts"
import { withoutLocks } from "../../support/data/withoutLocks.ts"
import { liveWith } from "../../support/run/effects.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-lock-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)

/** Another process that takes the lock, says so, and holds it until it is killed. */
const holder = (file: string) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof spawn>, Error>((resume) => {
      const child = spawn(
        process.execPath,
        [
          "--input-type=module",
          "-e",
          `
        import { DatabaseSync } from "node:sqlite"
        const db = new DatabaseSync(${JSON.stringify(file)}, { timeout: 0 })
        db.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
        console.log("locked")
        setInterval(() => {}, 1000)
      `
        ],
        { stdio: ["ignore", "pipe", "ignore"] }
      )
      child.stdout.once("data", () => resume(Effect.succeed(child)))
      child.once("exit", (code) => resume(Effect.fail(new Error(`holder ended with ${code}`))))
    }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

liveWith(FileLockSqlite.layer)("two owners are never possible, and a SIGKILL gives the lock back", function* () {
  const file = path.join(yield* temporary, "lock")
  const lock = yield* SessionLock
  const child = yield* holder(file)
  const error = yield* Effect.flip(Effect.scoped(lock.acquire(file)))
  assert.deepInclude(error, { _tag: "StoreError", store: "session", reason: "busy" })

  yield* Effect.callback<void>((resume) => {
    child.removeAllListeners("exit")
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })
  yield* Effect.scoped(lock.acquire(file))
})

// ENOLCK is SQLITE_BUSY to SQLite, as is another's lock; other systems' errors are SQLITE_IOERR_LOCK
it.live.each([5, 3850])("a file system that keeps no locks is told as that, and nobody holds one there (%d)", (code) =>
  Effect.gen(function* () {
    const dir = yield* temporary
    const file = path.join(dir, "lock")
    const sessions = yield* SessionLock
    const files = yield* FileLock
    yield* Effect.scoped(
      Effect.gen(function* () {
        const held = yield* sessions.acquire(file)
        yield* withoutLocks(dir, code)
        const why = `the file system of ${dir} keeps no locks`
        const busy = yield* Effect.flip(Effect.scoped(sessions.acquire(path.join(dir, "other"))))
        assert.deepInclude(busy, { _tag: "StoreError", store: "session", reason: "failed" })
        assert.include(busy.message, `${why}: set LEAP_HOME`)
        // a host whose file system has lost them meanwhile is not told that another one took it over
        fs.rmSync(file)
        assert.deepInclude(yield* Effect.flip(held.renew), { _tag: "StoreError", store: "session", reason: "failed" })
        const error = yield* Effect.flip(Effect.scoped(files.acquire(path.join(dir, "shared"), "20 millis")))
        assert.deepInclude(error, { _tag: "StoreError", store: "lock", reason: "failed", why })
        assert.isNull(yield* sessions.holder(path.join(dir, "other")))
        assert.isFalse(fs.readdirSync(dir).some((name) => name.includes(".try-")))
      })
    )
  }).pipe(Effect.scoped, Effect.provide(FileLockSqlite.layer))
)

liveWith(FileLockSqlite.layer)("a lock that cannot be looked at is not told to be nobody's", function* () {
  const dir = yield* temporary
  fs.symlinkSync("loop", path.join(dir, "loop"))
  const { holder } = yield* SessionLock
  assert.deepStrictEqual(yield* holder(path.join(dir, "loop/lock")), { pid: null })
  for (const missing of ["missing", "missing/lock"]) assert.isNull(yield* holder(path.join(dir, missing)))
  // nor are directories told to be missing that are about to be made
  const { missing } = madeDirectories(dir)
  assert.deepStrictEqual(yield* missing(path.join(dir, "loop/a")), [])
  assert.deepStrictEqual(yield* missing(path.join(dir, "a/b")), [path.join(dir, "a/b"), path.join(dir, "a")])
})

const inItsPlace: ReadonlyArray<readonly [what: string, put: (file: string) => void, why: string]> = [
  ["a directory", (file) => fs.mkdirSync(file), "it is a directory"],
  ["a named pipe", (file) => execFileSync("mkfifo", [file]), "it is a named pipe, not a regular file"],
  ["a device", (file) => fs.symlinkSync("/dev/null", file), "it is a device, not a regular file"],
  ["a link to itself", (file) => fs.symlinkSync(file, file), "ELOOP"],
  ["another file", (file) => fs.writeFileSync(file, "hello"), "something else is in its place: remove it"]
]
it.live.each(inItsPlace)("what stands in a lock's place is named, and held by nobody: %s", ([, put, why]) =>
  Effect.gen(function* () {
    const file = path.join(yield* temporary, "lock")
    put(file)
    const { acquire, holder } = yield* SessionLock
    assert.include((yield* Effect.flip(Effect.scoped(acquire(file)))).message, why)
    assert.isNull(yield* holder(file))
  }).pipe(Effect.scoped, Effect.provide(FileLockSqlite.layer))
)

liveWith(FileLockSqlite.layer)("is free again when its scope closes", function* () {
  const file = path.join(yield* temporary, "lock")
  const lock = yield* SessionLock
  const scope = yield* Scope.make()
  yield* Scope.provide(lock.acquire(file), scope)
  assert.deepInclude(yield* Effect.flip(Effect.scoped(lock.acquire(file))), {
    _tag: "StoreError",
    store: "session",
    reason: "busy"
  })
  yield* Scope.close(scope, Exit.void)
  yield* Effect.scoped(lock.acquire(file))
})

liveWith(FileLockSqlite.layer)("a file that is no lock is refused with the reason", function* () {
  const file = path.join(yield* temporary, "lock")
  fs.writeFileSync(file, "this is not a database, and somebody may want it".repeat(50))
  const error = yield* Effect.flip(Effect.scoped((yield* SessionLock).acquire(file)))
  assert.deepInclude(error, { _tag: "StoreError", store: "session", reason: "failed" })
  assert.include(error.message, file)
})

liveWith(FileLockSqlite.layer)("to ask for it twice does not give it away", function* () {
  const file = path.join(yield* temporary, "lock")
  const lock = yield* FileLock
  yield* lock.acquire(file)
  assert.deepInclude(yield* Effect.flip(Effect.scoped(lock.acquire(file, "20 millis"))), {
    _tag: "StoreError",
    store: "lock",
    reason: "busy"
  })
  // a process that came now would get it if the kernel had let go of it
  assert.isTrue(Exit.isFailure(yield* Effect.exit(holder(file))))
})

liveWith(FileLockSqlite.layer)("is waited for as long as was said", function* () {
  const file = path.join(yield* temporary, "lock")
  const lock = yield* FileLock
  const waiting = yield* Effect.scoped(
    Effect.gen(function* () {
      yield* lock.acquire(file)
      const waiting = yield* Effect.forkDetach(Effect.scoped(lock.acquire(file, "30 seconds")), {
        startImmediately: true
      })
      assert.deepInclude(yield* Effect.flip(Effect.scoped(lock.acquire(file, "60 millis"))), {
        _tag: "StoreError",
        store: "lock",
        reason: "busy"
      })
      assert.isUndefined(waiting.pollUnsafe())
      return waiting
    })
  )
  yield* Fiber.join(waiting)
})

liveWith(FileLockSqlite.layer)(
  "its file goes with it, a host's stays, and one of another holder is left",
  function* () {
    const dir = yield* temporary
    const file = path.join(dir, "lock")
    yield* Effect.scoped((yield* FileLock).acquire(file))
    assert.deepStrictEqual(fs.readdirSync(dir), [])
    const scope = yield* Scope.make()
    yield* Scope.provide((yield* FileLock).acquire(file), scope)
    fs.rmSync(file)
    yield* (yield* FileLock).acquire(file)
    yield* Scope.close(scope, Exit.void)
    assert.isTrue(Exit.isFailure(yield* Effect.exit(holder(file))))
    yield* Effect.scoped((yield* SessionLock).acquire(path.join(dir, "host")))
    assert.deepStrictEqual(fs.readdirSync(dir).sort(), ["host", "lock"])
  }
)

liveWith(FileLockSqlite.layer)("many takers of one name that come and go are one at a time", function* () {
  const file = path.join(yield* temporary, "lock")
  const lock = yield* FileLock
  let inside = 0
  const once = Effect.scoped(
    Effect.gen(function* () {
      yield* lock.acquire(file, "30 seconds")
      assert.strictEqual(++inside, 1)
      yield* Effect.yieldNow
      inside--
    })
  )
  yield* Effect.all(
    Array.from({ length: 30 }, () => once),
    { concurrency: "unbounded", discard: true }
  )
  assert.isFalse(fs.existsSync(file))
})

liveWith(FileLockSqlite.layer)("is that of the file that has the name now", function* () {
  const file = path.join(yield* temporary, "lock")
  const lock = yield* FileLock
  yield* lock.acquire(file)
  fs.rmSync(file)
  yield* lock.acquire(file)
  assert.isTrue(Exit.isFailure(yield* Effect.exit(holder(file))))
  assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
})

liveWith(FileLockSqlite.layer)("tells who holds a session's lock, whoever asks, and takes nothing by it", function* () {
  const file = path.join(yield* temporary, "lock")
  const lock = yield* SessionLock
  assert.isNull(yield* lock.holder(file), "no file")
  const child = yield* holder(file)
  const pid = fs.existsSync("/proc/locks") ? child.pid! : null
  assert.deepStrictEqual(yield* lock.holder(file), { pid })
  yield* Effect.callback<void>((resume) => {
    child.removeAllListeners("exit")
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })
  assert.isNull(yield* lock.holder(file), "its holder was killed")
  yield* Effect.scoped(
    Effect.gen(function* () {
      yield* lock.acquire(file)
      assert.deepStrictEqual(yield* lock.holder(file), { pid: pid === null ? null : process.pid })
      // this process has opened and closed the file: the kernel did not take that for the end of its lock
      assert.isTrue(Exit.isFailure(yield* Effect.exit(holder(file))))
    })
  )
  assert.isNull(yield* lock.holder(file))
  fs.writeFileSync(file, "this is not a database, and somebody may want it".repeat(50))
  assert.isNull(yield* lock.holder(file), "no lock at all")
})

liveWith(FileLockSqlite.layer)(
  "a session's lock whose file was removed is taken again, unless somebody else has done so",
  function* () {
    const file = path.join(yield* temporary, "lock")
    const lock = yield* SessionLock
    const test = yield* Effect.scope
    yield* Effect.scoped(
      Effect.gen(function* () {
        const held = yield* lock.acquire(file)
        assert.isTrue(yield* held.isCurrent)
        fs.rmSync(file)
        assert.isFalse(yield* held.isCurrent)
        yield* held.renew
        assert.isTrue(yield* held.isCurrent)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(holder(file))), "it is held")
        fs.rmSync(file)
        const other = yield* Scope.provide(holder(file), test)
        assert.isFalse(yield* held.isCurrent)
        assert.deepInclude(yield* Effect.flip(held.renew), { _tag: "StoreError", store: "session", reason: "busy" })
        assert.isFalse(yield* held.isCurrent)
        other.removeAllListeners("exit")
      })
    )
    assert.isNotNull(yield* lock.holder(file), "the other's stays")
  }
)
