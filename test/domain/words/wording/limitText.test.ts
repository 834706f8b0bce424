import { assert, describe, it } from "@effect/vitest"
import { wallClock } from "../../../../src/domain/words/reading/DayTime.ts"
import { limitText } from "../../../../src/domain/words/wording/limitText.ts"

describe("when a limit ends, in words", () => {
  const until = "2026-11-21T07:33:00.000Z"
  const at = (time: string) => Date.parse(`2026-11-21T${time}Z`)
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const clock = (text: string) =>
    text.replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d)Z/g, (_, day, time) => wallClock(Date.parse(`${day}T${time}Z`), zone))
  it.each<readonly [within: number | undefined, now: number | null, text: string]>([
    [undefined, null, "until 2026-11-21 07:33Z"],
    [undefined, at("05:22:30"), "until 2026-11-21 07:33Z, in 2 h 11 min"],
    [undefined, at("07:33:00"), "until 2026-11-21 07:33Z, which is over"],
    // to the minute: the time as it was told
    [60_000, at("05:23:00"), "until 2026-11-21 07:33Z, in 2 h 10 min"],
    [60_000, at("07:33:00"), "until 2026-11-21 07:33Z, which may be over"],
    [60_000, at("07:33:59"), "until 2026-11-21 07:33Z, which may be over"],
    [60_000, at("07:34:00"), "until 2026-11-21 07:33Z, which is over"],
    [120_000, at("05:23:00"), "until 2026-11-21 07:33Z, 2026-11-21 07:35Z at the latest, in 2 h 10 min"],
    [3_600_000, null, "until 2026-11-21 07:33Z, 2026-11-21 08:33Z at the latest"],
    [1e300, null, "until 2026-11-21 07:33Z, 9999-12-31 00:00Z at the latest"]
  ])("within %d ms, at %d: %s", (within, now, text) => {
    assert.strictEqual(limitText(until, now, within), clock(text))
  })

  it("that are no time are told as they are", () => {
    assert.strictEqual(limitText("soon", 0, 60_000), "until soon")
  })
})
