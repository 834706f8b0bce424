import { assert, describe, it } from "@effect/vitest"
import { momentNamed } from "../../../../src/domain/words/reading/DayTime.ts"
import { spanOf } from "../../../../src/domain/words/reading/span.ts"

const minute = 60_000

describe("spans of time", () => {
  it("are read in whole units and in parts of them", () => {
    for (const [text, span] of [
      ["1s", 1_000],
      ["0.1m", 6_000],
      ["1.5h", 90 * minute],
      ["1h30m", 90 * minute],
      ["0.001s", 1],
      [" 2d ", 2 * 1_440 * minute],
      ["1d2h3m4s", (26 * 60 + 3) * minute + 4_000]
    ] as const)
      assert.strictEqual(spanOf(text), span, text)
  })

  it("are none where they are empty, nothing, out of order or of another form", () => {
    for (const text of [
      "",
      "0m",
      "0.0s",
      "5",
      "m",
      ".5m",
      "1.m",
      "1.2.3m",
      "1,5h",
      "5m1h",
      "1m 2s",
      "-1m",
      "1e3s",
      "99999999d"
    ])
      assert.isNull(spanOf(text), text)
  })

  it("name a moment", () => {
    assert.strictEqual(momentNamed("0.5m", 1_000, "UTC"), 31_000)
  })
})
