import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import * as QueueStoreFile from "../../../src/layers/files/QueueStoreFile.ts"
import * as SharedFileNode from "../../../src/layers/files/SharedFileNode.ts"
import * as StatusStoreFile from "../../../src/layers/files/StatusStoreFile.ts"
import { QueueStore } from "../../../src/services/QueueStore.ts"
import { SharedFile } from "../../../src/services/SharedFile.ts"
import { StatusStore } from "../../../src/services/StatusStore.ts"
import { namedPipe } from "../../support/processes/namedPipe.ts"
import { patience } from "../../support/run/patience.ts"

const layer = Layer.mergeAll(
  SharedFileNode.layer.pipe(Layer.provide(FileLockSqlite.layer)),
  QueueStoreFile.layer,
  StatusStoreFile.layer
)

const temporary = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-regular-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)

/** A device that does what /dev/null does; false where this user may make none. */
const makeDevice = (file: string): boolean => {
  try {
    execFileSync("mknod", [file, "c", "1", "3"], { stdio: "ignore" })
    fs.closeSync(fs.openSync(file, "r"))
    return true
  } catch {
    return false
  }
}

const put = () => Result.succeed(new TextEncoder().encode("new"))

describe("what is no regular file", () => {
  it.live("is neither waited for nor replaced: a named pipe, also behind a link", () =>
    Effect.gen(function* () {
      const dir = yield* temporary
      const pipe = path.join(dir, "pipe")
      const link = path.join(dir, "link")
      yield* namedPipe(pipe)
      fs.symlinkSync("pipe", link)
      const shared = yield* SharedFile
      for (const file of [pipe, link]) {
        assert.match((yield* Effect.flip(shared.read(file))).message, /named pipe, not a regular file/)
        assert.match((yield* Effect.flip(shared.change(file, put))).message, /named pipe, not a regular file/)
      }
      const queue = yield* QueueStore
      assert.match((yield* Effect.flip(queue.read(pipe))).message, /named pipe/)
      assert.match((yield* Effect.flip(queue.open(pipe))).message, /named pipe/)
      assert.isTrue(fs.lstatSync(pipe).isFIFO())
    }).pipe(Effect.timeout(patience), Effect.scoped, Effect.provide(layer))
  )

  it.live("no process waits for a status that is one", () =>
    Effect.gen(function* () {
      const pipe = path.join(yield* temporary, "status.json")
      // a synchronous read would stop this process: the pipe's own end of writing keeps it from that
      yield* namedPipe(pipe)
      assert.strictEqual((yield* (yield* StatusStore).read(pipe))._tag, "None")
      assert.strictEqual((yield* (yield* StatusStore).readScreen(pipe))._tag, "None")
    }).pipe(Effect.timeout(patience), Effect.scoped, Effect.provide(layer))
  )

  it.live("stays what it is: a device that a link leads to", () =>
    Effect.gen(function* () {
      const dir = yield* temporary
      const device = path.join(dir, "device")
      if (!makeDevice(device)) return
      const link = path.join(dir, "link")
      fs.symlinkSync(device, link)
      const shared = yield* SharedFile
      assert.match((yield* Effect.flip(shared.read(link))).message, /a device, not a regular file/)
      assert.match((yield* Effect.flip(shared.change(link, put))).message, /a device, not a regular file/)
      assert.isTrue(fs.lstatSync(device).isCharacterDevice())
      assert.deepStrictEqual(fs.readdirSync(dir).sort(), ["device", "link"])
    }).pipe(Effect.timeout(patience), Effect.scoped, Effect.provide(layer))
  )
})
