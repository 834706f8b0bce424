import { assert, describe, it } from "@effect/vitest"
import * as InputBytes from "../../../../src/domain/terminal/sequences/InputBytes.ts"
import { opencodeInput } from "../../../../src/domain/providers/opencode/Input.ts"
import type { Dialog } from "../../../../src/domain/words/session/Screen.ts"
import { assertRefused } from "../../../support/data/refused.ts"

const permission = (selected: number | null): Dialog => ({
  kind: "permission",
  title: "Shell command: touch a",
  options: ["Allow once", "Allow always", "Reject"].map((label, index) => ({
    number: null,
    label,
    selected: index === selected
  }))
})
const question = (labels: ReadonlyArray<string>): Dialog => ({
  kind: "question",
  title: "Which?",
  options: labels.map((label, index) => ({ number: index + 1, label, selected: index === 0 }))
})
const one = question(["SQLite ✓", "PostgreSQL", "Type your own answer"])
const typing = (text: string) => question(["SQLite", "PostgreSQL", `Type your own answer: ${text}`])
const ticked = question(["[ ] Lint", "[✓] Types", "[ ] Type your own answer"])
const right = "\u001b[C"
const left = "\u001b[D"
const escape = "\u001b[27u"

it.each<readonly [string, boolean]>([
  ["/new", true],
  ["/compact", true],
  ["/review", false],
  ["/new page", false],
  ["/srv/app is broken", false],
  ["see /new", false],
  ["/new\n", false]
])("a command of its own is typed, since a pasted one goes to the model: %j", (text, isTyped) => {
  assert.strictEqual(opencodeInput.typed?.(text), isTyped)
})

describe("answer", () => {
  it.each<readonly [string, Dialog, string, ReadonlyArray<string>]>([
    ["the choice under the keys", permission(0), "1", ["\r"]],
    ["another choice by its number", permission(0), "3", [right + right, "\r"]],
    ["a choice by its words", permission(2), "allow ONCE", [left + left, "\r"]],
    ["an option by its words, given before", one, "sqlite", ["1"]],
    ["a text of one's own", one, "DuckDB\n please", ["3", "DuckDB please", "\r"]],
    ["a text where one is just begun", typing(""), "DuckDB", ["DuckDB", "\r"]],
    ["a text in the place of another", typing("Duck"), "MySQL", [opencodeInput.clear, "MySQL", "\r"]],
    ["an option while a text is typed", typing("Duck"), "1", [escape, "1"]],
    ["a tick by its words", ticked, "types", ["2"]],
    ["on to the next page", ticked, "next", ["\t"]]
  ])("%s", (_, dialog, answer, writes) => {
    assert.deepStrictEqual(opencodeInput.answer(dialog, answer), { _tag: "Keys", writes })
  })

  it.each<readonly [string, Dialog, string, RegExp]>([
    ["a choice that the screen does not show", permission(null), "1", /does not show/],
    ["the number of the text's row", one, "3", /takes a text/],
    ["no choices on screen", { ...one, options: [] }, "1", /no options/],
    ["an option without a key", question(Array.from({ length: 11 }, (_, i) => `option ${i + 1}`)), "10", /no key/]
  ])("refuses %s", (_, dialog, answer, why) => assertRefused(opencodeInput.answer(dialog, answer), why))
})

describe("keys", () => {
  const kinds = (keys: string) =>
    InputBytes.classify(InputBytes.start, keys, 0).parts.map((part) => (part._tag === "Keys" ? part.kind : part._tag))

  it("interrupt with two Escapes that are no Alt key", () => {
    assert.deepStrictEqual(kinds(opencodeInput.interrupt), ["escape", "escape"])
    assert.notInclude(opencodeInput.interrupt, "\u001b\u001b")
  })

  it("clear without a key that declines a dialog, submits or ends", () => {
    assert.notIncludeMembers(kinds(opencodeInput.clear), ["escape", "ctrl-c", "ctrl-d", "enter"])
  })

  it("clear what is before the cursor and what is behind it", () => {
    assert.isAtLeast(opencodeInput.clear.split("\u000b\u001b[3~").length, 20)
    assert.isAtLeast(opencodeInput.clear.split("\u0015\u007f").length, 20)
  })

  it("quit one by one", () => {
    assert.deepStrictEqual(opencodeInput.quit.map(kinds), [["ctrl-c"], ["ctrl-c"]])
  })
})

describe("showsPasted", () => {
  it.each<readonly [string, string, string, boolean]>([
    ["a folded text", "[Pasted ~3 lines]", "one\ntwo\nthree\n", true],
    ["a folded text of other length", "[Pasted ~2 lines]", "one\ntwo\nthree", false],
    ["a picture", "see this [Image 1]", "see this\n@/a.png", true],
    ["another picture", "[Image 1] [Image 2]", "/a.png", false],
    ["a part", "say", "say hello", false],
    ["nothing", "", "", false]
  ])("%s", (_, draft, text, shows) => {
    assert.strictEqual(opencodeInput.showsPasted(draft, text), shows)
  })
})
