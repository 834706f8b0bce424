import { assert, describe, it } from "@effect/vitest"
import { answerPatience, pongEvery, verdictOf } from "../../../../src/domain/surfaces/web/Liveness.ts"

/** A page that looks twice a second at a connection that carries nothing from `cut` on; when it gave that up. */
const givenUp = (cut: number, asked: number | null): number => {
  let pinged: number | null = null
  for (let now = cut; now < cut + 600_000; now += 500) {
    const verdict = verdictOf({ heard: cut, pinged, asked: asked !== null && now >= asked ? asked : null }, now)
    if (verdict === "lost") return now - cut
    if (verdict === "ping") pinged = now
  }
  return Infinity
}

describe("a page's connection", () => {
  it.each([
    ["news a moment ago", { heard: 0, pinged: null, asked: null }, 1_000, "alive"],
    ["between two words of the server", { heard: 0, pinged: null, asked: null }, pongEvery + 1_000, "alive"],
    ["a word that is due", { heard: 0, pinged: null, asked: null }, pongEvery + 2_000, "ping"],
    ["a call that is new", { heard: 0, pinged: null, asked: 10_000 }, 12_000, "alive"],
    ["a call that nothing answers", { heard: 0, pinged: null, asked: 10_000 }, 13_000, "ping"],
    ["a slow call while other things are told", { heard: 59_000, pinged: null, asked: 10_000 }, 60_000, "alive"],
    ["a ping on its way", { heard: 0, pinged: 20_000, asked: 10_000 }, 21_000, "alive"],
    ["a ping that is late", { heard: 0, pinged: 20_000, asked: null }, 21_500, "quiet"],
    ["a ping without an answer", { heard: 0, pinged: 20_000, asked: null }, 25_000, "lost"]
  ] as const)("with %s", (_, liveness, now, verdict) => {
    assert.strictEqual(verdictOf(liveness, now), verdict)
  })

  it("that stops carrying is given up within half a minute, and before a call's patience is over", () => {
    assert.isAtMost(givenUp(0, null), 2 * pongEvery)
    for (const asked of [0, 5_000, 12_000]) assert.isAtMost(givenUp(0, asked) - asked, answerPatience)
  })
})
