import { assert, describe, it } from "@effect/vitest"
import { scenarios } from "./support/scenarioTable.ts"
import * as argv from "./agentsArgv.ts"
import * as base from "./agentsBase.ts"
import * as decoding from "./agentsDecoding.ts"

/** `range("B", [1, 3], [7, 8])` is B1, B2, B3, B7, B8. */
const range = (
  letter: string,
  ...spans: ReadonlyArray<readonly [first: number, last: number]>
): ReadonlyArray<string> =>
  spans.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => `${letter}${first + at}`))

/** Every row but those of HTTP (A), which agentsHttp.test.ts accounts for: 532 with them. */
const ids = [
  ...range("B", [1, 23], [30, 38], [40, 43], [50, 53]),
  ...range("C", [1, 13], [20, 24], [30, 35], [40, 47], [60, 71]),
  ...range("D", [1, 9]),
  ...range("E", [1, 11]),
  ...range("F", [1, 23], [30, 39]),
  ...range("G", [1, 11]),
  ...range("H", [1, 15]),
  ...range("K", [1, 9], [20, 25], [30, 35], [40, 56], [60, 69]),
  ...range("L", [1, 17]),
  ...range("M", [1, 4], [10, 12], [20, 27], [30, 34], [40, 48]),
  ...range("N", [1, 10], [20, 21], [30, 34], [40, 44], [50, 56]),
  ...range("O", [1, 8]),
  ...range("P", [1, 11], [20, 23], [30, 31], [40, 46], [50, 55]),
  ...range("Q", [1, 8]),
  ...range("R", [1, 12]),
  ...range("S", [1, 6]),
  ...range("T", [1, 8]),
  ...range("U", [1, 15]),
  ...range("V", [1, 10], [20, 27], [30, 31], [40, 41], [50, 55]),
  ...range("W", [1, 17]),
  ...range("X", [1, 12], [20, 24]),
  ...range("Y", [1, 13]),
  ...range("Z", [1, 22], [30, 37])
]

describe("headless CLIs, row by row", () => {
  it("knows every row", () => assert.strictEqual(new Set(ids).size, 532 - 54))
  scenarios(
    ids,
    [
      ...argv.rows,
      ...decoding.claude,
      ...decoding.geminiRows,
      ...decoding.codex,
      ...decoding.copilot,
      ...decoding.opencode,
      ...decoding.gaps,
      ...base.rows,
      ...base.shown
    ],
    base.listed
  )
})
