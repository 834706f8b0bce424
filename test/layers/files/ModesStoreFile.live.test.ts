import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import * as ModesStoreFile from "../../../src/layers/files/ModesStoreFile.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import * as SharedFileNode from "../../../src/layers/files/SharedFileNode.ts"
import { ModesStore } from "../../../src/services/ModesStore.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { childProgram } from "../../support/children/childProgram.ts"
import { race } from "../../support/children/race.ts"
import { isThorough } from "../../support/run/thorough.ts"
import { live } from "../../support/run/effects.ts"

const defaults = { autoSend: "pause", churn: "wait" } as const
const tag = Schema.decodeUnknownSync(Tag)
const script = childProgram("modesLoop")

/** Where writes to disk cost nothing, so that the processes contend as hard as they can. */
const fast = fs.existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir()

const place = Effect.gen(function* () {
  const home = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(fast, "leap-modes-"))),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )
  const paths = PathsXdg.layerFrom({ LEAP_HOME: home })
  const layer = Layer.merge(
    paths,
    ModesStoreFile.layer.pipe(Layer.provide([paths, SharedFileNode.layer.pipe(Layer.provide(FileLockSqlite.layer))]))
  )
  const session = (name: string) =>
    Effect.map(
      Effect.flatMap(Paths, (paths) => paths.ensureSession(tag(name))),
      ({ modes }) => modes
    ).pipe(Effect.provide(layer))
  return { home, layer, session }
})

describe("modes of tags", () => {
  /** To each of two tags. */
  const changes = isThorough ? 500 : 100

  live(
    `no change is lost when two processes make ${2 * changes} changes each at the same moment, to different tags and to different modes of one`,
    function* () {
      const { home, session } = yield* place
      const [one, two, both] = yield* Effect.forEach(["one", "two", "both"], session)
      const said = yield* race(
        script,
        [
          ["autoSend", String(changes), "one", "both"],
          ["churn", String(changes), "two", "both"]
        ],
        { LEAP_HOME: home }
      )
      assert.deepStrictEqual(said, [`${2 * changes} changes\n0`, `${2 * changes} changes\n0`])
      for (const [file = "", modes] of [
        [one, { autoSend: "always", churn: "wait" }],
        [two, { autoSend: "pause", churn: "send" }],
        [both, { autoSend: "always", churn: "send" }]
      ] as const) {
        assert.deepStrictEqual(JSON.parse(fs.readFileSync(file, "utf8")), { schema: 1, ...modes })
        assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
        assert.deepStrictEqual(
          fs.readdirSync(path.dirname(file)).filter((name) => name.startsWith(".")),
          [],
          "nothing is left over"
        )
      }
    }
  )

  live("no change is lost within one process either", function* () {
    const { layer, session } = yield* place
    yield* session("t")
    yield* Effect.gen(function* () {
      const store = yield* ModesStore
      for (let round = 0; round < 20; round++) {
        const on = round % 2 === 0
        yield* Effect.all(
          [
            store.change(tag("t"), { autoSend: on ? "always" : "pause" }, defaults),
            store.change(tag("t"), { churn: on ? "send" : "wait" }, defaults)
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(yield* store.read(tag("t")), on ? { autoSend: "always", churn: "send" } : defaults)
      }
    }).pipe(Effect.provide(layer))
  })

  live("are frozen once: a later default changes nothing, what is missing or damaged is filled in", function* () {
    const { layer, session } = yield* place
    const file = yield* session("t")
    yield* Effect.gen(function* () {
      const store = yield* ModesStore
      assert.isNull(yield* store.read(tag("t")))
      assert.isNull(yield* store.read(tag("never")))
      assert.deepStrictEqual(yield* store.freeze(tag("t"), { autoSend: "always", churn: "wait" }), {
        autoSend: "always",
        churn: "wait"
      })
      assert.deepStrictEqual(yield* store.freeze(tag("t"), { autoSend: "pause", churn: "send" }), {
        autoSend: "always",
        churn: "wait"
      })
      fs.writeFileSync(file, '{"autoSend": "always", "churn": 5, "new"')
      assert.deepStrictEqual(yield* store.read(tag("t")), { autoSend: "always" })
      assert.deepStrictEqual(yield* store.freeze(tag("t"), { autoSend: "pause", churn: "send" }), {
        autoSend: "always",
        churn: "send"
      })
      assert.deepStrictEqual(JSON.parse(fs.readFileSync(file, "utf8")), {
        schema: 1,
        autoSend: "always",
        churn: "send"
      })
      fs.writeFileSync(file, new Uint8Array([0xff, 0xfe, 0x00]))
      assert.deepStrictEqual(yield* store.change(tag("t"), { churn: "send" }, defaults), {
        autoSend: "pause",
        churn: "send"
      })
    }).pipe(Effect.provide(layer))
  })

  live("that cannot be written are told, and stay as they were", function* () {
    const { layer, session } = yield* place
    const file = yield* session("t")
    yield* Effect.gen(function* () {
      const store = yield* ModesStore
      const forgotten = yield* Effect.flip(store.change(tag("gone"), { churn: "send" }, defaults))
      assert.strictEqual(forgotten.store, "modes")
      assert.match(forgotten.message, /^the modes were not changed: .*gone/)
      fs.mkdirSync(file)
      assert.match(
        (yield* Effect.flip(store.change(tag("t"), { churn: "send" }, defaults))).message,
        /modes.json: it is a directory/
      )
      assert.isNull(yield* store.read(tag("t")))
    }).pipe(Effect.provide(layer))
  })
})
