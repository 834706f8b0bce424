import { assert, describe, it } from "@effect/vitest"
import { lastWords } from "../../../../src/domain/words/reading/lastWords.ts"

describe("what a CLI that ended said last", () => {
  const rows: ReadonlyArray<readonly [name: string, screen: string, cols: number, words: string | null]> = [
    ["nothing", "\n  \n", 80, null],
    [
      "the complaint, not the farewell behind it",
      ["No conversation found with session ID: 1f", "Resume this session with:", "claude --resume 1f"].join("\n"),
      80,
      "No conversation found with session ID: 1f"
    ],
    [
      "the last of two complaints",
      "Error: it was found but could not be loaded.\nError: the file is corrupted\nTo pick one: resume",
      80,
      "Error: the file is corrupted"
    ],
    [
      "all of a line that was wrapped",
      "ERROR: No saved session found. Run it without an ID to choose f\nrom existing sessions.\n",
      63,
      "ERROR: No saved session found. Run it without an ID to choose from existing sessions."
    ],
    ["no word within a word", "nothing noted\nbye", 80, "bye"],
    ["what is far above does not count", `Error: long ago\n${"a line\n".repeat(20)}`, 80, "a line"]
  ]
  it.each(rows)("%s", (_, screen, cols, words) => {
    assert.strictEqual(lastWords(screen, cols), words)
  })
})
