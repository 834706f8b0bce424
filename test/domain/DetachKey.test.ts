import { assert, describe, it } from "@effect/vitest"
import { detachKey, splitAtDetach } from "../../src/domain/DetachKey.ts"
import * as InputBytes from "../../src/domain/InputBytes.ts"

const split = (bytes: string, name?: string) =>
  splitAtDetach(InputBytes.classify(InputBytes.start, bytes, 0).parts, detachKey(name)!)

describe("the detach key", () => {
  it.each([
    { name: "legacy", bytes: "ab\x1ccd" },
    { name: "kitty", bytes: "ab\x1b[92;5ucd" },
    { name: "kitty with Num Lock", bytes: "ab\x1b[92;133ucd" },
    { name: "modifyOtherKeys", bytes: "ab\x1b[27;5;92~cd" }
  ])("is seen in its $name encoding, and what was typed before it is kept", ({ bytes }) => {
    assert.deepStrictEqual(split(bytes), { before: "ab", detached: true })
  })

  it("is no key inside a paste", () => {
    const pasted = "\x1b[200~a\x1cb\x1b[201~"
    assert.deepStrictEqual(split(pasted), { before: pasted, detached: false })
  })

  it.each(["ctrl-]", "C-]", "^]", "ctrl-b"])("can be %s instead", (name) => {
    const key = [...detachKey(name)!][0]!
    assert.isTrue(split(key, name).detached)
    assert.isFalse(split("\x1c", name).detached)
  })

  it.each(["", "x", "ctrl-", "ctrl-m", "ctrl-i", "ctrl-[", "ctrl-é", "alt-x"])("'%s' is refused", (name) => {
    assert.isNull(detachKey(name))
  })
})
