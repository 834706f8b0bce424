import { assert, describe, it } from "@effect/vitest"
import { detachKey } from "../../../src/domain/terminal/DetachKey.ts"

describe("the detach key", () => {
  it.each([
    { name: "legacy", bytes: "\x1c" },
    { name: "kitty", bytes: "\x1b[92;5u" },
    { name: "kitty with Num Lock", bytes: "\x1b[92;133u" },
    { name: "modifyOtherKeys", bytes: "\x1b[27;5;92~" }
  ])("is known in its $name encoding", ({ bytes }) => {
    assert.isTrue(detachKey()!.has(bytes))
  })

  it.each(["ctrl-]", "C-]", "^]", "ctrl-b"])("can be %s instead", (name) => {
    assert.isTrue(detachKey(name)!.has(name === "ctrl-b" ? "\x02" : "\x1d"))
    assert.isFalse(detachKey(name)!.has("\x1c"))
  })

  it.each(["", "x", "ctrl-", "ctrl-m", "ctrl-i", "ctrl-[", "ctrl-é", "alt-x"])("'%s' is refused", (name) => {
    assert.isNull(detachKey(name))
  })
})
