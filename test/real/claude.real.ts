import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { claude } from "./cli/claude.ts"
import { allAnswered } from "./allAnswered.ts"
import { hosted } from "./hosted.ts"
import { mainJob } from "./mainJob.ts"
import { say } from "./model/FakeModel.ts"

/** Claude Code writes down each prompt that was typed while it was busy. */
const typedAhead = (transcript: string) =>
  readFileSync(transcript, "utf8")
    .split("\n")
    .filter((line) => line !== "" && (JSON.parse(line) as { type?: string }).type === "queue-operation")

mainJob(claude, {
  afterQueue: async ({ status }) => {
    const { transcriptPath } = await status()
    assert.isNotNull(transcriptPath)
    assert.deepStrictEqual(typedAhead(transcriptPath ?? ""), [], "Claude Code was never typed at while it was busy")
  }
})

describe("Ctrl+Z in Claude Code", () => {
  it("leaves it running: no shell is there to bring it back", () =>
    hosted(claude, "claude-suspend", async ({ api, leap, tag, until }) => {
      await until("at rest", ({ ready }) => ready)
      await leap(["keys", tag, "C-z"])
      api.script(say("Here I am."))
      await leap(["send", tag, "Are you there?", "--wait", "--timeout", "60"])
      assert.include(await leap(["last", tag]), "Here I am.")
    }))
})

describe("Claude Code's input box", () => {
  it("takes text that terminals measure in different ways whole", () =>
    hosted(claude, "claude-glyphs", async ({ api, leap, tag, until }) => {
      const hard = [
        "a family 👩‍👩‍👧‍👦 of four",
        "a flag 🇩🇪, a hand 👍🏽, a heart ❤️",
        "नमस्ते, שלום, مرحبا",
        "cafe\u0301, tab\there, two  spaces"
      ]
      api.script(...hard.map((_, at) => say(`Answer ${at}.`)))
      await allAnswered({ api, leap, tag }, hard)
      await until("at rest", ({ queue, ready }) => ready && queue.length === 0)
      // the CLI's own box composes characters and makes four blanks of a tab, however they are entered
      assert.deepStrictEqual(
        api.main.at(-1)?.conversation,
        hard.map((text) => text.normalize("NFC").replaceAll("\t", "    "))
      )
    }))
})
