import { assert, it } from "@effect/vitest"
import { fault, isLineFile, isSameMove, type Plan } from "../../../../src/domain/store/relocation/Plan.ts"

const plan = (changed: Partial<Plan> = {}): Plan => ({
  cli: "some-cli",
  sessionId: "a1",
  pieces: [{ kind: "file", from: "/a/x", to: "/b/x", optional: false }],
  lineFiles: [".jsonl"],
  tidy: [],
  edits: [],
  ...changed
})
const piece = (from: string, to: string): Plan["pieces"][number] => ({ kind: "tree", from, to, optional: true })

it("a plan of two places apart has no fault", () => {
  assert.isNull(fault(plan()))
  assert.isNull(fault(plan({ pieces: [piece("/a/x", "/b/x"), piece("/a/x.d", "/b/x.d")], tidy: ["/a"] })))
  assert.isNull(fault(plan({ pieces: [] })), "a move in the books alone")
  assert.isNull(fault(plan({ pieces: [piece(`/a/${"ü🎉 .".repeat(80)}`, "/b/x")] })))
})

it("an id that is no plain name is never part of a path", () => {
  for (const sessionId of [
    "../escape",
    "with/slash",
    "with space",
    "-lead",
    ".hidden",
    "a\0",
    "a.b",
    "é",
    "a".repeat(129),
    "a\n"
  ]) {
    assert.match(fault(plan({ sessionId }))?.why ?? "", /unexpected format/, JSON.stringify(sessionId))
  }
  assert.match(fault(plan({ sessionId: "" }))?.why ?? "", /missing/)
  assert.match(fault(plan({ cli: "../x" }))?.why ?? "", /no name of a CLI/)
})

it("paths are absolute and plain", () => {
  for (const path of ["", "a", "./a", "/a/../b", "/a//b", "/a/", "/", "/a/.", "/a\0b"]) {
    assert.isNotNull(fault(plan({ pieces: [piece(path, "/b/x")] })), JSON.stringify(path))
    assert.isNotNull(fault(plan({ pieces: [piece("/b/x", path)] })), JSON.stringify(path))
    assert.isNotNull(fault(plan({ tidy: [path] })), JSON.stringify(path))
  }
})

it("no two places of a move are one, or one inside of the other", () => {
  const overlapping = [
    [piece("/a", "/a")],
    [piece("/a", "/a/b")],
    [piece("/a/b", "/a")],
    [piece("/a", "/b"), piece("/a", "/c")],
    [piece("/a", "/b"), piece("/c", "/b")],
    [piece("/a", "/b"), piece("/b/x", "/c")]
  ]
  for (const pieces of overlapping) assert.isNotNull(fault(plan({ pieces })), JSON.stringify(pieces))
  assert.isNull(fault(plan({ pieces: [piece("/a", "/ab")] })), "a common beginning of names is no directory")
})

it("files of lines are told by their endings", () => {
  assert.isTrue(isLineFile(plan(), "/a/b.jsonl"))
  assert.isFalse(isLineFile(plan(), "/a/b.jsonl.gz"))
  assert.isFalse(isLineFile(plan({ lineFiles: [] }), "/a/b.jsonl"))
})

it("the same move goes from the same places to the same places", () => {
  assert.isTrue(isSameMove(plan(), plan({ edits: [{ kind: "x", detail: {} }] })))
  assert.isFalse(isSameMove(plan(), plan({ pieces: [piece("/a/x", "/c/x")] })))
  assert.isFalse(isSameMove(plan(), plan({ pieces: [] })))
})
