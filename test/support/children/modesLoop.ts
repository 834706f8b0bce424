// Changes a tag's modes again and again, and checks before each change that its own last one is still there.
// Says "ready", waits for a line on standard input, and prints at the end how many changes it made.
import { Effect, Layer, Schema } from "effect"
import * as fs from "node:fs"
import { type Modes } from "../../../src/domain/words/session/Session.ts"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import * as ModesStoreFile from "../../../src/layers/files/ModesStoreFile.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import * as SharedFileNode from "../../../src/layers/files/SharedFileNode.ts"
import { ModesStore } from "../../../src/services/ModesStore.ts"

const [field = "", count = "0", ...tags] = process.argv.slice(2)
const change = (i: number): Partial<Modes> =>
  field === "autoSend" ? { autoSend: i % 2 === 1 ? "always" : "pause" } : { churn: i % 2 === 1 ? "send" : "wait" }

const paths = PathsXdg.layer
const store = ModesStoreFile.layer.pipe(
  Layer.provide([paths, SharedFileNode.layer.pipe(Layer.provide(FileLockSqlite.layer))])
)

fs.writeSync(1, "ready\n")
fs.readSync(0, new Uint8Array(1))

Effect.runFork(
  Effect.gen(function* () {
    const store = yield* ModesStore
    let last: Partial<Modes> = {}
    let made = 0
    for (let i = 0; i < Number(count); i++) {
      for (const tag of tags.map((name) => Schema.decodeUnknownSync(Tag)(name))) {
        const found = yield* store.read(tag)
        for (const [key, mode] of Object.entries(last)) {
          if (found?.[key as keyof Modes] !== mode)
            return yield* Effect.die(new Error(`lost before change ${i} of ${tag}: ${JSON.stringify({ found, last })}`))
        }
        yield* store.change(tag, change(i), { autoSend: "pause", churn: "wait" })
        made++
      }
      last = change(i)
    }
    fs.writeSync(1, `${made} changes\n`)
  }).pipe(Effect.provide(store))
)
