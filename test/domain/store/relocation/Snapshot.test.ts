import { assert, it } from "@effect/vitest"
import { changes, describe, type SnapshotEntry } from "../../../../src/domain/store/relocation/Snapshot.ts"

const entry = (
  path: string,
  changed: Partial<SnapshotEntry> & { size?: number; mtimeNs?: string; ino?: string } = {}
): SnapshotEntry => {
  const { ino = path, mtimeNs = "1", size = 10, ...rest } = changed
  return {
    path,
    kind: "file",
    mode: 0o600,
    at: { dev: "1", ino, size, mtimeNs },
    target: null,
    hash: "h",
    there: null,
    ...rest
  }
}
const kinds = (before: ReadonlyArray<SnapshotEntry> | null, now: ReadonlyArray<SnapshotEntry> | null) =>
  changes(before, now).map(({ _tag, entry }) => `${_tag} ${entry.path}`)

it("both directions are looked at: what is missing and what is new", () => {
  assert.deepStrictEqual(kinds([entry("a"), entry("b")], [entry("b"), entry("c")]), ["Gone a", "New c"])
  assert.deepStrictEqual(kinds(null, [entry("")]), ["New "])
  assert.deepStrictEqual(kinds([entry("")], null), ["Gone "])
  assert.deepStrictEqual(kinds(null, null), [])
})

it("a copied file may only have grown", () => {
  assert.deepStrictEqual(kinds([entry("a")], [entry("a")]), [])
  assert.deepStrictEqual(kinds([entry("a")], [entry("a", { size: 11, mtimeNs: "2" })]), ["Grown a"])
  assert.deepStrictEqual(kinds([entry("a")], [entry("a", { size: 9, mtimeNs: "2" })]), ["Other a"])
  assert.deepStrictEqual(kinds([entry("a")], [entry("a", { mtimeNs: "2" })]), ["Other a"])
  assert.deepStrictEqual(
    kinds([entry("a")], [entry("a", { ino: "other" })]),
    ["Other a"],
    "of the same size and time, but another file"
  )
})

it("a linked file may change as it likes, but not become another", () => {
  const linked = entry("a", { hash: null })
  assert.deepStrictEqual(kinds([linked], [entry("a", { size: 3, mtimeNs: "2" })]), [])
  assert.deepStrictEqual(kinds([linked], [entry("a", { ino: "other" })]), ["Other a"])
  assert.deepStrictEqual(kinds([linked], [entry("a", { kind: "link", target: "x" })]), ["Other a"])
})

it("directories may change their time, links not their text", () => {
  const directory = entry("d", { kind: "directory", hash: null })
  assert.deepStrictEqual(
    kinds([directory], [entry("d", { kind: "directory", hash: null, mtimeNs: "9", size: 20 })]),
    []
  )
  const link = entry("l", { kind: "link", target: "x", hash: null })
  assert.deepStrictEqual(kinds([link], [entry("l", { kind: "link", target: "y", hash: null })]), ["Other l"])
})

it("the first five changes are told, and how many more", () => {
  const told = describe(
    changes(
      null,
      ["a", "b\n", "c", "d", "e", "f", "g"].map((path) => entry(path))
    )
  )
  assert.strictEqual(told, '"a" is new, "b\\n" is new, "c" is new, "d" is new, "e" is new, 2 more')
})
