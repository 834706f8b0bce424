import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  cutTo,
  outputLength,
  outputOf,
  previewLength,
  previewOf
} from "../../../../src/domain/cli/headless/toolPreview.ts"

describe("the preview of a tool's arguments", () => {
  it.each<readonly [string, unknown, string]>([
    ["a command in parts", { command: ["bash", "-lc", "ls"] }, "bash -lc ls"],
    ["JSON text", '{"cmd":"ls -la"}', "ls -la"],
    ["JSON text that is none", '{"cmd":', ""],
    ["todos", { todos: [1, 2, 3] }, "3 todos"],
    ["changed files", { changes: [{ path: "a", kind: "add" }, { path: "b" }, 7] }, "a, b"],
    ["a question", { questions: [{ question: "Which?" }] }, "Which?"],
    ["nothing that is known", { foo: 1 }, ""],
    ["no object", 7, ""],
    ["null", null, ""]
  ])("%s", (_, input, preview) => assert.strictEqual(previewOf(input), preview))
  it("is cut between characters as they are seen", () => {
    const family = "👩‍👩‍👧‍👦"
    assert.strictEqual(cutTo(family.repeat(5), 3), `${family}${family}…`)
    assert.strictEqual(cutTo(family.repeat(3), 3), family.repeat(3))
    assert.strictEqual(previewOf({ command: "x".repeat(81) }), `${"x".repeat(79)}…`)
    assert.strictEqual(previewOf({ command: "x".repeat(80) }), "x".repeat(80))
  })
  it.prop(
    "is never longer than it may be",
    { text: Schema.String, more: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 })) },
    ({ more, text }) => {
      const preview = previewOf({ command: text.repeat(more) })
      assert.isAtMost([...new Intl.Segmenter().segment(preview)].length, previewLength)
    }
  )
})

describe("the output of a tool", () => {
  it.each<readonly [string, unknown, string]>([
    ["parts", [{ type: "text", text: "a" }, { type: "image" }, "b"], "a\nb"],
    ["an object with text", { content: "c" }, "c"],
    ["nothing", undefined, ""]
  ])("%s", (_, value, output) => assert.deepStrictEqual(outputOf(value), { output, length: output.length, cut: false }))
  it("is cut, not within a character, and says so", () => {
    assert.isFalse(outputOf("x".repeat(outputLength)).cut)
    const text = "x".repeat(outputLength - 2) + "🙂🙂"
    assert.deepStrictEqual(outputOf(text), {
      output: `${"x".repeat(outputLength - 2)}…`,
      length: text.length,
      cut: true
    })
  })
})
