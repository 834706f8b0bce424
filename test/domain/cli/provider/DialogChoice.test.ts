import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { choiceOf } from "../../../../src/domain/cli/provider/DialogChoice.ts"
import type { DialogOption } from "../../../../src/domain/words/session/Screen.ts"

const menu = (labels: ReadonlyArray<string>, numbered: boolean) => ({
  options: labels.map((label, i): DialogOption => ({
    label,
    number: numbered && label !== "Done" ? i + 1 : null,
    selected: i === 0
  }))
})
const gate = ["No, exit", "Yes, I accept"]
const edit = ["Yes", "Yes, and don't ask again", "No, and tell what to do (esc)"]

/** The label that is chosen; "other" for a text of one's own, "?" where it is refused. */
const chosen = (labels: ReadonlyArray<string>, numbered: boolean, answer: string) =>
  Result.match(choiceOf(menu(labels, numbered), answer), {
    onFailure: () => "?",
    onSuccess: (choice) => (choice._tag === "Option" ? choice.option.label : "other")
  })

describe("what an answer chooses", () => {
  it.each([
    [gate, false, "1", "?"],
    [gate, false, "2", "Yes, I accept"],
    [gate, false, "no, EXIT", "No, exit"],
    [gate, false, "yes", "Yes, I accept"],
    [gate, true, "1", "No, exit"],
    [gate, false, "3", "other"],
    [edit, true, "yes", "Yes"],
    [edit, true, "yes,", "Yes, and don't ask again"],
    [edit, true, "ye", "?"],
    [edit, true, "no", "No, and tell what to do (esc)"],
    [edit, true, "use tabs", "other"],
    [["[ ] Apples", "[✓] Pears", "Done"], true, "pears", "[✓] Pears"],
    [["[ ] Apples", "[✓] Pears", "Done"], true, "3", "other"],
    [["[ ] Apples", "[✓] Pears", "Done"], true, "done", "Done"],
    [[], false, "yes", "other"]
  ] as const)("in %j (numbers shown: %s) %s is %s", (labels, numbered, answer, label) => {
    assert.strictEqual(chosen(labels, numbered, answer), label)
  })
})
