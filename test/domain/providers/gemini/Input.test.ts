import { assert, describe, it } from "@effect/vitest"
import { geminiInput } from "../../../../src/domain/providers/gemini/Input.ts"
import type { Dialog, DialogKind } from "../../../../src/domain/words/session/Screen.ts"
import { assertRefused } from "../../../support/data/refused.ts"

const menu = (labels: ReadonlyArray<string>, selected = 0, kind: DialogKind = "question"): Dialog => ({
  kind,
  title: "Which?",
  options: labels.map((label, index) => ({
    number: label === "Done" ? null : index + 1,
    label,
    selected: index === selected
  }))
})
const field = (label: string): Dialog => ({
  kind: "question",
  title: "Which?",
  options: [{ number: null, label, selected: true }]
})
const permission = menu(["Allow once", "Allow for this session", "No, suggest changes (esc)"], 0, "permission")
const question = menu(["PostgreSQL", "SQLite", "Enter a custom value"])
const typed = menu(["PostgreSQL", "SQLite", "Enter a custom value: Duck"], 2)
const ticked = menu(["[x] Login", "[ ] Search", "[ ] All of the above", "[ ] Enter a custom value", "Done"])
const up = "\u001b[A"
const down = "\u001b[B"

describe("answer", () => {
  it.each<readonly [string, Dialog, string, ReadonlyArray<string>]>([
    ["a label without the key's name", permission, "No, suggest changes", ["3"]],
    ["a text goes into the text row", question, "Duck 2 DB", ["3", "Duck 2 DB", "\r"]],
    ["a number, with the text row selected, is no text", typed, "1", [up + up, "\r"]],
    ["a tick by its label", ticked, "search", ["2"]],
    ["all ticked", ticked, "next", [down.repeat(4), "\r"]],
    [
      "a text where there are no options",
      field("Type an answer: for example, my-app"),
      "bright-otter",
      ["bright-otter", "\r"]
    ],
    ["the last page", field("Submit answers"), "1", ["\r"]],
    ["from ten options on the cursor goes", menu(Array.from({ length: 12 }, (_, i) => `o${i + 1}`)), "2", [down, "\r"]]
  ])("%s", (_, dialog, answer, writes) => {
    assert.deepStrictEqual(geminiInput.answer(dialog, answer), { _tag: "Keys", writes })
  })

  it.each<readonly [string, Dialog, string, RegExp]>([
    ["the number of the text row", question, "3", /takes a text/],
    ["no options on screen", { ...permission, options: [] }, "1", /no options/],
    ["a text for the last page", field("Submit answers"), "DuckDB", /only sends/],
    ["options scrolled away", { ...question, options: question.options.slice(1) }, "2", /part of the dialog/]
  ])("refuses %s", (_, dialog, answer, why) => assertRefused(geminiInput.answer(dialog, answer), why))
})

describe("showsPasted", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`).join("\n")
  it.each<readonly [string, string, boolean]>([
    ["fix it", "fix that", false],
    ["", "", false],
    // A picture's mention is shown by its name, once the cursor has left it.
    ["see this\n[Image shot.png]", "see this\n@/home/me/shot.png", true],
    // A path alone becomes a mention.
    ["@/home/me/my\\ notes.md", "/home/me/my notes.md", true],
    ["@/home/me/other.md", "/home/me/notes.md", false],
    ["[Pasted Text: 14 lines #2]", lines(14), true],
    ["[Pasted Text: 14 lines]", lines(14).replaceAll("\n", "\r\n"), true],
    ["[Pasted Text: 14 lines]", lines(13), false],
    ["[Pasted Text: 700 chars]", "x".repeat(700), true],
    ["[Pasted Text: 700 chars]", "x".repeat(701), false],
    ["[Pasted Text: 14 lines] and more", lines(14), false]
  ])("%j for %j: %s", (draft, text, expected) => {
    assert.strictEqual(geminiInput.showsPasted(draft, text), expected)
  })
})

describe("keys", () => {
  it("clear a box of several lines without stopping a turn or half of a quit", () => {
    assert.notInclude(geminiInput.clear, "\u0003")
    assert.notInclude(geminiInput.clear, "\u001b")
    assert.isAtLeast(geminiInput.clear.split("\u0015\u007f").length, 20)
  })

  it("stop a turn, and quit where the key is asked for twice", () => {
    assert.deepStrictEqual(
      [geminiInput.interrupt, geminiInput.submit, geminiInput.quit],
      ["\u001b", "\r", ["\u0003", "\u0003"]]
    )
    assert.isTrue(geminiInput.bracketedPaste)
  })
})
