import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { auditLine } from "../../../src/domain/engine/approvals/AuditLines.ts"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import { auditFilesOf } from "../../../src/layers/files/leapPaths.ts"
import * as AuditLogFile from "../../../src/layers/files/AuditLogFile.ts"
import { readRegularSync } from "../../../src/layers/files/regularFile.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import { AuditLog } from "../../../src/services/AuditLog.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { auditEntry } from "../../domain/policy/support.ts"
import { live } from "../../support/run/effects.ts"

const tag = Schema.decodeUnknownSync(Tag)("t")

/** A log of its own, as this and as another process would open it. */
const makeLog = Effect.fn("makeLog")(function* (limit = AuditLogFile.rotationSize) {
  const home = yield* Effect.acquireRelease(
    Effect.sync(() => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "leap-audit-")))),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )
  const paths = PathsXdg.layerFrom({ HOME: home, LEAP_HOME: path.join(home, "leap") })
  const { dir } = yield* Effect.provide(
    Effect.flatMap(Paths, (paths) => paths.ensureSession(tag)),
    paths
  )
  const open = Effect.provide(AuditLog, Layer.effect(AuditLog, AuditLogFile.make(limit)).pipe(Layer.provide(paths)))
  const log = yield* open
  const rules = Effect.map(log.read(tag), ({ entries }) => entries.map(({ rule }) => rule))
  const files = auditFilesOf(dir)
  return { files, log, open, rules, add: (rule: string) => log.append(tag, auditEntry({ rule })) }
})

describe("the audit log's file", () => {
  live("keeps what was appended, in order, for its owner alone", function* () {
    const { add, files, log, rules } = yield* makeLog()
    assert.deepStrictEqual(yield* rules, [])
    yield* add("a")
    yield* add("b\nwith a line end, 漢字")
    assert.deepStrictEqual((yield* log.read(tag)).entries, [
      auditEntry({ rule: "a" }),
      auditEntry({ rule: "b\nwith a line end, 漢字" })
    ])
    assert.strictEqual(fs.statSync(files.log).mode & 0o777, 0o600)
    fs.chmodSync(files.log, 0o644)
    yield* add("c")
    assert.strictEqual(fs.statSync(files.log).mode & 0o777, 0o600)
    assert.strictEqual(fs.readFileSync(files.log, "utf8").split("\n").length, 4)
  })

  live("goes on behind a torn line, wherever it was torn, and behind a whole one without its end", function* () {
    const { add, files, rules } = yield* makeLog()
    const line = Buffer.from(auditLine(auditEntry({ rule: "torn 漢" })))
    for (let cut = 1; cut < line.length; cut += 9) {
      fs.writeFileSync(files.older, "")
      fs.writeFileSync(
        files.log,
        Buffer.concat([Buffer.from(auditLine(auditEntry({ rule: "a" }))), line.subarray(0, cut)])
      )
      assert.deepStrictEqual(yield* rules, ["a"], String(cut))
      yield* add("b")
      assert.deepStrictEqual(yield* rules, ["a", "b"], String(cut))
    }
    fs.writeFileSync(files.log, line.subarray(0, -1))
    yield* add("b")
    assert.deepStrictEqual(yield* rules, ["torn 漢", "b"])
  })

  live("passes over what is no text, and what is no entry", function* () {
    const { add, files, rules } = yield* makeLog()
    fs.writeFileSync(files.log, Buffer.from([0xff, 0xfe, 0x0a, 0x7b, 0x7d, 0x0a, 0x00]))
    yield* add("a")
    assert.deepStrictEqual(yield* rules, ["a"])
  })

  live("becomes the older log when it is full; one older log is kept", function* () {
    const size = Buffer.byteLength(auditLine(auditEntry({ rule: "00" })))
    const { add, files, rules } = yield* makeLog(size * 3)
    const names = Array.from({ length: 10 }, (_, i) => String(i).padStart(2, "0"))
    for (const name of names) yield* add(name)
    assert.deepStrictEqual(yield* rules, names.slice(-4))
    assert.isAtMost(fs.statSync(files.older).size, size * 3)
    assert.strictEqual(fs.statSync(files.older).mode & 0o777, 0o600)
    // a line that alone is too long has a log of its own
    yield* add("x".repeat(490))
    assert.isTrue((yield* rules).includes("x".repeat(490)))
  })

  live("loses nothing of two that append at the same time", function* () {
    const { log, open, rules } = yield* makeLog()
    const other = yield* open
    const add = (log: AuditLog["Service"], name: string) =>
      Effect.forEach(
        Array.from({ length: 100 }, (_, i) => `${name}${i}`),
        (rule) => log.append(tag, auditEntry({ rule })),
        { discard: true, concurrency: 4 }
      )
    yield* Effect.all([add(log, "a"), add(other, "b")], { concurrency: 2 })
    const found = yield* rules
    assert.strictEqual(found.length, 200)
    assert.strictEqual(new Set(found).size, 200)
  })

  live("says what is wrong when it cannot be used, and follows no link", function* () {
    const { add, files, rules } = yield* makeLog()
    const elsewhere = path.join(path.dirname(files.log), "elsewhere")
    for (const file of [files.older, files.log]) {
      fs.writeFileSync(elsewhere, auditLine(auditEntry({ rule: "of another" })))
      fs.symlinkSync(elsewhere, file)
      const refused = yield* Effect.flip(rules)
      assert.strictEqual(refused.message, `the audit log ${file} cannot be used: it is a link`)
      assert.throws(() => readRegularSync(file, "refused"), /ELOOP/)
      fs.rmSync(file)
    }
    fs.writeFileSync(elsewhere, "")
    fs.symlinkSync(elsewhere, files.log)
    const link = yield* Effect.flip(add("a"))
    assert.strictEqual(link.message, `the audit log ${files.log} cannot be used: it is a link`)
    assert.strictEqual(fs.readFileSync(elsewhere, "utf8"), "")
    fs.rmSync(files.log)
    fs.mkdirSync(files.log)
    assert.include((yield* Effect.flip(rules)).message, "it is a directory")
    fs.rmSync(path.dirname(files.log), { recursive: true })
    assert.include((yield* Effect.flip(add("a"))).message, "its directory does not exist")
    assert.deepStrictEqual(yield* rules, [])
  })
})
