import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { jsonAnswer } from "../../../../src/domain/cli/headless/jsonAnswer.ts"

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``

describe("the JSON of an answer", () => {
  it.each<readonly [string, string, string | null]>([
    ["all of it", ' {"a":1}\n', '{"a":1}'],
    ["the one that is JSON", `Run:\n${fenced("", "npm i")}\nand\n${fenced("", "[1]")}`, "[1]"],
    ["the one that is marked", `${fenced("", "[2]")}\n${fenced("json", "[1]")}`, "[1]"],
    ["none of two", `${fenced("", "[2]")}\n${fenced("", "[1]")}`, null],
    ["none of another language", `See:\n${fenced("sh", "42")}\n`, null],
    ["thoughts whose beginning is missing", 'so {"b":2}</think>{"a":1}', '{"a":1}'],
    ["a draft in the thoughts", `<thinking>${fenced("json", "[2]")}</thinking>${fenced("json", "[1]")}`, "[1]"],
    ["a draft and no answer", `<think>\n${fenced("json", "[2]")}\n</think>`, null],
    ["thoughts, and a tag within a text", '<think>x</think>["</think>"]', '["</think>"]'],
    ["prose", "no JSON", null]
  ])("%s", (_, text, source) =>
    assert.strictEqual(Option.getOrNull(Option.map(jsonAnswer(text), ({ source }) => source)), source)
  )
})
