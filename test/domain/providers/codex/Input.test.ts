import { assert, describe, it } from "@effect/vitest"
import { codexInput } from "../../../../src/domain/providers/codex/Input.ts"
import type { Dialog, DialogKind } from "../../../../src/domain/words/session/Screen.ts"
import { assertRefused } from "../../../support/data/refused.ts"

const menu = (labels: ReadonlyArray<string>, selected = 0, kind: DialogKind = "question"): Dialog => ({
  kind,
  title: "Which?",
  options: labels.map((label, index) => ({ number: index + 1, label, selected: index === selected }))
})
const approval = menu(
  [
    "Yes, proceed (y)",
    "Yes, and don't ask again for these files (a)",
    "No, and tell Codex what to do differently (esc)"
  ],
  0,
  "permission"
)
const question = menu(["SQLite (Recommended)", "PostgreSQL", "MySQL", "None of the above"])
const plan = menu(["Yes, implement this plan", "Yes, clear context and implement", "No, stay in Plan mode"], 0, "plan")
const trust = menu(["Trust and continue", "Back to Agent Command Center"], 0, "trust")
const down = "\u001b[B"

describe("answer", () => {
  it.each<readonly [string, Dialog, string, ReadonlyArray<string>]>([
    ["a label, without its key", approval, "yes, proceed", ["1"]],
    ["a label that has a bracket of its own", question, "sqlite (recommended)", ["1"]],
    ["an option of a plan", plan, "no, stay in plan mode", ["3"]],
    [
      "a text goes into the notes of the last option",
      question,
      " DuckDB,\nbecause it is fast ",
      [down.repeat(3), "\t", "DuckDB, because it is fast", "\r"]
    ],
    ["a text, with that option selected", menu(["Red", "None of the above"], 1), "green", ["\t", "green", "\r"]],
    ["a gate under the cursor", trust, "1", ["\r"]],
    [
      "beyond nine the cursor goes",
      menu(Array.from({ length: 12 }, (_, i) => `o${i + 1}`)),
      "11",
      [down.repeat(10), "\r"]
    ]
  ])("%s", (_, dialog, answer, writes) => {
    assert.deepStrictEqual(codexInput.answer(dialog, answer), { _tag: "Keys", writes })
  })

  it.each<readonly [string, Dialog, string, RegExp]>([
    ["one above the screen", { ...approval, options: approval.options.slice(1) }, "1", /no option 1.*2 Yes, and/],
    ["a text for a plan", plan, "add tests", /takes no text/],
    ["a text for a question without a row for it", menu(["Red", "Green"]), "blue", /takes no text/],
    ["no options on screen", { ...approval, options: [] }, "1", /no options/]
  ])("refuses %s", (_, dialog, answer, why) => assertRefused(codexInput.answer(dialog, answer), why))
})

describe("showsPasted", () => {
  const long = "x".repeat(1_500)
  it.each<readonly [string, string, boolean]>([
    ["fix it", "fix that", false],
    ["fix it now", "fix it", false],
    ["", "", false],
    ["see this [Image #1]", "see this\n@/a.png", true],
    ["see this [Image #1]", "see this\n@/a.png\n@/b.png", false],
    ["[Image #1]", "see this", false],
    ["[Pasted Content 1500 chars] #2", long, true],
    ["[Pasted Content 1499 chars]", long, false],
    ["my own [Pasted Content 1500 chars]", long, false],
    ["[Pasted Content 1500 chars][Pasted Content 1500 chars] #2", long, false],
    ["[Pasted Content 1200 chars]", "a\r\n".repeat(600), true]
  ])("%j: %s", (draft, text, expected) => {
    assert.strictEqual(codexInput.showsPasted(draft, text), expected)
  })
})

describe("keys", () => {
  it("clear from anywhere in a text, without stopping a turn or ending the CLI", () => {
    assert.match(codexInput.clear, /^\u0005+\u0015+$/)
    assert.isAtLeast(codexInput.clear.split("\u0015").length - 1, 40, "twenty lines")
  })

  it("submit, interrupt and quit", () => {
    assert.deepStrictEqual(
      [codexInput.submit, codexInput.interrupt, codexInput.quit, codexInput.bracketedPaste],
      ["\r", "\u001b", ["\u0004"], true]
    )
  })
})
