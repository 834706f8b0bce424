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

/** Texts whose columns programs and terminals count in different ways. */
const unsettled: ReadonlyArray<string> = [
  "กำ น้ำ",
  "please say กำลังทำ น้ำ now",
  "ນຳ ຄຳ ກໍາ",
  "\u0301x first, e\u0301\u0323 z\u0351\u036b\u0343 end",
  "\u1112\u1161\u11ab one \u1100 two \u1161 three \ua960\ud7b0",
  "a\ufe0f \u2601\ufe0e 葛\u{e0100} end",
  "a\u200db \u200d x \u0915\u094d\u200d\u0937 end",
  "abc \u202edef\u202c \u2067\u05d0\u05d1\u2069 ghi",
  "السَّلامُ عليكم לא end",
  "a\tb\t\tc",
  "end 🇨",
  "say 🇨 x",
  "say 🇨🇭🇨 x and more",
  "zero\u200bwidth \u2060 soft\u00adhyphen \ufeff end",
  "全角　空白　end ｶﾞｷﾞ",
  "private \ue0b0 \u{f0000} end",
  "1\ufe0f\u20e3 9\u20e3 🏽 x🏽 end",
  "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} a\u{e0041} end",
  "हिन्दी கொ မြန်မာ ဘာသာ ខ្មែរ བོད་",
  "\u3164 \uffa0 a\ufff9b\ufffac\ufffb \ufdfd end"
]

/** CLIs take out what nobody sees, and make tabs blanks. */
const seen = (text: string) =>
  text
    .normalize("NFC")
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim()

describe.each([copilot, codex, claude, gemini, opencode].slice(0, isThorough ? undefined : 2))(
  "texts whose columns are counted in different ways, in $id",
  (cli) => {
    it("go out once each, in order, whatever the box shows of them; one that nobody sees is refused", () =>
      hosted(cli, `${cli.id}-unsettled`, async ({ api, leap, tag, tryLeap, until }) => {
        api.otherwise = say("ok")
        for (const text of unsettled) await leap(["send", tag, text, "--wait", "--timeout", "90"])
        const arrives = cli.arrives ?? ((text: string) => text)
        assert.deepStrictEqual(
          api.main.map(({ conversation }) => seen(conversation.at(-1) ?? "")),
          unsettled.map((text) => seen(arrives(text)))
        )
        await until("nothing is left", ({ queue }) => queue.every(({ status }) => status === "done"))
        const refused = await tryLeap(["send", tag, "\u200b"])
        assert.deepStrictEqual([refused.code, refused.err.trim().split("\n").length], [2, 1], refused.err)
      }))
  }
)
