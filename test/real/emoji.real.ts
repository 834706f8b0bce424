import { assert, describe, it } from "@effect/vitest"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { allAnswered } from "./allAnswered.ts"
import { hosted } from "./hosted.ts"
import { say } from "./model/FakeModel.ts"
import { isThorough } from "../support/run/thorough.ts"

/** Emoji of several code points, alone and in the middle of a row: a hand, people, flags, keycaps, text symbols. */
const hard = [
  "a hand 👍🏽 and a person 👩‍💻 of two",
  "👩‍👩‍👧‍👦👍🏽🏴‍☠️ first in the row, then a flag 🇩🇪, a key 1️⃣ and a heart ❤️",
  `many in a row that is broken: ${"👍🏽👩‍💻 ".repeat(40)}end`
]

describe.each([copilot, codex, claude, gemini, opencode].slice(0, isThorough ? undefined : 2))(
  "emoji of several code points in $id",
  (cli) => {
    it("go out whole, one message after the other, and the screen with them is known", () =>
      hosted(cli, `${cli.id}-emoji`, async ({ api, leap, tag, until }) => {
        const arrives = cli.arrives ?? ((text: string) => text)
        api.script(...hard.map((text, at) => say(`Answer ${at}, 👍🏽 and 👩‍💻: ${text.slice(0, 60)}`)))
        await allAnswered({ api, leap, tag }, hard)
        await until("at rest", ({ queue, ready }) => ready && queue.every((it) => it.status === "done"))
        assert.deepStrictEqual(api.main.at(-1)?.conversation, hard.map(arrives))
        assert.include((await leap(["screen", tag])).replaceAll("\u2060", ""), "👍🏽")
      }))
  }
)

describe("what Copilot cannot measure, and leaves the last word of undrawn", () => {
  it("goes out whole: half a flag, a mark with nothing to stand on", () =>
    hosted(copilot, "copilot-half", async ({ api, leap, tag }) => {
      const texts = ["end 🇨", "say 🇨 x", "\u0301x first", "say 🇨🇭🇨 x and more"]
      api.otherwise = say("ok")
      for (const text of texts) await leap(["send", tag, text, "--wait", "--timeout", "60"])
      assert.deepStrictEqual(api.main.at(-1)?.conversation, texts)
    }))
})
