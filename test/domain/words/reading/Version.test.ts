import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { checkedRange, compareVersions, has, isChecked } from "../../../../src/domain/words/reading/Version.ts"

describe("versions", () => {
  it.each([
    ["2.1.90", "2.1.100", -1],
    ["0.156", "0.156.0", 0],
    ["0.156.0-alpha.2", "0.156.0", -1],
    ["0.156.0-alpha.2", "0.156.0-alpha.10", -1],
    ["0.156.0-alpha", "0.156.0-alpha.1", -1],
    ["0.156.0-alpha.1", "0.156.0-beta", -1],
    ["0.156.0-1", "0.156.0-alpha", -1]
  ])("%s and %s", (a, b, order) => {
    assert.strictEqual(compareVersions(a, b), order)
    assert.strictEqual(compareVersions(b, a), order === 0 ? 0 : -order)
  })

  const part = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))
  const version = Schema.TemplateLiteral([part, ".", part, ".", part, Schema.Literals(["", "-a", "-a.1", "-2"])])
  it.prop(
    "stand in one order",
    [version, version, version],
    ([a, b, c]) => {
      assert.strictEqual(compareVersions(a, b) + compareVersions(b, a), 0)
      const [first, second, third] = [a, b, c].sort(compareVersions)
      for (const [one, other] of [
        [first, second],
        [second, third],
        [first, third]
      ] as const)
        assert.isAtMost(compareVersions(one ?? "", other ?? ""), 0)
    },
    { arbitrary: { runs: 200 } }
  )

  it("have what came before them, and what was always there", () => {
    assert.deepStrictEqual(
      ["2.1.75", "2.1.76", "2.1.77"].map((it) => has(it, { since: "2.1.76" })),
      [false, true, true]
    )
    assert.isTrue(has("0.0.1", {}))
  })

  it.each([
    [null, null, null],
    [null, "2.0.0", "2.0.0"],
    ["2.0.0", "2.0.0", "2.0.0"],
    ["1.0.0", "2.0.0", "1.0.0 to 2.0.0"]
  ])("were checked from %s to %s", (oldest, newest, words) => assert.strictEqual(checkedRange(oldest, newest), words))

  it.each([
    ["0.9.9", "1.0.0", "2.0.0", false],
    ["1.0.0", "1.0.0", "2.0.0", true],
    ["2.0.1", "1.0.0", "2.0.0", false],
    ["1.5.0", null, "2.0.0", false],
    ["2.0.0", null, "2.0.0", true],
    ["2.0.0", null, null, false]
  ])("%s is between %s and %s: %s", (version, oldest, newest, is) =>
    assert.strictEqual(isChecked(version, oldest, newest), is)
  )
})
