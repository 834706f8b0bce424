import { assert, describe, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Queue, Stream } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as DirectoryWatchNode from "../../../src/layers/files/DirectoryWatchNode.ts"
import * as FileTailNode from "../../../src/layers/files/FileTailNode.ts"
import { FileTail, type TailChunk } from "../../../src/services/FileTail.ts"
import { patience } from "../../support/run/patience.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-tail-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)
const collect = (lines: Stream.Stream<string>, count: number) =>
  lines.pipe(Stream.take(count), Stream.runCollect, Effect.timeout(patience), Effect.forkScoped)

layer(FileTailNode.layer.pipe(Layer.provide(DirectoryWatchNode.layer)), { excludeTestServices: true })(
  "FileTailNode",
  (it) => {
    describe("a followed file", () => {
      it.effect("gives what is appended, whole lines only, cut anywhere", () =>
        Effect.gen(function* () {
          const file = path.join(yield* temporary, "t.jsonl")
          fs.writeFileSync(file, "old\n")
          const reading = yield* collect(yield* (yield* FileTail).follow(file), 3)
          for (const byte of Buffer.from("first ünï\nsecond\n\nthird")) fs.appendFileSync(file, Buffer.from([byte]))
          fs.appendFileSync(file, "\n")
          assert.deepStrictEqual(yield* Fiber.join(reading), ["first ünï", "second", "third"])
        }).pipe(Effect.scoped)
      )

      it.effect("may come later, be replaced, be cut short, and hold a line without end", () =>
        Effect.gen(function* () {
          const dir = yield* temporary
          const file = path.join(dir, "later", "t.jsonl")
          const lines = yield* (yield* FileTail).follow(file)
          const read = yield* Queue.unbounded<string>()
          yield* Effect.forkScoped(Stream.runForEach(lines, (line) => Queue.offer(read, line)))
          const next = Effect.timeout(Queue.take(read), patience)
          fs.mkdirSync(path.dirname(file))
          fs.writeFileSync(file, "from the start\n")
          assert.strictEqual(yield* next, "from the start")
          fs.writeFileSync(`${file}.new`, "replaced\n")
          fs.renameSync(`${file}.new`, file)
          assert.strictEqual(yield* next, "replaced")
          fs.appendFileSync(file, `${"x".repeat((1 << 20) + 10)}\nbehind it\n`)
          assert.strictEqual(yield* next, "behind it")
          fs.writeFileSync(file, "cut\n")
          assert.strictEqual(yield* next, "cut")
        }).pipe(Effect.scoped)
      )
    })

    /** Takes pieces until `enough` of all their lines; the lines of a file that was begun anew replace those before. */
    const gather = (
      pieces: Stream.Stream<TailChunk>,
      enough: (lines: ReadonlyArray<string>, piece: TailChunk) => boolean
    ) =>
      Effect.suspend(() => {
        let lines: Array<string> = []
        return pieces.pipe(
          Stream.tap((piece) => Effect.sync(() => (lines = [...(piece.restarted ? [] : lines), ...piece.lines]))),
          Stream.takeUntil((piece) => enough(lines, piece)),
          Stream.runDrain,
          Effect.map(() => lines),
          Effect.timeout(patience)
        )
      })

    describe("a file read from its beginning", () => {
      it.effect("gives what it holds and what is appended meanwhile, without a gap and nothing twice", () =>
        Effect.gen(function* () {
          const file = path.join(yield* temporary, "t.jsonl")
          const line = (i: number) => `${i} ${"ü".repeat(300)}`
          const count = 6000
          fs.writeFileSync(file, Array.from({ length: count }, (_, i) => `${line(i)}\n`).join(""))
          assert.isAbove(fs.statSync(file).size, 3 << 20)
          const reading = yield* gather((yield* FileTail).read(file), (lines) => lines.length >= count + 200).pipe(
            Effect.forkScoped
          )
          for (let i = count; i < count + 200; i++) {
            const text = Buffer.from(`${line(i)}\n`)
            fs.appendFileSync(file, text.subarray(0, 5))
            yield* Effect.yieldNow
            fs.appendFileSync(file, text.subarray(5))
          }
          assert.deepStrictEqual(
            yield* Fiber.join(reading),
            Array.from({ length: count + 200 }, (_, i) => line(i))
          )
        }).pipe(Effect.scoped)
      )

      it.effect("is begun anew when it is cut short or replaced; a line without its end waits for it", () =>
        Effect.gen(function* () {
          const file = path.join(yield* temporary, "t.jsonl")
          const pieces = yield* Queue.unbounded<TailChunk>()
          yield* (yield* FileTail).read(file).pipe(
            Stream.runForEach((piece) => Queue.offer(pieces, piece)),
            Effect.forkScoped
          )
          const next = Queue.take(pieces).pipe(Effect.timeout(patience))
          fs.writeFileSync(file, "one\ntwo\nhal")
          assert.deepStrictEqual(yield* next, { restarted: true, lines: ["one", "two"], atEnd: true })
          fs.appendFileSync(file, "f\n")
          assert.deepStrictEqual(yield* next, { restarted: false, lines: ["half"], atEnd: true })
          fs.writeFileSync(`${file}.new`, "another, which is longer\n")
          fs.renameSync(`${file}.new`, file)
          assert.deepStrictEqual(yield* next, { restarted: true, lines: ["another, which is longer"], atEnd: true })
          fs.truncateSync(file, 0)
          assert.deepStrictEqual(yield* next, { restarted: true, lines: [], atEnd: true })
        }).pipe(Effect.scoped)
      )

      it.effect("that is long comes in pieces of bounded size, as fast as they are taken", () =>
        Effect.gen(function* () {
          const file = path.join(yield* temporary, "t.jsonl")
          const handle = fs.openSync(file, "w")
          for (let i = 0; i < 8; i++) fs.writeSync(handle, `${"x".repeat(99)}\n`.repeat(10_000))
          fs.writeSync(handle, `${"y".repeat(2 << 20)}\nlast\n`)
          fs.closeSync(handle)
          const sizes: Array<number> = []
          const lines = yield* gather(
            (yield* FileTail)
              .read(file)
              .pipe(Stream.tap((piece) => Effect.sync(() => sizes.push(piece.lines.join("").length)))),
            (_, piece) => piece.atEnd
          )
          assert.strictEqual(lines.length, 80_001)
          assert.strictEqual(lines.at(-1), "last")
          assert.isAtMost(Math.max(...sizes), 260 << 10)
        }).pipe(Effect.scoped)
      )
    })

    describe("a look at a file", () => {
      it.effect("gives the last whole lines of a long one, and the text of a short one", () =>
        Effect.gen(function* () {
          const file = path.join(yield* temporary, "t.jsonl")
          const files = yield* FileTail
          fs.writeFileSync(file, "one\ntwo\nthree\nfour\nfi")
          assert.deepStrictEqual(yield* files.last(file, 15), ["three", "four"])
          assert.deepStrictEqual(yield* files.last(file, 1000), [])
          assert.strictEqual(yield* files.document(file, 1000), "one\ntwo\nthree\nfour\nfi")
          assert.isNull(yield* files.document(file, 5))
        }).pipe(Effect.scoped)
      )

      it.effect("at none, at a directory, at what may not be read gives nothing", () =>
        Effect.gen(function* () {
          const dir = yield* temporary
          const files = yield* FileTail
          for (const file of [path.join(dir, "none"), dir, "/dev/null/none", "\u0000"]) {
            assert.deepStrictEqual(yield* files.last(file, 10), [])
            assert.isNull(yield* files.document(file, 10))
          }
        }).pipe(Effect.scoped)
      )
    })
  }
)
