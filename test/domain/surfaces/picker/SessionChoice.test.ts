import { assert, describe, it } from "@effect/vitest"
import {
  choicesOf,
  chooseKey,
  type ChoiceState,
  startChoice
} from "../../../../src/domain/surfaces/picker/SessionChoice.ts"

const running = ["many-12", "many-1", "Other"].map((tag) => ({ tag, state: "idle" }))
const shown = (typed: string) =>
  choicesOf(running, typed).map((choice) =>
    choice._tag === "Running" ? choice.session.tag : choice._tag === "Named" ? `new ${choice.name}` : "new"
  )
const typing = (...keys: ReadonlyArray<string>): ChoiceState =>
  keys.reduce((state, key) => {
    const name = key.length === 1 ? "" : key
    return chooseKey(running, state, { name, text: name === "" ? key : "" }) ?? state
  }, startChoice)

describe("which session", () => {
  it.each([
    ["", ["many-12", "many-1", "Other", "new"]],
    ["many-1", ["many-1", "many-12"]],
    [" many-12 ", ["many-12"]],
    ["many", ["many-12", "many-1", "new many"]],
    ["other", ["Other", "new other"]],
    ["fresh", ["new fresh"]]
  ] as const)("'%s' gives %j", (typed, expected) => {
    assert.deepStrictEqual(shown(typed), [...expected])
  })

  it("is chosen by arrows, round the ends; a typed letter begins at the first again", () => {
    assert.deepStrictEqual(typing("down", "down"), { typed: "", selected: 2 })
    assert.deepStrictEqual(typing("up"), { typed: "", selected: 3 })
    assert.deepStrictEqual(typing("down", "a", "b", "backspace"), { typed: "a", selected: 0 })
    assert.deepStrictEqual(typing("backspace", "escape"), startChoice)
  })
})
