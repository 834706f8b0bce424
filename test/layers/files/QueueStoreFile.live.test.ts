import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { emptyQueue, type QueueRecord, replayLog } from "../../../src/domain/engine/queue/Queue.ts"
import * as QueueStoreFile from "../../../src/layers/files/QueueStoreFile.ts"
import type { QueueLog } from "../../../src/services/QueueStore.ts"
import { type Fault, faulty } from "../../support/fakes/faultyFiles.ts"
import { accepted, order } from "../../support/data/queueFixtures.ts"
import { live } from "../../support/run/effects.ts"
import type { StoreError } from "../../../src/services/StoreError.ts"

const store = QueueStoreFile.make(QueueStoreFile.files)

const directory = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-queue-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)
const file = Effect.map(directory, (dir) => path.join(dir, "queue.ndjson"))
const ids = (records: ReadonlyArray<QueueRecord>) => order(replayLog(records, emptyQueue))
const lines = (file: string) => fs.readFileSync(file, "utf8").split("\n").slice(0, -1)
/** What a host that starts now would find. */
const reopened = (file: string) => Effect.map(Effect.scoped(store.open(file)), (log) => ids(log.records))

describe("the queue's file", () => {
  live("keeps what was appended, in order, for its owner alone", function* () {
    const at = yield* file
    const log = yield* store.open(at)
    assert.deepStrictEqual(log.records, [])
    yield* log.append([accepted("a"), accepted("b", "two\nlines | and a bar 漢字 👩‍👧")])
    yield* log.append([])
    yield* log.append([accepted("c")])
    assert.strictEqual(fs.statSync(at).mode & 0o777, 0o600)
    assert.strictEqual(lines(at).length, 3)
    const again = yield* store.open(at)
    assert.deepStrictEqual(again.records, [
      accepted("a"),
      accepted("b", "two\nlines | and a bar 漢字 👩‍👧"),
      accepted("c")
    ])
    assert.strictEqual(again.damaged, 0)
    assert.deepStrictEqual(yield* store.read(at), again.records)
  })

  live("is empty when it is not there, and takes wide permissions away", function* () {
    const at = yield* file
    assert.deepStrictEqual(yield* store.read(at), [])
    fs.writeFileSync(at, "", { mode: 0o644 })
    yield* store.open(at)
    assert.strictEqual(fs.statSync(at).mode & 0o777, 0o600)
  })

  live("cuts a torn last line off, wherever it was torn, and goes on behind it", function* () {
    const at = yield* file
    const whole = `${JSON.stringify(accepted("a"))}\n`
    const torn = Buffer.from(JSON.stringify(accepted("b", "né 漢")))
    for (let cut = 1; cut < torn.length; cut += 7) {
      fs.writeFileSync(at, Buffer.concat([Buffer.from(whole), torn.subarray(0, cut)]))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const log = yield* store.open(at)
          assert.deepStrictEqual(ids(log.records), ["a"], `cut at ${cut}`)
          assert.strictEqual(log.damaged, 0)
          yield* log.append([accepted("c")])
        })
      )
      assert.deepStrictEqual(yield* reopened(at), ["a", "c"], `cut at ${cut}`)
    }
  })

  live("keeps a last record that lacks only its line end", function* () {
    const at = yield* file
    fs.writeFileSync(at, JSON.stringify(accepted("a")))
    const log = yield* store.open(at)
    yield* log.append([accepted("b")])
    assert.deepStrictEqual(yield* reopened(at), ["a", "b"])
  })

  live("sets damaged lines aside as they were, once, and keeps the rest", function* () {
    const at = yield* file
    const bad = [Buffer.from('{"_tag":"Accepted","v":1}'), Buffer.from([0x7b, 0xff, 0xfe]), Buffer.from("not json")]
    const content = Buffer.concat(
      [accepted("a"), ...bad.slice(0, 2), accepted("b"), ...bad.slice(2), accepted("c")].flatMap((line) => [
        Buffer.isBuffer(line) ? line : Buffer.from(JSON.stringify(line)),
        Buffer.from("\n")
      ])
    )
    for (let time = 0; time < 2; time++) {
      fs.writeFileSync(at, content)
      const log = yield* Effect.scoped(store.open(at))
      assert.strictEqual(log.damaged, 3)
      assert.deepStrictEqual(ids(log.records), ["a", "b", "c"])
      assert.deepStrictEqual(
        fs.readFileSync(`${at}.damaged`),
        Buffer.concat(bad.flatMap((line) => [line, Buffer.from("\n")]))
      )
      assert.strictEqual(lines(at).length, 3)
    }
    assert.strictEqual(fs.statSync(`${at}.damaged`).mode & 0o777, 0o600)
    assert.strictEqual((yield* Effect.scoped(store.open(at))).damaged, 0)
  })

  live("tells of damaged lines until what is kept of them is removed", function* () {
    const at = yield* file
    assert.deepStrictEqual(yield* store.recover(at), { records: [], problem: null })
    yield* Effect.scoped(Effect.flatMap(store.open(at), (log) => log.append([accepted("a"), accepted("b")])))
    assert.isNull((yield* store.recover(at)).problem)
    // one letter of a text that JSON, UTF-8 and the schema would let pass
    fs.writeFileSync(at, fs.readFileSync(at, "utf8").replace("text of a", "text of q"))
    const before = yield* store.recover(at)
    assert.deepStrictEqual(ids(before.records), ["b"])
    assert.strictEqual(before.problem?.kind, "damaged")
    assert.match(before.problem?.message ?? "", /^a line of the queue's log could not be read/)
    assert.isNull(yield* store.damage(at), "it is still in the log")
    assert.deepStrictEqual(yield* reopened(at), ["b"])
    assert.include(fs.readFileSync(`${at}.damaged`, "utf8"), "text of q")
    for (const problem of [(yield* store.recover(at)).problem, yield* store.damage(at)])
      assert.deepStrictEqual(problem, before.problem)
    fs.rmSync(`${at}.damaged`)
    assert.isNull(yield* store.damage(at))
    assert.isNull((yield* store.recover(at)).problem)
  })

  live("reads logs without checksums; behind a line with one each line has one", function* () {
    const at = yield* file
    const bare = (id: string) => `${JSON.stringify(accepted(id))}\n`
    fs.writeFileSync(at, bare("a") + bare("b"))
    yield* Effect.scoped(Effect.flatMap(store.open(at), (log) => log.append([accepted("c")])))
    assert.deepStrictEqual(yield* store.recover(at).pipe(Effect.map(({ records }) => ids(records))), ["a", "b", "c"])
    fs.appendFileSync(at, bare("d"))
    const { problem, records } = yield* store.recover(at)
    assert.deepStrictEqual([ids(records), problem?.kind], [["a", "b", "c"], "damaged"])
  })

  live("keeps and tells each end that no write of leap's leaves, and goes on behind it", function* () {
    const at = yield* file
    yield* Effect.scoped(Effect.flatMap(store.open(at), (log) => log.append([accepted("a"), accepted("b")])))
    const whole = fs.readFileSync(at)
    const second = whole.indexOf(10) + 1
    const zeros = (from: number, to: number) => Buffer.concat([whole.subarray(0, from), Buffer.alloc(to - from)])
    const ends: ReadonlyArray<readonly [what: string, log: Buffer, left: ReadonlyArray<string>]> = [
      ["another byte for the last line end", Buffer.concat([whole.subarray(0, -1), Buffer.from("\v")]), ["a", "b"]],
      ["zeros where the last line was", zeros(second, whole.length), ["a"]],
      ["zeros from within the last line", zeros(second + 70, whole.length), ["a"]],
      ["zeros to the end of the block", zeros(second, 4096), ["a"]],
      ["zeros behind all lines", zeros(whole.length, 4096), ["a", "b"]],
      ["only zeros", Buffer.alloc(4096), []],
      ["another file's bytes", Buffer.concat([whole.subarray(0, second), Buffer.alloc(300, "x")]), ["a"]]
    ]
    for (const [what, log, left] of ends) {
      fs.writeFileSync(at, log)
      fs.rmSync(`${at}.damaged`, { force: true })
      const before = yield* store.recover(at)
      assert.deepStrictEqual([ids(before.records), before.problem?.kind], [left, "damaged"], what)
      yield* Effect.scoped(Effect.flatMap(store.open(at), (log) => log.append([accepted("c")])))
      assert.deepStrictEqual(yield* reopened(at), [...left, "c"], what)
      assert.deepStrictEqual(yield* store.damage(at), before.problem, what)
      const aside = fs.readFileSync(`${at}.damaged`)
      const certain = left.length === 2 ? whole.length - (log.at(-1) === 11 ? 1 : 0) : left.length === 1 ? second : 0
      assert.deepStrictEqual(aside, Buffer.concat([log.subarray(certain), Buffer.from("\n")]), what)
    }
  })

  live("does not touch what a newer leap wrote", function* () {
    const at = yield* file
    const content = `${JSON.stringify(accepted("a"))}\n{"_tag":"Wished","v":2}\n`
    fs.writeFileSync(at, content)
    const error = yield* Effect.flip(Effect.scoped(store.open(at)))
    assert.include(error.message, "a newer leap wrote it")
    assert.include((yield* Effect.flip(store.read(at))).message, "a newer leap wrote it")
    const { problem } = yield* store.recover(at)
    assert.deepStrictEqual([problem?.kind, problem?.file], ["newer", at])
    assert.include(problem?.message, "a newer leap wrote it")
    assert.strictEqual(fs.readFileSync(at, "utf8"), content)
  })

  live("is replaced as a whole by compaction, and appended to afterwards", function* () {
    const at = yield* file
    const log = yield* store.open(at)
    yield* log.append([accepted("a"), accepted("b"), accepted("c")])
    yield* log.compact([accepted("b")])
    yield* log.append([accepted("d")])
    assert.deepStrictEqual(yield* reopened(at), ["b", "d"])
    assert.strictEqual(fs.statSync(at).mode & 0o777, 0o600)
    assert.deepStrictEqual(fs.readdirSync(path.dirname(at)), ["queue.ndjson"])
  })

  live("appends from many fibers without mixing lines", function* () {
    const at = yield* file
    const log = yield* store.open(at)
    const wanted = Array.from({ length: 20 }, (_, i) => `m${i}`)
    yield* Effect.forEach(wanted, (id) => (id === "m9" ? log.compact([accepted("m9")]) : log.append([accepted(id)])), {
      concurrency: "unbounded"
    })
    const found = yield* reopened(at)
    assert.strictEqual(new Set(found).size, found.length)
    assert.includeMembers([...found], wanted.slice(10))
  })

  live("says what to do about a directory that is not there", function* () {
    const at = path.join(yield* directory, "none", "queue.ndjson")
    const error = yield* Effect.flip(Effect.scoped(store.open(at)))
    assert.strictEqual(error.store, "queue")
    assert.include(error.message, "could not open the queue at")
  })
})

describe("with a disk that fails", () => {
  const scenario = Effect.fnUntraced(function* (
    at: string,
    fault: Fault,
    n: number,
    times: number,
    act: (log: QueueLog) => Effect.Effect<void, StoreError>,
    kept: { readonly before: ReadonlyArray<string>; readonly after: ReadonlyArray<string> }
  ) {
    const disk = faulty(QueueStoreFile.files)
    const label = `${JSON.stringify(fault)} at operation ${n}, ${times} times`
    fs.rmSync(at, { force: true })
    return yield* Effect.scoped(
      Effect.gen(function* () {
        const log = yield* QueueStoreFile.make(disk.files).open(at)
        yield* log.append([accepted("a"), accepted("b")])
        disk.arm(n, fault, times)
        const result = yield* Effect.result(act(log))
        const operations = disk.done()
        const reached = operations.length > n
        disk.disarm()
        const expected = result._tag === "Success" ? kept.after : kept.before
        if (result._tag === "Failure") {
          assert.isTrue(reached, label)
          assert.strictEqual(result.failure.store, "queue", label)
          assert.isFalse(/undefined|\[object/.test(result.failure.message), result.failure.message)
        }
        // A reader now sees what was acknowledged; only a rename whose durability is in doubt may already show.
        const renamed =
          result._tag === "Failure" && operations.includes("rename") && operations.at(-1) === "syncDirectory"
        const seen = ids(yield* store.read(at))
        if (times === 1) assert.deepStrictEqual(seen, renamed ? kept.after : expected, label)
        // The log works on when the disk does, and nothing refused comes back.
        yield* log.append([accepted("z")])
        assert.deepStrictEqual(yield* reopened(at), [...(renamed ? kept.after : expected), "z"], label)
        assert.strictEqual(lines(at).length, (renamed ? kept.after : expected).length + 1, label)
        return reached
      })
    )
  })

  const faults: ReadonlyArray<Fault> = [
    { _tag: "Fail", code: "ENOSPC" },
    { _tag: "Fail", code: "EACCES" },
    { _tag: "Fail", code: "EIO" },
    ...[0, 1, 40, 1_000].flatMap((bytes): ReadonlyArray<Fault> => [
      { _tag: "Cut", bytes, code: null },
      { _tag: "Cut", bytes, code: "ENOSPC" }
    ])
  ]

  live("an append fails at any operation, and the log stays good", function* () {
    const at = yield* file
    let reached = 0
    for (const fault of faults) {
      for (const times of [1, 2, 5]) {
        for (let n = 0; n < 6; n++) {
          const hit = yield* scenario(
            at,
            fault,
            n,
            times,
            (log) => log.append([accepted("c"), accepted("d", "x".repeat(300))]),
            {
              before: ["a", "b"],
              after: ["a", "b", "c", "d"]
            }
          )
          if (hit) reached++
        }
      }
    }
    // write and sync, for each fault and number of times
    assert.isAtLeast(reached, faults.length * 3 * 2)
  })

  live("a compaction fails at any operation, and the log is the old one or the new one", function* () {
    const at = yield* file
    let reached = 0
    for (const fault of faults) {
      for (let n = 0; n < 9; n++) {
        const hit = yield* scenario(at, fault, n, 1, (log) => log.compact([accepted("b"), accepted("c")]), {
          before: ["a", "b"],
          after: ["b", "c"]
        })
        if (hit) reached++
      }
      assert.isFalse(fs.existsSync(`${at}.new`))
    }
    // open, chmod, write, sync, rename, sync of the directory
    assert.isAtLeast(reached, faults.length * 6)
  })

  live("an open fails at any operation, and loses nothing", function* () {
    const at = yield* file
    const disk = faulty(QueueStoreFile.files)
    const content = `${JSON.stringify(accepted("a"))}\n{broken\n${JSON.stringify(accepted("b"))}\n{"_tag":"Acc`
    let failures = 0
    for (const fault of faults) {
      for (let n = 0; n < 20; n++) {
        fs.writeFileSync(at, content)
        fs.rmSync(`${at}.damaged`, { force: true })
        disk.arm(n, fault)
        const opened = yield* Effect.result(Effect.scoped(QueueStoreFile.make(disk.files).open(at)))
        if (opened._tag === "Failure") failures++
        disk.disarm()
        assert.deepStrictEqual(yield* reopened(at), ["a", "b"], `${JSON.stringify(fault)} at operation ${n}`)
        const aside = fs
          .readFileSync(`${at}.damaged`, "utf8")
          .split("\n")
          .filter((line) => line === "{broken")
        assert.strictEqual(aside.length, 1, `${JSON.stringify(fault)} at operation ${n}`)
      }
    }
    assert.isAtLeast(failures, faults.length * 3)
  })

  live("names the reason in words", function* () {
    const at = yield* file
    const disk = faulty(QueueStoreFile.files)
    const log = yield* QueueStoreFile.make(disk.files).open(at)
    const messages: Array<string> = []
    for (const fault of [faults[0], faults[1], { _tag: "Cut", bytes: 3, code: null } as const]) {
      if (fault === undefined) continue
      disk.arm(0, fault)
      messages.push((yield* Effect.flip(log.append([accepted("a")]))).message)
      disk.disarm()
    }
    assert.include(messages[0], "could not write to the queue at")
    assert.include(messages[0], "the disk is full")
    assert.include(messages[1], "permission denied")
    assert.include(messages[2], "only 3 of")
  })
})
