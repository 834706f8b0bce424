import { assert, describe, it } from "@effect/vitest"
import { detachKey, isPressedIn, isPressOf } from "../../../../src/domain/terminal/sequences/DetachKey.ts"

const is = (name: string | undefined, bytes: string): boolean => isPressOf(detachKey(name)!, bytes)

describe("the detach key", () => {
  it.each([
    { name: "legacy", bytes: "\x1c" },
    { name: "kitty", bytes: "\x1b[92;5u" },
    { name: "kitty with Num Lock", bytes: "\x1b[92;133u" },
    { name: "kitty with events", bytes: "\x1b[92;5:1u" },
    { name: "modifyOtherKeys", bytes: "\x1b[27;5;92~" },
    { name: "Ukrainian, by its place", bytes: "\x1b[1169::92;5u" },
    { name: "Ukrainian, by its letter", bytes: "\x1b[1169;5u" }
  ])("is known in its $name encoding", ({ bytes }) => {
    assert.isTrue(is(undefined, bytes))
  })

  it.each<readonly [what: string, name: string, bytes: string]>([
    ["Russian ъ by its place", "ctrl-]", "\x1b[1098::93;5u"],
    ["Russian ъ by its letter", "ctrl-]", "\x1b[1098;5u"],
    ["Russian ъ by modifyOtherKeys", "ctrl-]", "\x1b[27;5;1098~"],
    ["Russian Ъ with Caps Lock", "ctrl-]", "\x1b[1066;69u"],
    ["Ukrainian ї", "ctrl-]", "\x1b[1111;5u"],
    ["Russian я by its place", "ctrl-z", "\x1b[1103::122;5u"],
    ["Russian я by its letter", "ctrl-z", "\x1b[1103;5:1u"],
    ["Ukrainian і", "ctrl-s", "\x1b[1110;5u"],
    ["Belarusian і", "ctrl-b", "\x1b[1110;5u"],
    ["Belarusian І by modifyOtherKeys", "ctrl-b", "\x1b[27;5;1030~"],
    ["Belarusian ы", "ctrl-s", "\x1b[1099;5u"],
    ["Greek ζ", "ctrl-z", "\x1b[950;5u"],
    ["Hebrew ז", "ctrl-z", "\x1b[1494;5u"],
    ["Greek β", "ctrl-b", "\x1b[946::98;5u"],
    ["^ with Shift", "ctrl-^", "\x1b[54:94;6u"],
    ["_ with Shift", "ctrl-_", "\x1b[45:95;6u"]
  ])("%s is %s", (_, name, bytes) => assert.isTrue(is(name, bytes)))

  it.each<readonly [what: string, name: string, bytes: string]>([
    ["Belarusian і by its place", "ctrl-s", "\x1b[1110::98;5u"],
    ["its release", "ctrl-]", "\x1b[1098::93;5:3u"],
    ["its repetition", "ctrl-]", "\x1b[93;5:2u"],
    ["with Shift", "ctrl-z", "\x1b[1103:1071:122;6u"],
    ["with Alt", "ctrl-z", "\x1b[1103::122;7u"],
    ["with Super", "ctrl-z", "\x1b[122;13u"],
    ["without Ctrl", "ctrl-]", "\x1b[1098::93u"],
    ["a Latin letter in another's place (AZERTY's w at z)", "ctrl-z", "\x1b[119::122;5u"],
    ["no key at all", "ctrl-z", "\x1b[99999999;5u"]
  ])("%s is not it", (_, name, bytes) => assert.isFalse(is(name, bytes)))

  it("is found among other bytes", () => {
    const key = detachKey("ctrl-z")!
    for (const bytes of ["ab\x1a", "x\x1b[1103::122;5uy", "\x1b[A\x1b[122;5u"]) assert.isTrue(isPressedIn(key, bytes))
    for (const bytes of ["", "z", "\x1b[122;6u\x1b[1103u"]) assert.isFalse(isPressedIn(key, bytes))
  })

  it.each(["ctrl-]", "C-]", "^]", "ctrl-b"])("can be %s instead", (name) => {
    assert.isTrue(is(name, name === "ctrl-b" ? "\x02" : "\x1d"))
    assert.isFalse(is(name, "\x1c"))
  })

  it.each(["", "x", "ctrl-", "ctrl-m", "ctrl-i", "ctrl-[", "ctrl-é", "alt-x"])("'%s' is refused", (name) => {
    assert.isNull(detachKey(name))
  })
})
