import { assert, describe, it } from "@effect/vitest"
import * as Keys from "../../../../src/domain/surfaces/tui/Keys.ts"
import { decode, flushHeld } from "../../../../src/domain/surfaces/tui/PointerChords.ts"

const keys = (bytes: string) => decode(Keys.start, bytes).keys

describe("the mouse among keys", () => {
  it.each([
    ["\x1b[<0;1;1M", [{ chord: "click", x: 0, y: 0 }]],
    ["\x1b[<0;81;24M\x1b[<0;81;24m", [{ chord: "click", x: 80, y: 23 }]],
    ["\x1b[<64;3;4M", [{ chord: "wheel-up", x: 2, y: 3 }]],
    ["\x1b[<65;3;4M", [{ chord: "wheel-down", x: 2, y: 3 }]],
    // with Shift and Ctrl held it is the same; other buttons and drags are nothing
    ["\x1b[<20;3;4M", [{ chord: "click", x: 2, y: 3 }]],
    ["\x1b[<2;3;4M\x1b[<32;3;4M\x1b[<35;3;4M", []],
    ["\x1b[<0;0;0M", []],
    [
      "a\x1b[<0;2;2Mb",
      [
        { chord: "text", text: "a" },
        { chord: "click", x: 1, y: 1 },
        { chord: "text", text: "b" }
      ]
    ]
  ])("%j is %j", (bytes, expected) => {
    assert.deepStrictEqual(keys(bytes), expected)
  })

  it("gives up a report that is never finished, and takes a lone Escape for the key", () => {
    assert.deepStrictEqual(flushHeld(decode(Keys.start, "\x1b[<0;1").state).keys, [])
    assert.deepStrictEqual(flushHeld(decode(Keys.start, "\x1b").state).keys, [{ chord: "escape" }])
  })

  it("is the same however the bytes are cut", () => {
    const bytes = "a\x1b[<64;10;20Mb"
    for (let i = 1; i < bytes.length; i++) {
      const first = decode(Keys.start, bytes.slice(0, i))
      const second = decode(first.state, bytes.slice(i))
      assert.deepStrictEqual([...first.keys, ...second.keys], keys(bytes) as never)
    }
  })
})
