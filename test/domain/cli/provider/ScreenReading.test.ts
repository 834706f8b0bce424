import { assert, describe, it } from "@effect/vitest"
import { claudeDetection } from "../../../../src/domain/providers/claude/Detection.ts"
import { codexDetection } from "../../../../src/domain/providers/codex/Detection.ts"
import { geminiDetection } from "../../../../src/domain/providers/gemini/Detection.ts"
import { readCommon } from "../../../../src/domain/cli/provider/CommonScreen.ts"
import { sessionReader, withPlainBlanks } from "../../../../src/domain/cli/provider/ScreenReading.ts"
import { type ScreenFacts, type ScreenView, unrecognizedFacts } from "../../../../src/domain/words/session/Screen.ts"

const view = (lines: ReadonlyArray<string>): ScreenView => ({
  cols: 80,
  rows: 24,
  lines,
  alternate: false,
  title: "",
  whole: true,
  runs: () => [],
  faint: () => "",
  cursor: { x: 2, y: 0, visible: true }
})
const boxed = (draft = ""): ScreenFacts => ({ ...unrecognizedFacts, box: { draft } })
const read = (lines: ReadonlyArray<string>, facts = boxed(), refusedPrompt?: RegExp) =>
  sessionReader({ readScreen: () => facts, ...(refusedPrompt === undefined ? {} : { refusedPrompt }) })(view(lines))

describe("the letters above the box", () => {
  it.each([
    ["grow with text", ["● one"], ["● one two"], 3],
    ["grow with a row of text", ["● one"], ["● one", "  two"], 3],
    ["grow with text that is not Latin", ["● 你好"], ["● 你好世界"], 2],
    ["stand while a wheel turns and time is counted", ["✻ Baking… 9s ⠋ ◐ 1,024"], ["✶ Baking… 59s ⠙ ◑ 2,048"], 0],
    ["stand while rules and boxes are drawn", ["one"], ["one ──── │ ▀▀ █"], 0]
  ])("%s", (_, before, after, by) => {
    const box = ["────────", "❯ ", "────────", "  a status line"]
    const letters = (above: ReadonlyArray<string>) => read([...above, ...box]).letters ?? NaN
    assert.strictEqual(letters(after) - letters(before), by)
  })

  it("are none of the draft's and none below the box", () => {
    const plain = read(["one", "> "]).letters
    assert.strictEqual(read(["one", "> a draft", "  and more"], boxed("a draft\nand more")).letters, plain)
    assert.strictEqual(read(["one", "│ > a draft  │", "? for shortcuts"], boxed("a draft")).letters, plain)
    assert.strictEqual(read(["one", "a draft"], boxed("a draft")).letters, plain, "in a box without a caret")
  })

  it("are not counted where there is no box", () =>
    assert.isUndefined(read(["❯ 1. Yes"], { ...unrecognizedFacts, picker: true }).letters))
})

describe("a slash command that the CLI says it does not know", () => {
  it.each([
    ["● Unknown command: /nosuch", "/nosuch"],
    [" ✗ Unknown command: /tmp", "/tmp"],
    ["• Unrecognized command '/nosuch'. Type \"/\" for a list of supported commands.", "/nosuch"],
    ["✕ Unknown command: /foo:bar.", "/foo:bar"],
    ["Unknown slash command: /Users/", "/Users/"],
    ["● It said Unknown command: /nosuch", undefined],
    ["    Unknown command: /nosuch", undefined],
    ["● Unknown command", undefined]
  ])("%j: %s", (row, refused) => {
    assert.strictEqual(read([row, "> "]).refused, refused)
  })

  it("is the last one", () => {
    assert.deepInclude(read(["● Unknown command: /a", "● Unknown command: /b", "> "]), { refused: "/b", refusals: 2 })
    assert.isUndefined(read(["● Unknown command: /a", "❯ 1. Yes"], { ...unrecognizedFacts, picker: true }).refused)
  })
})

describe("a prompt that a hook of the user's has refused", () => {
  it.each([
    [
      claudeDetection,
      "● UserPromptSubmit operation blocked by hook:",
      "  └ UserPromptSubmit operation blocked by hook:"
    ],
    [geminiDetection, "⚠  Agent execution blocked: no secrets here", "  └ Agent execution blocked"],
    [codexDetection, "• Blocked by hook", "• It was Blocked by hook"]
  ] as const)("%#: is told by its CLI's own row", ({ refusedPrompt }, row, other) => {
    assert.strictEqual(read([row, "  a reason", row, "> "], boxed(), refusedPrompt).blocked, 2)
    assert.isUndefined(read([other, "> "], boxed(), refusedPrompt).blocked)
    assert.isUndefined(read([row, "> "]).blocked)
  })
})

describe("a screen that the CLI's own reader does not know", () => {
  const dialog = (...rows: ReadonlyArray<string>) => readCommon(view(rows)).dialog
  it("shows a dialog where its last rows name a key for a choice, and none in other text", () => {
    assert.isNull(dialog("Something that cannot be read.", "It has no prompt."))
    assert.isNotNull(dialog("Something to choose from.", "Enter to select · Esc to cancel"))
  })
})

describe("the picture of a screen at work", () => {
  const works: ScreenFacts = { ...boxed(), working: true, activity: "Working" }
  const box = ["> "]
  const picture = (above: string, below: string, facts = works) => read([above, ...box, below], facts).picture
  it("changes with a wheel above the box, and in the row of work below it", () => {
    const one = picture("✻ Baking…", "● Working · 3 B")
    assert.strictEqual(picture("✻ Baking…", "● Working · 3 B"), one)
    assert.notStrictEqual(picture("✶ Baking…", "● Working · 3 B"), one)
    assert.notStrictEqual(picture("✻ Baking…", "◉ Working · 3 B"), one)
  })

  it("does not change with a clock below the box", () =>
    assert.strictEqual(picture("● Working", "main | 12:01"), picture("● Working", "main | 12:02")))
})

describe("blanks that are not the common one", () => {
  it("are read as if they were", () => {
    const rows = ["\u00a0\u00a0indented\u2003\u3000more", "as it is", "\u00a0", "no\u200bwidth"]
    assert.deepStrictEqual(withPlainBlanks(view(rows)).lines, ["  indented  more", "as it is", "", "nowidth"])
    const faint = { ...view(rows), faint: () => "\u00a0faint" }
    assert.strictEqual(withPlainBlanks(faint).faint(0), " faint")
  })

  it("cost nothing where there are none", () => {
    const plain = view(["one", "│ two │"])
    assert.strictEqual(withPlainBlanks(plain), plain)
  })
})
