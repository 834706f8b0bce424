import { assert, describe, it } from "@effect/vitest"
import { defaultSettings } from "../../../src/domain/store/settings/Settings.ts"
import { attachKeys, openingNote } from "../../../src/programs/attach/attachedKeys.ts"

const names = { command: "ctrl-]", capture: "^^", detach: "ctrl-\\", suspend: "ctrl-z" }

describe("what is said before the screen is shown", () => {
  it.each([
    [null, names, "[session 'b': ctrl-\\ detaches, ctrl-] opens leap's menu]"],
    [null, { ...names, command: null }, "[session 'b': ctrl-\\ detaches]"],
    [
      "a",
      names,
      "[session 'b', inside 'a': where that is attached, ctrl-\\ leaves 'a'; ctrl-] twice, then d, detaches 'b']"
    ],
    ["a", { ...names, command: null }, "[session 'b', inside 'a': where that is attached, ctrl-\\ leaves 'a']"]
  ])("names the keys of this terminal, inside %s", (inside, own, note) =>
    assert.strictEqual(openingNote("b", own, inside), note)
  )
})

it("has no name of a key that is switched off, or that cannot be used here", () => {
  const namesOf = (more: object, suspend: boolean) =>
    attachKeys({ ...defaultSettings.attach, ...more }, "ctrl-\\", { write: true, suspend })?.names
  assert.deepStrictEqual(namesOf({}, true), names)
  assert.deepStrictEqual(namesOf({}, false), { ...names, suspend: null })
  assert.deepStrictEqual(namesOf({ suspendKey: "off", commandKey: "off", capture: "off" }, true), {
    command: null,
    capture: null,
    detach: "ctrl-\\",
    suspend: null
  })
})
