import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { AgentEvent } from "../../../../src/domain/cli/headless/AgentEvent.ts"
import { closeLine, finish, noText, print } from "../../../../src/domain/cli/headless/AnswerText.ts"

const text = (text: string, delta = true, message: string | null = null, agent: string | null = null): AgentEvent => ({
  _tag: "Text",
  text,
  delta,
  message,
  agent
})
const tool: AgentEvent = { _tag: "ToolStarted", id: null, tool: "Read", preview: "", input: {}, agent: null }

/** All that is printed; a note is printed where null stands. */
const printed = (events: ReadonlyArray<AgentEvent | null>, answer: string): string => {
  let state = noText
  let all = ""
  for (const event of events) {
    const [next, piece] = event === null ? closeLine(state) : print(state, event)
    state = next
    all += event === null ? `${piece}(note)\n` : piece
  }
  return all + finish(state, answer)
}

describe("an answer that is printed as it comes", () => {
  it.each<readonly [string, ReadonlyArray<AgentEvent | null>, string, string]>([
    ["pieces", [text("a "), text("b")], "a b", "a b\n"],
    ["nothing came before", [], "a", "a\n"],
    ["nothing at all", [], "", ""],
    ["a newline at its end", [text("a\n")], "a\n", "a\n"],
    ["messages", [text("I look.", true, "1"), text("a", true, "2")], "a", "I look.\n\na\n"],
    ["a note between", [text("I look."), tool, null, text("a")], "a", "I look.\n(note)\n\na\n"],
    ["paragraphs of one message", [text("a", false, "1"), text("b", false, "1")], "a\n\nb", "a\n\nb\n"],
    ["a subagent", [text("x", true, "1", "explorer"), text("a", true, "2")], "a", "a\n"],
    ["another answer than was printed", [text("I look.")], "a", "I look.\n\na\n"]
  ])("%s", (_, events, answer, all) => assert.strictEqual(printed(events, answer), all))

  it("is printed once where the answer is longer than what is kept of it", () => {
    const long = "a".repeat((64 << 20) + 3)
    assert.strictEqual(printed([text(long)], long.slice(0, 64 << 20)).length, long.length + 1)
  })

  it.prop(
    "ends with the answer, on a line of its own end",
    { events: Schema.Array(Schema.NullOr(Schema.String)), answer: Schema.String },
    ({ answer, events }) => {
      const came = events.map((piece) => (piece === null ? tool : text(piece)))
      const all = printed(came, answer)
      if (answer === "") return
      assert.isTrue(all.endsWith(`${answer}\n`) || all.endsWith(answer), all)
    }
  )
})
