import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { AgentEvent } from "../../../../src/domain/cli/headless/AgentEvent.ts"
import { type HeldText, maskEvents, release } from "../../../../src/domain/cli/headless/Masking.ts"

const key = "tok-1234567890"
const delta = (text: string, message = "m"): AgentEvent => ({ _tag: "Text", text, delta: true, message, agent: null })
const all = (...batches: ReadonlyArray<ReadonlyArray<AgentEvent>>): ReadonlyArray<AgentEvent> => {
  let held: HeldText = null
  const told: Array<AgentEvent> = []
  for (const batch of batches) {
    const [left, events] = maskEvents(held, batch, [key])
    held = left
    told.push(...events)
  }
  return [...told, ...release(held)]
}
const spoken = (events: ReadonlyArray<AgentEvent>) =>
  events.map((event) => ("text" in event ? event.text : `<${event._tag}>`)).join("")

describe("events without secrets", () => {
  it.prop(
    "wherever the pieces of a text are cut",
    { cuts: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 }))) },
    ({ cuts }) => {
      const text = `a ${key} b tok-12 c ${key}${key} tok-`
      const at = [0, ...new Set(cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b)), text.length]
      assert.strictEqual(
        spoken(all(at.slice(1).map((to, i) => delta(text.slice(at[i], to))))),
        "a *** b tok-12 c ****** tok-"
      )
    }
  )
  it("what is held back comes before what comes next", () => {
    assert.strictEqual(spoken(all([delta("x tok-")], [{ _tag: "Answered", text: key }], [delta("12")])), "x tok-***12")
    assert.deepStrictEqual(all([delta("tok-", "a"), delta("1234567890", "b")]), [
      delta("tok-", "a"),
      delta("1234567890", "b")
    ])
  })
  it("in tools too", () => {
    const tool: AgentEvent = {
      _tag: "ToolStarted",
      id: null,
      tool: "x",
      preview: key,
      input: { command: `echo "${key}"`, n: 1 },
      agent: null
    }
    const ended: AgentEvent = {
      _tag: "ToolEnded",
      id: null,
      tool: null,
      ok: true,
      output: key,
      diff: `+${key}`,
      agent: null
    }
    assert.deepStrictEqual(all([tool, ended]), [
      { ...tool, preview: "***", input: { command: 'echo "***"', n: 1 } },
      { ...ended, output: "***", diff: "+***" }
    ])
    assert.strictEqual(all([{ ...tool, input: undefined }]).length, 1)
  })
  it("nothing is touched without any", () => {
    const events = [delta(key)]
    assert.strictEqual(maskEvents(null, events, [])[1], events)
  })
})
