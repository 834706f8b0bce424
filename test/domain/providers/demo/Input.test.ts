import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { demoInput } from "../../../../src/domain/providers/demo/Input.ts"
import { readScreen } from "../../../../src/domain/providers/demo/Screen.ts"
import { DemoModel } from "../../../support/demo/demoModel.ts"
import { effect, effectOfEach } from "../../../support/run/effects.ts"

/** Answers the dialog on screen the way leap does: read, then type what the protocol says. */
const answering = (demo: DemoModel, answer: string) =>
  Effect.gen(function* () {
    const { dialog } = readScreen(yield* demo.view())
    if (dialog === null) return "no dialog"
    const keys = demoInput.answer(dialog, answer)
    if (keys._tag === "Refused") return keys.why
    keys.writes.forEach((write) => demo.type(write))
    return (
      demo
        .log()
        .filter((line) => line.startsWith("dialog_answered"))
        .at(-1) ?? "still up"
    )
  })

const permission = () => new DemoModel().type("write a file\r").run()
const question = () => new DemoModel().type("ask me\r").run()

describe("demoInput.answer", () => {
  effectOfEach([
    [permission, "1", "dialog_answered: Yes"],
    [permission, "no", "dialog_answered: No"],
    [permission, "2", "dialog_answered: Yes, and don't ask again for Write"],
    [permission, "4", "'4' is none of the options on screen (1, 2, 3)"],
    [permission, "perhaps", "'perhaps' is none of the options on screen (1, 2, 3)"],
    [permission, " ", "the answer is empty"],
    [question, "2", "dialog_answered: The scenic way"],
    [question, "the short way", "dialog_answered: The short way"],
    [question, "over\nthe 2 hills\r", "dialog_answered: over the 2 hills"],
    [question, "3", "option 3 takes a text of your own: answer with that text"],
    [question, "9", "'9' is none of the options on screen (1, 2, 3)"]
  ] as const)("%#: %s", function* ([dialog, answer, said]) {
    assert.strictEqual(yield* answering(dialog(), answer), said)
  })

  effect("is right wherever the user left the selection, with text in the free row", function* () {
    assert.strictEqual(yield* answering(question().type("3").type("half"), "1"), "dialog_answered: The short way")
    assert.strictEqual(yield* answering(question().type("3").type("half"), "whole"), "dialog_answered: whole")
    assert.strictEqual(yield* answering(permission().type("\x1b[B\x1b[B"), "1"), "dialog_answered: Yes")
  })

  it.effect.prop("a text of one's own arrives as it is, in one line", { text: Schema.String }, ({ text }) =>
    Effect.gen(function* () {
      const line = text.replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, " ").trim()
      const own = `=${line}`
      assert.strictEqual(yield* answering(question(), own), `dialog_answered: ${own}`)
    })
  )
})

describe("demoInput.showsPasted", () => {
  it.each([
    ["hel", "hello", false],
    ["hello!", "hello", false],
    ["", "hello", false],
    ["[pasted 3 lines]", "a\r\nb\nc", true],
    ["[pasted 4 lines]", "a\nb\nc", false],
    ["[pasted 5 characters]", "hello", true],
    ["…the end", "the beginning and the end", true],
    ["…the end", "the end of it", false],
    ["…", "anything", false]
  ])("%j shows %j: %s", (draft, text, shown) => {
    assert.strictEqual(demoInput.showsPasted(draft, text), shown)
  })
})
