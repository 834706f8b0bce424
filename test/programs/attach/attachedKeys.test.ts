import { assert, describe, it } from "@effect/vitest"
import { openingNote } from "../../../src/programs/attach/attachedKeys.ts"

const names = { command: "ctrl-]", capture: "^^", detach: "ctrl-\\" }

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
