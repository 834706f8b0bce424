import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Ref, Stream } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as DirectoryWatchNode from "../../../src/layers/files/DirectoryWatchNode.ts"
import * as ProcessTableNode from "../../../src/layers/system/ProcessTableNode.ts"
import * as OwnStatusFile from "../../../src/layers/files/OwnStatusFile.ts"
import type { HostedProcess, OwnStatusSource } from "../../../src/services/CLIProvider.ts"
import { OwnStatus } from "../../../src/services/OwnStatus.ts"
import { liveWith } from "../../support/run/effects.ts"

const layers = OwnStatusFile.layer.pipe(Layer.provide([DirectoryWatchNode.layer, ProcessTableNode.layer]))

const hosted: HostedProcess = { pid: 42, cwd: "/", startedAt: 0, sessionId: null }

interface Content {
  readonly pid?: number
  readonly sessionId?: string
  readonly status?: string
}

const byPid: OwnStatusSource = {
  directory: (env) => env["STATUS_DIR"] ?? "",
  belongs: (file, content, session) => {
    const { pid, sessionId } = content as Content
    return (
      file.endsWith(".json") && (pid === session.pid || (sessionId !== undefined && sessionId === session.sessionId))
    )
  },
  runs: () => null
}

const following = (session: Effect.Effect<HostedProcess> = Effect.succeed(hosted), source = byPid) =>
  Effect.gen(function* () {
    const parent = yield* Effect.acquireRelease(
      Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-status-"))),
      (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
    )
    const dir = path.join(parent, "sessions")
    const stream = yield* (yield* OwnStatus).watch(source, { STATUS_DIR: dir }, session)
    const next = Effect.map(
      Stream.runCollect(Stream.take(stream, 1)),
      ([content]) => content as Content | null | undefined
    )
    const file = (name = "42.json") => path.join(dir, name)
    const write = (content: unknown, name?: string) => fs.writeFileSync(file(name), JSON.stringify(content))
    return { dir, stream, next, file, write }
  })

describe("OwnStatusFile", () => {
  liveWith(layers)("follows the file from before its directory exists until it is gone, and again", function* () {
    const { dir, file, next, write } = yield* following()
    fs.mkdirSync(dir)
    for (let round = 0; round < 2; round++) {
      write({ pid: 42, status: "idle" })
      assert.deepStrictEqual(yield* next, { pid: 42, status: "idle" })
      write({ pid: 42, status: "busy" })
      assert.deepStrictEqual(yield* next, { pid: 42, status: "busy" })
      fs.rmSync(file())
      assert.isNull(yield* next)
    }
    write({ pid: 42 })
    assert.deepStrictEqual(yield* next, { pid: 42 })
    fs.rmSync(dir, { recursive: true })
    assert.isNull(yield* next)
  })

  liveWith(layers)("never emits half a file, nor the same content twice", function* () {
    const { dir, file, next, write } = yield* following()
    fs.mkdirSync(dir)
    const text = (status: string) => JSON.stringify({ pid: 42, status })
    write({ pid: 42, status: "first" })
    assert.strictEqual((yield* next)?.status, "first")
    const seen: Array<string | undefined> = []
    for (let n = 0; n < 100; n++) {
      // As a CLI that is not careful does it: emptied, then written in pieces.
      const whole = text(`n${n}`)
      const handle = fs.openSync(file(), "w")
      yield* Effect.sleep(n % 4)
      fs.writeSync(handle, whole.slice(0, 8))
      yield* Effect.sleep(n % 3)
      fs.writeSync(handle, whole.slice(8))
      fs.closeSync(handle)
      if (n % 10 === 9) seen.push((yield* next)?.status)
    }
    const last = `n99`
    while (seen.at(-1) !== last) seen.push((yield* next)?.status)
    const numbers = seen.map((status) => Number(status?.slice(1)))
    assert.isTrue(
      numbers.every((n, i) => Number.isInteger(n) && n > (numbers[i - 1] ?? -1)),
      seen.join()
    )
    // The same again is no change; a change after it is.
    write({ pid: 42, status: last })
    write({ pid: 42, status: "end" })
    assert.strictEqual((yield* next)?.status, "end")
  })

  liveWith(layers)("keeps to the file that is its own", function* () {
    const session = yield* Ref.make(hosted)
    const { dir, file, next, write } = yield* following(Ref.get(session))
    fs.mkdirSync(dir)
    write({ pid: 7, sessionId: "s", status: "other" }, "7.json")
    write({ pid: 42, status: "not json by name" }, "42.txt")
    fs.writeFileSync(file("broken.json"), '{"pid":42,')
    fs.mkdirSync(file("8.json"))
    fs.symlinkSync(file("nowhere"), file("9.json"))
    write({ pid: 42, status: "mine" })
    assert.strictEqual((yield* next)?.status, "mine")
    // Another that fits as well, and later (a nested CLI's), does not take over while this one is there.
    yield* Ref.set(session, { ...hosted, sessionId: "s" })
    write({ pid: 7, sessionId: "s", status: "other again" }, "7.json")
    write({ pid: 42, status: "still mine" })
    assert.strictEqual((yield* next)?.status, "still mine")
    fs.rmSync(file())
    assert.strictEqual((yield* next)?.status, "other again")
  })

  liveWith(layers)("leaves a file that was not its own for the one that is", function* () {
    const session = yield* Ref.make<HostedProcess>({ ...hosted, pid: 7 })
    const { dir, next, write } = yield* following(Ref.get(session))
    fs.mkdirSync(dir)
    write({ pid: 7, status: "seemed mine" }, "7.json")
    assert.strictEqual((yield* next)?.status, "seemed mine")
    // Nothing fits better yet: no reason to call it gone.
    yield* Ref.set(session, hosted)
    write({ pid: 7, status: "seems mine" }, "7.json")
    assert.strictEqual((yield* next)?.status, "seems mine")
    write({ pid: 42, status: "mine" })
    assert.strictEqual((yield* next)?.status, "mine")
  })

  liveWith(layers)("notices what becomes clear later than its content", function* () {
    const session = yield* Ref.make(hosted)
    const { dir, next, write } = yield* following(Ref.get(session))
    fs.mkdirSync(dir)
    write({ pid: 7, sessionId: "late", status: "waiting" }, "7.json")
    yield* Ref.set(session, { ...hosted, sessionId: "late" })
    assert.strictEqual((yield* next)?.status, "waiting")
  })

  liveWith(layers)(
    "of two that name other processes takes the one whose process descends from the hosted one",
    function* () {
      const child = yield* Effect.acquireRelease(
        Effect.sync(() => spawn("sleep", ["60"])),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      const source: OwnStatusSource = {
        ...byPid,
        belongs: (_file, _content, _session, descends) => descends,
        runs: (_file, content) => {
          const { pid = 0 } = content as Content
          return { sessionId: "s", process: { pid, birth: null } }
        }
      }
      const { dir, next, write } = yield* following(Effect.succeed({ ...hosted, pid: process.pid }), source)
      fs.mkdirSync(dir)
      write({ pid: process.ppid, status: "beside it" }, "1.json")
      write({ pid: child.pid!, status: "behind it" }, "2.json")
      assert.strictEqual((yield* next)?.status, "behind it")
    }
  )
})
