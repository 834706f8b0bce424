import { assert, it } from "@effect/vitest"
import { sinceTime } from "../../../../src/domain/words/arguments/since.ts"

const now = Date.UTC(2026, 10, 22, 12)
const hour = 3_600_000

it.each<readonly [string, number | null]>([
  ["30s", now - 30_000],
  ["90m", now - 1.5 * hour],
  ["12h", now - 12 * hour],
  ["3d", now - 72 * hour],
  [" 2w ", now - 14 * 24 * hour],
  ["0h", now],
  ["2026-11-20", Date.UTC(2026, 10, 20)],
  ["2026-11-20T08:00:00Z", Date.UTC(2026, 10, 20, 8)],
  ["2026-11-20 08:00Z", Date.UTC(2026, 10, 20, 8)],
  ["2026-13-40", null],
  ["3", null],
  ["3y", null],
  ["-3d", null],
  ["soon", null],
  ["", null],
  ["99999999999d", null]
])("%s", (text, at) => {
  assert.strictEqual(sinceTime(text, now), at)
})
