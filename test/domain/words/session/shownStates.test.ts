import { assert, it } from "@effect/vitest"
import { sessionStates, shownStates } from "../../../../src/domain/words/session/states.ts"

it.each(["sign", "word", "phrase"] as const)(
  "each state has a %s of its own: none is told by its colour alone",
  (name) =>
    assert.strictEqual(new Set(sessionStates.map((state) => shownStates[state][name])).size, sessionStates.length)
)

it("a state that waits for the user looks like no other", () => {
  const waiting = sessionStates.filter((state) => shownStates[state].share === "waiting")
  assert.deepStrictEqual(waiting, ["needs_permission", "needs_input"])
  const colours = new Set(waiting.map((state) => shownStates[state].colour))
  for (const state of sessionStates)
    if (!waiting.includes(state)) assert.isFalse(colours.has(shownStates[state].colour), state)
})
