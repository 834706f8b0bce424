import { assert, describe, it } from "@effect/vitest"
import { claudeInput } from "../../../../src/domain/providers/claude/Input.ts"
import type { Dialog, DialogKind } from "../../../../src/domain/words/session/Screen.ts"
import { assertRefused } from "../../../support/data/refused.ts"

const menu = (labels: ReadonlyArray<string>, selected = 0, kind: DialogKind = "question", numbers = true): Dialog => ({
  kind,
  title: "Which?",
  options: labels.map((label, index) => ({ number: numbers ? index + 1 : null, label, selected: index === selected }))
})
const question = menu(["Red", "Blue", "Type something.", "Chat about this"])
const onText = menu(["Red", "Blue", "Type something.", "Chat about this"], 2)
const ticked = menu(["[ ] Lint", "[✔] Types", "[ ] Type something", "Chat about this"])
const plan = menu(["Yes, and use auto mode", "Yes, manually approve edits", "Tell Claude what to change"], 0, "plan")
const trust = menu(["No, exit", "Yes, I trust this folder"], 0, "trust", false)
const settingsError = menu(["Exit and fix manually", "Continue without these settings"], 0, "trust")
const permission = menu(["Yes", "No"], 0, "permission")
/** A screen reader's look, whose field holds this. */
const field = (typed: string, labels: ReadonlyArray<string> = ["Red", "Blue", "Other"]): Dialog => ({
  ...menu(labels, -1),
  typed
})
const up = "\u001b[A"
const down = "\u001b[B"

describe("answer", () => {
  it.each<readonly [string, Dialog, string, ReadonlyArray<string>]>([
    ["a number chooses at once", permission, "2", ["2"]],
    ["a label chooses its option", permission, " no ", ["2"]],
    ["without numbers the cursor goes there", trust, "2", [down, "\r"]],
    ["what ends the CLI, by its words", settingsError, "exit and fix manually", ["1"]],
    ["the other one by its number", settingsError, "2", ["2"]],
    ["the option under the cursor", trust, "No, exit", ["\r"]],
    // beside pictures, where no text can be given, a digit only moves
    ["a number, where options have pictures", menu(["Red", "Blue"]), "2", [down, "\r"]],
    ["a number, with the text row selected, is no text", onText, "1", [up + up, "\r"]],
    ["a text for a plan", plan, "add tests", ["3", "add tests", "\r"]],
    ["a tick by its label", ticked, "types", ["2"]],
    ["on to the next page", ticked, "next", ["\t"]],
    ["a field that holds something is emptied first", field("11"), "2", ["\u007f\u007f", "2", "\r"]]
  ])("%s", (_, dialog, answer, writes) => {
    assert.deepStrictEqual(claudeInput.answer(dialog, answer), { _tag: "Keys", writes })
  })

  it.each<readonly [string, Dialog, string, RegExp]>([
    ["no option of that number", permission, "3", /no option 3.*1 Yes, 2 No/],
    ["zero", permission, "0", /no option 0/],
    ["a text where none is taken", permission, "maybe", /takes no text/],
    ["nothing", permission, "  ", /empty/],
    ["the number of the text row", question, "3", /takes a text/],
    ["a one that would end the CLI", settingsError, "1", /'Exit and fix manually', which ends .*2 Continue without/],
    ["the same where no number is shown", trust, "1", /'No, exit', which ends .*2 Yes, I trust this folder/],
    ["no options on screen", { ...permission, options: [] }, "1", /no options/]
  ])("refuses %s", (_, dialog, answer, why) => assertRefused(claudeInput.answer(dialog, answer), why))
})

describe("showsPasted", () => {
  it.each<readonly [string, string, boolean]>([
    ["fix it", "fix that", false],
    ["fix it now", "fix it", false],
    ["", "", false],
    ["[Pasted text #1 +29 lines]", Array.from({ length: 30 }, (_, i) => `${i}`).join("\n"), true],
    ["[Pasted text #1 +1 line]", "a\nb", true],
    ["[Pasted text #3]", "x".repeat(900), true],
    ["[Image #1]", "/a.png", true],
    ["[Image #1]", "see this", false],
    ["[Pasted text #1 +29 lines]", "a\nb", false],
    ["[Pasted text #1 +1 line] and more", "a\nb", false],
    ["half [Pasted text #1 +1 line]", "a\nb", false]
  ])("%j for %j: %s", (draft, text, expected) => {
    assert.strictEqual(claudeInput.showsPasted(draft, text), expected)
  })
})

describe("keys", () => {
  it("clear without stopping a turn, in a write that is no paste", () => {
    assert.notInclude(claudeInput.clear, "\u0003")
    assert.notInclude(claudeInput.clear, "\u001b")
    assert.isBelow(claudeInput.clear.length, 49)
  })
})
