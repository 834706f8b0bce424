import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { withWrites, writesMost } from "../../../../src/domain/words/session/RecentWrites.ts"
import { clashesOf, type WritingSession, writeWindow } from "../../../../src/domain/words/session/WriteClashes.ts"

const now = Date.UTC(2026, 0, 1)
const session = (tag: string, files: Readonly<Record<string, number>>, state = "running"): WritingSession => ({
  tag,
  state,
  writes: Object.entries(files).map(([path, ago]) => ({ path, at: new Date(now - ago).toISOString() }))
})
const told = (...sessions: ReadonlyArray<WritingSession>) =>
  [...clashesOf(sessions, now)].map(([tag, own]) => [tag, ...own.map(({ others, path }) => `${path} ${others.join()}`)])

describe("files that several sessions write", () => {
  it("are told of each of them, with the others, the latest first", () =>
    assert.deepStrictEqual(
      told(
        session("a", { "/x": 5_000, "/y": 0, "/only": 0 }),
        session("b", { "/x": 60_000, "/y": 9 }),
        session("c", { "/x": 1 })
      ),
      [
        ["a", "/y b", "/x b,c"],
        ["b", "/y a", "/x a,c"],
        ["c", "/x a,b"]
      ]
    ))

  it.each<readonly [why: string, a: WritingSession, b: WritingSession]>([
    ["other files", session("a", { "/x": 0 }), session("b", { "/xy": 0 })],
    ["long ago", session("a", { "/x": 0 }), session("b", { "/x": writeWindow + 1 })],
    ["an ended one", session("a", { "/x": 0 }), session("b", { "/x": 0 }, "exited")],
    ["the same session", session("a", { "/x": 0 }), session("a", { "/x": 9 })],
    ["a time that is none", session("a", { "/x": 0 }), { tag: "b", state: "idle", writes: [{ path: "/x", at: "?" }] }],
    ["a host that knows of no writes", session("a", { "/x": 0 }), { tag: "b", state: "idle" }]
  ])("are none: %s", (_, a, b) => assert.deepStrictEqual(told(a, b), []))

  const files = Schema.Literals(["/a", "/b", "/c"])
  const sessions = Arbitrary.array(
    Arbitrary.schema(
      Schema.Struct({
        tag: Schema.Literals(["a", "b", "c", "d"]),
        state: Schema.Literals(["idle", "exited"]),
        writes: Schema.Array(
          Schema.Struct({ path: files, at: Schema.Literals(["2025-12-31T23:59:00Z", "2020-01-01T00:00:00Z"]) })
        )
      })
    ),
    { maxLength: 6 }
  )
  it.prop("are told in both directions, whatever the order", [sessions], ([all]) => {
    const found = clashesOf(all, now)
    for (const [tag, own] of found)
      for (const { others, path } of own) {
        assert.notInclude(others, tag)
        for (const other of others)
          assert.isTrue(found.get(other)?.some((clash) => clash.path === path && clash.others.includes(tag)))
      }
    const sorted = (map: typeof found) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1))
    assert.deepStrictEqual(sorted(clashesOf(all.toReversed(), now)), sorted(found))
  })
})

describe("what a session was about to write", () => {
  it("has each file once, by its last time, and only the latest", () => {
    const first = withWrites([], ["/a", "/b", "/a"], now)
    assert.deepStrictEqual(first, [
      { path: "/a", at: now },
      { path: "/b", at: now }
    ])
    assert.deepStrictEqual(withWrites(first, ["/a"], now + 1), [
      { path: "/b", at: now },
      { path: "/a", at: now + 1 }
    ])
    assert.deepStrictEqual(withWrites(first, ["/c"], now + writeWindow + 1), [
      { path: "/c", at: now + writeWindow + 1 }
    ])
    const many = Array.from({ length: writesMost + 5 }, (_, i) => `/${i}`)
    assert.lengthOf(withWrites(first, many, now), writesMost)
    assert.strictEqual(withWrites(first, many, now).at(-1)?.path, `/${writesMost + 4}`)
  })
})
