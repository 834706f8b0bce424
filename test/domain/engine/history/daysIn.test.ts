import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { dayAround } from "../../../../src/domain/engine/history/daysIn.ts"

const hour = 3_600_000

describe("the day of a moment by this machine's clock", () => {
  afterEach(() => vi.unstubAllEnvs())

  it("begins and ends at midnight, and has an hour less or more where the clock is put", () => {
    vi.stubEnv("TZ", "Europe/Berlin")
    const hoursOf = (day: string) => {
      const { from, to } = dayAround(Date.parse(`${day}T12:00:00Z`))
      assert.deepStrictEqual(dayAround(from), { from, to })
      assert.deepStrictEqual(dayAround(to - 1), { from, to })
      assert.strictEqual(dayAround(to).from, to)
      return [new Date(from).toISOString(), (to - from) / hour]
    }
    assert.deepStrictEqual(hoursOf("2026-03-28"), ["2026-03-27T23:00:00.000Z", 24])
    assert.deepStrictEqual(hoursOf("2026-03-29"), ["2026-03-28T23:00:00.000Z", 23])
    assert.deepStrictEqual(hoursOf("2026-10-25"), ["2026-10-24T22:00:00.000Z", 25])
    assert.deepStrictEqual(hoursOf("2026-12-31"), ["2026-12-30T23:00:00.000Z", 24])
  })
})
