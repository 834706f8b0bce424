import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { files } from "../../../src/layers/relocator/RelocationFilesNode.ts"
import { live } from "../../support/run/effects.ts"

const scratch = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-files-"))),
  (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
)

const code = <A, E extends { readonly code: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (error) => error.code)

live("a copy has the bytes asked for, the mode and the time, small or large", function* () {
  const root = yield* scratch
  for (const size of [0, 1, 5000, 1 << 18, (1 << 18) + 1, (1 << 20) - 1, 3 << 20, (5 << 20) + 7]) {
    const bytes = Buffer.alloc(size + 100, `${size} bytes\n`)
    const [from, to] = [path.join(root, `from ${size}`), path.join(root, `to ${size}`)]
    fs.writeFileSync(from, bytes)
    yield* files.copy(from, to, { size, mode: 0o640, mtimeNs: "1700000000123456789" })
    const meant = bytes.subarray(0, size)
    assert.isTrue(fs.readFileSync(to).equals(meant))
    const stats = fs.statSync(to, { bigint: true })
    assert.strictEqual(Number(stats.mode & 0o777n), 0o640)
    assert.closeTo(Number(stats.mtimeNs - 1700000000123456789n), 0, 250)
    assert.isTrue(yield* files.compare(from, to, size))
    if (size === 0) assert.strictEqual(yield* code(files.byteAt(to, 0)), "ESTALE")
    else assert.strictEqual(yield* files.byteAt(to, size - 1), meant.at(-1))
    assert.strictEqual(yield* code(files.copy(from, to, { size, mode: 0o600, mtimeNs: "0" })), "EEXIST")
    for (const [one, other] of [
      [from, to],
      [to, from]
    ] as const)
      assert.strictEqual(yield* code(files.compare(one, other, size + 1)), "ESTALE")
    assert.strictEqual(
      yield* code(files.copy(from, `${to} more`, { size: size + 101, mode: 0o600, mtimeNs: "0" })),
      "ESTALE"
    )
  }
})

live("a comparison sees any byte that differs, and only those asked for", function* () {
  const root = yield* scratch
  const [one, other] = [path.join(root, "one"), path.join(root, "other")]
  for (const size of [1, 1 << 18, (1 << 18) + 1, (2 << 20) + 7]) {
    const bytes = Buffer.alloc(size, `${size} bytes\n`)
    fs.writeFileSync(one, bytes)
    for (const at of new Set([0, size >> 1, size - 1])) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      fs.writeFileSync(other, changed)
      assert.isFalse(yield* files.compare(one, other, size))
      assert.isTrue(yield* files.compare(one, other, at))
    }
  }
})

live("what follows a link elsewhere would is refused", function* () {
  const root = yield* scratch
  const at = (name: string) => path.join(root, name)
  fs.writeFileSync(at("file"), "x")
  fs.symlinkSync("file", at("link"))
  assert.strictEqual((yield* files.stat(at("link")))?.kind, "link")
  assert.strictEqual(yield* code(files.compare(at("link"), at("file"), 1)), "ELOOP")
  assert.strictEqual(yield* code(files.compare(at("file"), at("link"), 1)), "ELOOP")
  assert.strictEqual(yield* code(files.byteAt(at("link"), 0)), "ELOOP")
  assert.strictEqual(yield* code(files.sync([at("file"), at("link")])), "ELOOP")
  assert.strictEqual(yield* code(files.copy(at("link"), at("to"), { size: 1, mode: 0o600, mtimeNs: "0" })), "ELOOP")
  assert.strictEqual(yield* code(files.append(at("file"), at("link"), 1, 1)), "ELOOP")
  assert.strictEqual(yield* code(files.extend(at("link"), "x")), "ELOOP")
  for (const make of [
    files.create(at("link"), ""),
    files.link(at("file"), at("link")),
    files.symlink("x", at("link")),
    files.makeDirectory(at("link"), 0o700)
  ]) {
    assert.strictEqual(yield* code(make), "EEXIST")
  }
  assert.strictEqual(fs.readFileSync(at("file"), "utf8"), "x")
})

live("an append begins where the file is known to end, or not at all", function* () {
  const root = yield* scratch
  const [from, to] = [path.join(root, "from"), path.join(root, "to")]
  fs.writeFileSync(from, "one\ntwo\nthree\n")
  fs.writeFileSync(to, "one\n")
  yield* files.append(from, to, 4, 8)
  assert.strictEqual(fs.readFileSync(to, "utf8"), "one\ntwo\n")
  assert.strictEqual(yield* code(files.append(from, to, 4, 8)), "ESTALE")
  assert.strictEqual(yield* code(files.append(from, to, 8, 99)), "ESTALE")
})

live("an interrupted copy has stopped writing when its interruption is over", function* () {
  const root = yield* scratch
  const [from, to] = [path.join(root, "from"), path.join(root, "to")]
  fs.writeFileSync(from, Buffer.alloc(64 << 20, 1))
  const copying = yield* Effect.forkChild(files.copy(from, to, { size: 64 << 20, mode: 0o600, mtimeNs: "0" }))
  while (!fs.existsSync(to)) yield* Effect.yieldNow
  yield* Fiber.interrupt(copying)
  const { size } = fs.statSync(to)
  assert.isBelow(size, 64 << 20)
  fs.unlinkSync(to)
  yield* files.compare(from, from, 64 << 20)
  assert.isFalse(fs.existsSync(to))
})

live("errors tell what, of what, why, and the system's code", function* () {
  const root = yield* scratch
  const error = yield* Effect.flip(files.makeDirectory(path.join(root, "n".repeat(300)), 0o700))
  assert.strictEqual(error.code, "ENAMETOOLONG")
  assert.match(
    error.message,
    /^could not make the directory ".*n": the path is longer than the file system allows \(ENAMETOOLONG\)$/
  )
  assert.isNull(yield* files.stat(path.join(root, "nothing")))
  assert.isNull(yield* files.read(path.join(root, "nothing")))
  assert.isTrue(yield* files.isWritable(root))
})
