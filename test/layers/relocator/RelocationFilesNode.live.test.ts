import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { files } from "../../../src/layers/relocator/RelocationFilesNode.ts"
import { live } from "../../support/run/effects.ts"

const scratch = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-files-"))),
  (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
)

const sha = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex")
const code = <A, E extends { readonly code: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (error) => error.code)

live("a copy has the bytes asked for, the mode and the time, small or large", function* () {
  const root = yield* scratch
  for (const size of [0, 1, 5000, 1 << 18, (1 << 18) + 1, (1 << 20) - 1, 3 << 20, (5 << 20) + 7]) {
    const bytes = Buffer.alloc(size + 100, `${size} bytes\n`)
    const [from, to] = [path.join(root, `from ${size}`), path.join(root, `to ${size}`)]
    fs.writeFileSync(from, bytes)
    const hash = yield* files.copy(from, to, { size, mode: 0o640, mtimeNs: "1700000000123456789" })
    const meant = bytes.subarray(0, size)
    assert.strictEqual(hash, sha(meant))
    assert.isTrue(fs.readFileSync(to).equals(meant))
    const stats = fs.statSync(to, { bigint: true })
    assert.strictEqual(Number(stats.mode & 0o777n), 0o640)
    assert.closeTo(Number(stats.mtimeNs - 1700000000123456789n), 0, 250)
    assert.deepStrictEqual(yield* files.digest(to, size), { hash, last: meant.at(-1) ?? -1 })
    assert.strictEqual(yield* code(files.copy(from, to, { size, mode: 0o600, mtimeNs: "0" })), "EEXIST")
    assert.strictEqual(yield* code(files.digest(to, size + 1)), "ESTALE")
    assert.strictEqual(
      yield* code(files.copy(from, `${to} more`, { size: size + 101, mode: 0o600, mtimeNs: "0" })),
      "ESTALE"
    )
  }
})

live("what follows a link elsewhere would is refused", function* () {
  const root = yield* scratch
  const at = (name: string) => path.join(root, name)
  fs.writeFileSync(at("file"), "x")
  fs.symlinkSync("file", at("link"))
  assert.strictEqual((yield* files.stat(at("link")))?.kind, "link")
  assert.strictEqual(yield* code(files.digest(at("link"), 1)), "ELOOP")
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
  yield* files.digest(from, 64 << 20)
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
