import { assert, describe, it } from "@effect/vitest"
import { pongEvery, verdictOf } from "../../../../src/domain/surfaces/web/Liveness.ts"

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
})
