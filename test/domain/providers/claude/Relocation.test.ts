import { assert, it } from "@effect/vitest"
import { relocation, slugOf } from "../../../../src/domain/providers/claude/Relocation.ts"
import { fault } from "../../../../src/domain/store/relocation/Plan.ts"

it("a project's directory is named after the working directory", () => {
  const table = [
    ["/Users/me/proj", "-Users-me-proj"],
    ["/Users/a.b", "-Users-a-b"],
    ["/Users/me/.claude", "-Users-me--claude"],
    ["/a-b_c 1", "-a-b-c-1"],
    ["/home/dev/ünïcode-é", "-home-dev--n-code--"],
    ["/home/dev/日本語", "-home-dev----"],
    ["/home/dev/emoji-🎉", "-home-dev-emoji---"],
    ["/A/a", "-A-a"]
  ] as const
  for (const [cwd, slug] of table) assert.strictEqual(slugOf(cwd), slug)
})

it("a name beyond 200 characters is cut and told apart by a hash of the whole", () => {
  assert.strictEqual(slugOf(`/${"a".repeat(199)}`), `-${"a".repeat(199)}`)
  assert.strictEqual(slugOf(`/opt/dev/${"a/".repeat(95)}b`), `-opt-dev-${"a-".repeat(95)}b`)
  assert.strictEqual(slugOf(`/opt/dev/${"a/".repeat(95)}bc`), `-opt-dev-${"a-".repeat(95)}b-fwhrvc`)
  assert.notStrictEqual(slugOf(`/${"a".repeat(300)}x`), slugOf(`/${"a".repeat(300)}y`))
  assert.isBelow(slugOf(`/${"🎉".repeat(2000)}`).length, 210)
})

const move = (from: string, to: string) => relocation({ home: "/h/.claude", sessionId: "s1", from, to })

it("the transcript moves, and the session's own directory if it has one", () => {
  const plan = move("/a", "/b c")
  assert.isNull(fault(plan))
  assert.deepStrictEqual(plan.pieces, [
    { kind: "file", from: "/h/.claude/projects/-a/s1.jsonl", to: "/h/.claude/projects/-b-c/s1.jsonl", optional: false },
    { kind: "tree", from: "/h/.claude/projects/-a/s1", to: "/h/.claude/projects/-b-c/s1", optional: true }
  ])
})

it("directories of one slug share their sessions: only the books change", () => {
  assert.deepStrictEqual(move("/a/b", "/a-b").pieces, [])
  assert.isNull(fault(move("/a/b", "/a-b")))
})
