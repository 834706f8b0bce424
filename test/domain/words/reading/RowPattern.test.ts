import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { matchRow, rowPattern } from "../../../../src/domain/words/reading/RowPattern.ts"

const pattern = (source: string) => Result.getOrThrow(rowPattern(source))
const draft = (source: string, row: string): string | null => {
  const match = matchRow(pattern(source), row)
  return match?.draft == null ? null : row.slice(match.draft.from, match.draft.to)
}

/** A row that counts how often something in it is looked at, and ends at so many looks. */
const countingLooks = (row: string, most: number) => {
  let looks = 0
  const counted = new Proxy(Object(row) as object, {
    get: (text, key) => {
      if (++looks > most) throw new Error(`more than ${most} looks at a row of ${row.length}`)
      const value: unknown = Reflect.get(text, key)
      return typeof value === "function" ? (value as () => unknown).bind(text) : value
    }
  })
  return { counted: counted as unknown as string, looks: () => looks }
}

describe("a pattern of a row", () => {
  it.each([
    ["> Type here*", " > Type here", false],
    [" > Type here*", "> Type here", true],
    ["*esc to cancel)", "  esc to cancel) is a hint", false],
    ["*{wheel} * ({n}s *", "  ⠧ Musing... (12s · esc)", true],
    ["*{wheel} * ({n}s *", "  ⠧ Musing... (s · esc)", false],
    ["*{wheel} * ({n}s *", "  x Musing... (12s · esc)", false],
    ["Working{n}", "Working...", false],
    ["Working{n}", "Working..1", true],
    ["*{n} files", "1,024 files", true],
    ["*{n} files", "no, files", false],
    ["a b", "ab", false],
    ["Proceed? \\*", "Proceed? *", true],
    ["Proceed? \\*", "Proceed? x", false],
    ["a*b*c", "abcab", false],
    ["ab", "abc", false]
  ] as const)("%s over %s", (source, row, fits) => assert.strictEqual(matchRow(pattern(source), row) !== null, fits))

  it.each([
    ["> {draft}", ">", ""],
    ["[ in: {draft} ]", "[ in:  ]", ""],
    ["[ in: {draft} ]", "[ in: a ] b ]", "a ] b"],
    [" │ > {draft} │", "   │ > some text      │", "some text"]
  ] as const)("the draft of %s in %s", (source, row, text) => assert.strictEqual(draft(source, row)?.trim(), text))

  it.each([
    ["", /fits any row/],
    ["*", /fits any row/],
    [" * {n}", /fits any row/],
    ["{nothing} x", /none of \{draft\}/],
    ["{draft", /none of/],
    ["a**b", /beside each other/],
    ["x {draft} y {draft}", /two drafts/],
    ["a*b*c*d*e*f*g*h", /more than/],
    ["x".repeat(201), /at most 200/],
    ["a\u001bb", /control/]
  ] as const)("refuses %s", (source, why) => {
    const read = rowPattern(source)
    assert.match(Result.isFailure(read) ? read.failure : "", why)
  })

  const Char = Schema.Literals(["a", "b", " ", "*", "{n}", "{wheel}", "{draft}", "1", "⠧", "\\"])
  it.prop(
    "fits what a regular expression of the same meaning fits, without its blanks and numbers",
    { parts: Schema.Array(Schema.Literals(["a", "b", "*", "ab"])), row: Schema.Array(Schema.Literals(["a", "b"])) },
    ({ parts, row }) => {
      const read = rowPattern(parts.join(""))
      if (Result.isFailure(read)) return assert.match(read.failure, /\S/)
      const text = row.join("")
      const same = new RegExp(`^${parts.join("").replaceAll("*", ".*")}$`).test(text)
      assert.strictEqual(matchRow(read.success, text) !== null, same, `${parts.join("")} over ${text}`)
    }
  )

  it.prop(
    "is total, and its draft lies in the row",
    { parts: Schema.Array(Char), row: Schema.Array(Char) },
    ({ parts, row }) => {
      const read = rowPattern(parts.join(""))
      if (Result.isFailure(read)) return assert.match(read.failure, /\S/)
      const text = row.join("").trimEnd()
      const { draft = null } = matchRow(read.success, text) ?? {}
      assert.isTrue(draft === null || (0 <= draft.from && draft.from <= draft.to && draft.to <= text.length))
    }
  )

  it("takes no time that grows beyond all bounds, whatever the row", () => {
    const rows = [" ".repeat(500), "1".repeat(500), "a ".repeat(250), "a".repeat(500)]
    const patterns = ["*a*a*a*a*a*b", "* * * * * *b", "*{n}*{n}*{n}*b", "*a a a a a*b", "*  a"].map(pattern)
    for (const row of rows)
      for (const it of patterns) {
        // a look at the row for each place, part and star: not one for each way to share the row out
        const most = 4 * row.length * it.parts.length
        const { counted, looks } = countingLooks(`${row}.`, most)
        assert.isNull(matchRow(it, counted))
        assert.isAtMost(looks(), most)
      }
  })
})
