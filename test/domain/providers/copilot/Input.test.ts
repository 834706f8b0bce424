import { assert, describe, it } from "@effect/vitest"
import { copilotInput } from "../../../../src/domain/providers/copilot/Input.ts"
import type { Dialog, DialogKind } from "../../../../src/domain/words/session/Screen.ts"
import { assertRefused } from "../../../support/data/refused.ts"

const menu = (labels: ReadonlyArray<string>, selected = 0, kind: DialogKind = "permission"): Dialog => ({
  kind,
  title: "Which?",
  options: labels.map((label, index) => ({
    number: kind === "question" ? null : index + 1,
    label,
    selected: index === selected
  }))
})
const shell = ["Yes", "Yes, and don't ask again", "No, and tell Copilot what to do differently (Esc to stop)"]
const permission = menu(shell)
const typed = menu(["Yes", "Yes, and don't ask again", "use another name (Esc to stop)"], 2)
const trust = menu(["Yes", "Yes, and remember this folder", "No (Esc)"], 0, "trust")
const plan = menu(["Accept plan", "Exit", "Suggest changes"], 0, "plan")
const choice = menu(["PostgreSQL", "SQLite", "Other (type your answer)"], 0, "question")
const field = menu(["(your answer)"], 0, "question")
const ticks = menu(["✓ Login", "• Search", "• Other (type your answer)"], 0, "question")
const up = "\u001b[A"
const down = "\u001b[B"

describe("answer", () => {
  it.each<readonly [string, Dialog, string, ReadonlyArray<string>]>([
    ["a number chooses at once", permission, "2", ["2"]],
    ["a label chooses its option", permission, " yes ", ["1"]],
    ["a label without the key it names", trust, "no", ["3"]],
    ["a number, with a text in the text row, is no text", typed, "2", [up, "\r"]],
    ["a text for a plan", plan, "add tests", ["3", "add tests", "\r"]],
    ["a text for a question", choice, "DuckDB", [down + down, "DuckDB", "\r"]],
    ["a field takes what it is given", field, "12", ["12", "\r"]],
    ["a tick by its label", ticks, "login", [" "]],
    ["all that is ticked", ticks, "next", ["\r"]]
  ])("%s", (_, dialog, answer, writes) => {
    assert.deepStrictEqual(copilotInput.answer(dialog, answer), { _tag: "Keys", writes })
  })

  it.each<readonly [string, Dialog, string, RegExp]>([
    ["the number of the text row", permission, "3", /takes a text/],
    ["the number of the text row of a question", choice, "3", /takes a text/],
    ["a question whose beginning is not on screen", menu([], 0, "question"), "1", /not all on screen/]
  ])("refuses %s", (_, dialog, answer, why) => assertRefused(copilotInput.answer(dialog, answer), why))
})

describe("showsPasted", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`).join("\n")
  const long = Array.from({ length: 40 }, (_, i) => `row number ${i}`)
  it.each<readonly [string, string, string, boolean]>([
    ["the text", "fix it", "fix it", true],
    ["another text", "fix it", "fix that", false],
    ["a part of it", "it now", "fix it now", false],
    ["nothing", "", "", false],
    ["a folded paste", "[Paste #1 - 14 lines]", lines(14), true],
    ["a folded paste of another text", "[Paste #2 - 14 lines]", lines(15), false],
    ["more than a folded paste", "x [Paste #1 - 14 lines]", lines(14), false],
    ["a paste that is kept in a file", "[Saved pasted content to workspace (58.6 KB) id=1]", "y".repeat(60_000), true],
    [
      "another paste that is kept in a file",
      "[Saved pasted content to workspace (12.0 KB) id=1]",
      "y".repeat(60_000),
      false
    ],
    ["the picture that a quoted path leads to", "[📷 two words.png]", "'./two words.png'", true],
    ["the picture that an escaped path leads to", "[📷 two words.png]", "~/two\\ words.png", true],
    ["another picture", "[📷 shot.png]", "/tmp/other.png", false],
    ["a picture beside other text", "[📷 shot.png] see", "/tmp/shot.png", false],
    ["the end of a text that is higher than the box", long.slice(-10).join("\n"), long.join(" "), true],
    ["another part of it", long.slice(5, 15).join("\n"), long.join(" "), false]
  ])("%s", (_, draft, text, expected) => {
    assert.strictEqual(copilotInput.showsPasted(draft, text), expected)
  })
})

describe("keys", () => {
  it("clear without stopping a turn, in a write that is no paste", () => {
    assert.notInclude(copilotInput.clear, "\u0003")
    // 32 characters that could be text in a row are a paste
    assert.notMatch(copilotInput.clear, /\u0015{2}|[^\u007f\u001b]{8}/)
    // Ctrl+U hides an attachment, and the next message carries it: Backspace takes it out first
    assert.isBelow(copilotInput.clear.indexOf("\u007f"), copilotInput.clear.indexOf("\u0015"))
  })

  it("interrupt by one key, which no terminal joins with another", () => {
    assert.strictEqual(copilotInput.interrupt, "\u0003")
  })
})
