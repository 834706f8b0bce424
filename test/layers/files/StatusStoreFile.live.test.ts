import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { NoSessionError } from "../../../src/programs/client/client.ts"
import * as StatusStoreFile from "../../../src/layers/files/StatusStoreFile.ts"
import { StatusStore } from "../../../src/services/StatusStore.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"
import { effectWith } from "../../support/run/effects.ts"

const stage = Effect.gen(function* () {
  const dir = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-status-"))),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )
  const file = path.join(dir, "status.json")
  const store = yield* StatusStore
  return {
    dir,
    file,
    store,
    /** From here on the disk takes nothing new, as /dev/full does. */
    fill: () => fs.symlinkSync("/dev/full", `${file}.tmp`)
  }
})

const ended: Partial<SessionStatus> = { state: "exited", exit: { code: 0, signal: null }, hostPid: null, pid: null }

describe.skipIf(!fs.existsSync("/dev/full"))("a session's status on a disk that takes nothing more", () => {
  effectWith(StatusStoreFile.layer)(
    "the last one is written over the one that is there, whole where that has room",
    function* () {
      const { dir, file, fill, store } = yield* stage
      yield* store.write(file, sessionStatus({ lastResponse: "x".repeat(500) }), false)
      const { ino, size } = fs.statSync(file)
      fill()
      const last = sessionStatus({ ...ended, lastResponse: "what it said last" })
      yield* store.write(file, last, true)
      assert.deepStrictEqual(Option.getOrNull(yield* store.read(file)), last)
      assert.deepStrictEqual([fs.statSync(file).ino, fs.statSync(file).size], [ino, size])
      assert.deepStrictEqual(fs.readdirSync(dir), ["status.json"])
    }
  )

  effectWith(StatusStoreFile.layer)("what has no room in it is left out, and the end never is", function* () {
    const { file, fill, store } = yield* stage
    yield* store.write(file, sessionStatus({}), false)
    fill()
    yield* store.write(file, sessionStatus({ ...ended, lastResponse: "y".repeat(100_000) }), true)
    const found = Option.getOrNull(yield* store.read(file))
    assert.deepInclude(found, { state: "exited", exit: { code: 0, signal: null }, lastResponse: null })
  })

  effectWith(StatusStoreFile.layer)("one that is not the last is not, and stays whole", function* () {
    const { dir, file, fill, store } = yield* stage
    const first = sessionStatus({ reason: "first" })
    yield* store.write(file, first, false)
    fill()
    yield* store.write(file, sessionStatus({ reason: "second" }), false)
    assert.deepStrictEqual(Option.getOrNull(yield* store.read(file)), first)
    // what was begun of it does not take room
    assert.deepStrictEqual(fs.readdirSync(dir), ["status.json"])
  })

  effectWith(StatusStoreFile.layer)("one that cannot be looked at is not told to be missing", function* () {
    const { dir, file, store } = yield* stage
    fs.symlinkSync("loop", path.join(dir, "loop"))
    fs.writeFileSync(file, "half")
    const places = ["loop/status.json", "missing", "missing/status.json", path.basename(file)]
    const troubles = yield* Effect.forEach(places, (place) => store.trouble(path.join(dir, place)))
    assert.deepStrictEqual(troubles, ["unseen", null, null, "damaged"])
    const { message } = new NoSessionError({ tag: "t", ended: false, unseen: file })
    assert.include(message, `session 't' cannot be looked at, and may run: ${file}`)
  })
})
