import { assert, describe, it } from "@effect/vitest"
import { cursorAgentInput } from "../../../../src/domain/providers/cursor-agent/Input.ts"
import type { Dialog, DialogKind } from "../../../../src/domain/words/session/Screen.ts"

// The dialogs are as the hand-made screens of CursorScreen.test.ts have them.
const dialog = (
  labels: ReadonlyArray<string>,
  kind: DialogKind = "permission",
  selected: number | null = 0
): Dialog => ({
  kind,
  title: "?",
  options: labels.map((label, at) => ({ number: at + 1, label, selected: at === selected }))
})
const approval = dialog([
  "Run (once) (y)",
  "Add Shell(wc) to allowlist? (tab)",
  "Run Everything (shift+tab)",
  "Skip & tell the agent what to do instead (esc or n)"
])
const write = dialog([
  "Proceed (y) (enter)",
  "Add Write(src/**) to allowlist? (tab)",
  "Reject & propose changes (esc or n or p)"
])
const trust = dialog(["[a] Trust this workspace", "[q] Quit"], "trust")
const question = dialog(["1. dayjs", "2. luxon", "3. none"], "question", 1)

const writes = (dialog: Dialog, answer: string) => {
  const result = cursorAgentInput.answer(dialog, answer)
  return result._tag === "Keys" ? result.writes : result.why
}

describe("an answer to Cursor", () => {
  it.each<readonly [string, Dialog, string, ReadonlyArray<string>]>([
    ["by its key", approval, "y", ["y"]],
    ["a named key", approval, "2", ["\t"]],
    ["another", approval, "3", ["\u001b[Z"]],
    ["what to do instead", approval, " use cat\ninstead ", ["n", "use cat instead", "\r"]],
    ["with two hints", write, "Proceed", ["y"]],
    ["of three keys", write, "3", ["n"]],
    ["no trust", trust, "quit", ["q"]],
    ["with the arrow", question, "3", ["\u001b[B", "\r"]],
    ["with the arrow up", question, "dayjs", ["\u001b[A", "\r"]],
    ["where the arrow is", question, "2", ["\r"]],
    ["a text", dialog([], "elicitation"), "use cat", ["use cat", "\r"]]
  ])("%s", (_, dialog, answer, expected) => {
    assert.deepStrictEqual(writes(dialog, answer), expected)
  })

  it.each<readonly [Dialog, string, RegExp]>([
    [approval, "  ", /empty/],
    [approval, "7", /no option 7; on screen are: 1 Run \(once\), 2 Add Shell\(wc\) to allowlist\?/],
    [trust, "maybe", /takes no text/],
    [dialog([], "question"), "1", /no options/],
    [dialog(["[ ] a", "[✓] b"], "question"), "1", /several answers/],
    [dialog(["1. a", "2. b"], "question", null), "2", /arrow/]
  ])("%j, %s is refused: %s", (dialog, answer, why) => {
    assert.match(String(writes(dialog, answer)), why)
  })
})

describe("a text in Cursor's box", () => {
  it.each([
    ["fix", "fix it", false],
    ["", "", false],
    ["[Pasted text #1 +4 lines]", "a\nb\nc\nd\ne", true],
    ["[Pasted text #1 +9 lines]", "a\nb\nc\nd\ne", false],
    ["[Pasted text #1]", "a", false]
  ])("%j shows %j: %s", (draft, text, shows) => {
    assert.strictEqual(cursorAgentInput.showsPasted(draft, text), shows)
  })
})
