import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { keptLine, problemNote, problemNoted } from "../../../../src/domain/engine/history/keptText.ts"

const until = "2026-01-01T05:00:00.000Z"
const problem = (message: string, until: string | null) => ({ kind: "rate_limited", message, until }) as const

describe("a problem as a note of the record", () => {
  it.prop("tells what it was made of, however long its words are", [Schema.String, Schema.Boolean], ([words, ends]) => {
    const told = `limit ${words}`
    const noted = problemNoted(problemNote(problem(told, ends ? until : null), true))
    assert.deepStrictEqual(noted, {
      message: keptLine(told, ends ? 297 - `until ${until}`.length : 300),
      until: ends ? until : null
    })
  })

  it("of many words keeps when it is over, which stood behind them and was cut off", () => {
    const { message, until: end } = problemNoted(problemNote(problem("limit ".repeat(200), until), true))
    assert.strictEqual(end, until)
    assert.match(message ?? "", /^limit limit .{200,}$/)
    assert.isAtMost(message?.length ?? 0, 270)
  })

  it.each(["limit reached (until 5pm)", "until tomorrow", "(until then)"])(
    "takes no word of the CLI's for the end: %s",
    (words) => {
      assert.deepStrictEqual(problemNoted(problemNote(problem(words, null), true)), { message: words, until: null })
      assert.deepStrictEqual(problemNoted(problemNote(problem(words, until), true)), { message: words, until })
    }
  )

  it("has no words where no texts are kept", () => {
    assert.strictEqual(problemNote(problem("secret", until), false), `until ${until}`)
    assert.deepStrictEqual(problemNoted(`until ${until}`), { message: null, until })
    assert.isNull(problemNote(problem("secret", null), false))
  })
})
