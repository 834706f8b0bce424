import { assert, describe, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as DirectoryWatchNode from "../../src/layers/DirectoryWatchNode.ts"
import * as FileTailNode from "../../src/layers/FileTailNode.ts"
import { FileTail } from "../../src/services/FileTail.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-tail-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)
const collect = (lines: Stream.Stream<string>, count: number) =>
  lines.pipe(Stream.take(count), Stream.runCollect, Effect.timeout("20 seconds"), Effect.forkScoped)

layer(FileTailNode.layer.pipe(Layer.provide(DirectoryWatchNode.layer)), { excludeTestServices: true })("FileTailNode", (it) => {
  describe("a followed file", () => {
    it.effect("gives what is appended, whole lines only, cut anywhere", () =>
      Effect.gen(function*() {
        const file = path.join(yield* temporary, "t.jsonl")
        fs.writeFileSync(file, "old\n")
        const reading = yield* collect(yield* (yield* FileTail).follow(file), 3)
        for (const byte of Buffer.from("first ünï\nsecond\n\nthird")) fs.appendFileSync(file, Buffer.from([byte]))
        fs.appendFileSync(file, "\n")
        assert.deepStrictEqual(yield* Fiber.join(reading), ["first ünï", "second", "third"])
      }).pipe(Effect.scoped))

    it.effect("may come later, be replaced, be cut short, and hold a line without end", () =>
      Effect.gen(function*() {
        const dir = yield* temporary
        const file = path.join(dir, "later", "t.jsonl")
        const lines = yield* (yield* FileTail).follow(file)
        const reading = yield* collect(lines, 4)
        fs.mkdirSync(path.dirname(file))
        fs.writeFileSync(file, "from the start\n")
        yield* Effect.sleep("300 millis")
        fs.writeFileSync(`${file}.new`, "replaced\n")
        fs.renameSync(`${file}.new`, file)
        yield* Effect.sleep("300 millis")
        fs.appendFileSync(file, `${"x".repeat((1 << 20) + 10)}\nbehind it\n`)
        yield* Effect.sleep("300 millis")
        fs.writeFileSync(file, "cut\n")
        assert.deepStrictEqual(yield* Fiber.join(reading), ["from the start", "replaced", "behind it", "cut"])
      }).pipe(Effect.scoped))
  })
})
