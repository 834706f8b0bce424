import { assert, it } from "@effect/vitest"
import type { AgentEvent } from "../../../../src/domain/cli/headless/AgentEvent.ts"
import { after, nothingYet } from "../../../../src/domain/cli/headless/RunSoFar.ts"

const most = 1 << 20
const text = (message: string, said: string, delta: boolean): AgentEvent => ({
  _tag: "Text",
  message,
  text: said,
  delta,
  agent: null
})
const said = (...events: ReadonlyArray<AgentEvent>) => events.reduce(after, nothingYet).text

it("a run that is interrupted has its last message's text, up to a bound, and nothing of the one before", () => {
  assert.strictEqual(said(text("a", "one ", true), text("a", "two", true)), "one two")
  assert.strictEqual(said(text("a", "one", true), text("b", "two", true)), "two")
  const long = "x".repeat(most - 1)
  assert.strictEqual(said(text("a", long, true), text("a", "yz", true)), `${long}y`)
  assert.strictEqual(said(text("a", long, true), text("b", "yz", false), text("b", "!", true)), "yz!")
  assert.strictEqual(said(text("a", `${long}${long}`, false)).length, most)
})

it("is left as it is by each further piece once its text is full, whose copy would cost a megabyte", () => {
  const full = [text("a", "x".repeat(most), true)].reduce(after, nothingYet)
  assert.strictEqual(after(full, text("a", "y", true)), full)
  assert.strictEqual(after(full, text("b", "y", true)).text, "y")
})
