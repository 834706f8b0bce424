import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { keyNamed } from "../../../../src/domain/terminal/sequences/KeyNames.ts"

describe("a key by its name", () => {
  it.each([
    ["Esc", "\u001b", false],
    ["enter", "\r", false],
    ["Up", "\u001b[A", false],
    ["C-c", "\u0003", false],
    ["^Z", "\u001a", false],
    ["M-b", "\u001bb", false],
    ["Space", " ", true],
    ["1", "1", true],
    ["é", "é", true]
  ] as const)("%s", (name, bytes, isText) => {
    assert.deepStrictEqual(keyNamed(name), Result.succeed({ bytes, isText }))
  })

  it.each(["hello", "", "C-", "\u001b", "F99"])("'%s' is none", (name) => {
    assert.isTrue(Result.isFailure(keyNamed(name)))
  })
})
