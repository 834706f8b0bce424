import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { utf8Text } from "../../../../src/domain/words/text/utf8Text.ts"

const bytes = (text: string) => Array.from(new TextEncoder().encode(text))

describe("bytes as text", () => {
  it.each<readonly [what: string, given: ReadonlyArray<number>, found: string | { readonly at: number }]>([
    ["nothing", [], ""],
    ["UTF-8", bytes("café 👩‍💻 \ufffd"), "café 👩‍💻 \ufffd"],
    ["a byte order mark", [0xef, 0xbb, 0xbf, 0x61], "a"],
    ["Latin-1", [0x63, 0x61, 0x66, 0xe9], { at: 4 }],
    ["Latin-1 in the middle", [0x63, 0xe9, 0x20, 0xe9], { at: 2 }],
    ["half a character at the end", [...bytes("a"), 0xe2, 0x82], { at: 2 }],
    ["half a character before another", [0xef, 0x41], { at: 1 }],
    ["one byte of a mark", [0xef], { at: 1 }],
    ["a surrogate", [0x61, 0xed, 0xa0, 0x80], { at: 2 }],
    ["more bytes than needed", [0xc0, 0xaf], { at: 1 }],
    ["UTF-16", [0xff, 0xfe, 0x61, 0x00], { at: 1 }]
  ])("%s", (_, given, found) => {
    assert.deepStrictEqual(utf8Text(Uint8Array.from(given)), found)
  })

  it.prop("all text is itself, and a wrong byte in it has its place", [Schema.String, Schema.String], ([a, b]) => {
    const [before, behind] = [bytes(a), bytes(b)]
    assert.strictEqual(
      utf8Text(Uint8Array.from([...before, ...bytes(".")])),
      `${a.toWellFormed()}.`.replace(/^\ufeff/, "")
    )
    assert.deepStrictEqual(utf8Text(Uint8Array.from([...before, 0xff, ...behind])), { at: before.length + 1 })
  })
})
