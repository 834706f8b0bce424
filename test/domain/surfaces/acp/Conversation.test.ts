import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import { Effect, Schema } from "effect"
import { type Heard, hear, start } from "../../../../src/domain/surfaces/acp/Conversation.ts"
import type { Update } from "../../../../src/domain/surfaces/acp/Updates.ts"

const play = (heard: ReadonlyArray<Heard>) => {
  let state = start
  const updates: Array<Update> = []
  for (const one of heard) {
    const [next, more] = hear(state, one)
    state = next
    updates.push(...more)
  }
  return { state, updates }
}

/** What was told of the conversation, in its order. */
const lines = (updates: ReadonlyArray<Update>) =>
  updates.flatMap((update) =>
    update.sessionUpdate === "agent_message_chunk" || update.sessionUpdate === "user_message_chunk"
      ? [`${update.sessionUpdate === "user_message_chunk" ? "> " : ""}${update.content.text.trim()}`]
      : []
  )

const sent = (text: string): Heard => ({ _tag: "Sent", text })
const prompted = (text: string, by: "transcript" | "hook" = "transcript"): Heard => ({ _tag: "Prompted", text, by })
const said = (text: string, by: "transcript" | "hook" = "transcript"): Heard => ({ _tag: "Said", text, by })
const answered = (text: string, prompt: string): Heard => ({ _tag: "Answered", text, prompt })
const reads: Heard = { _tag: "Reads" }

const upTo = (most: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: most }))
/** Turns: how much the CLI says in each, whether the editor began it, and whether hooks tell of it. */
const Turns = Schema.Array(
  Schema.Struct({
    texts: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 })),
    own: Schema.Boolean,
    hooks: Schema.Boolean
  })
).check(Schema.isMaxLength(5))
/** How many of its lines the transcript has got at each step. */
const Delays = Schema.Array(upTo(3)).check(Schema.isMaxLength(12))

describe("a conversation as an editor is told it", () => {
  it.effect.prop(
    "has each text once, whichever source has it first, and however late the transcript is",
    { turns: Arbitrary.schema(Turns), delays: Arbitrary.schema(Delays) },
    ({ delays, turns }) =>
      Effect.sync(() => {
        let at = 0
        /** Lines of the transcript that are still to come. */
        let late: ReadonlyArray<Heard> = []
        const heard: Array<Heard> = [reads]
        const expected: Array<string> = []
        const write = () => {
          const many = delays[at++ % Math.max(1, delays.length)] ?? 0
          heard.push(...late.slice(0, many))
          late = late.slice(many)
        }
        turns.forEach(({ hooks, own, texts }, index) => {
          const prompt = `prompt ${index}`
          if (own) heard.push(sent(prompt))
          else expected.push(`> ${prompt}`)
          heard.push(prompted(prompt, "hook"))
          late = [...late, prompted(prompt)]
          // the words of turns are their own: the same ones are the transcript's to tell apart
          const words = Array.from({ length: texts }, (_, n) => `word ${index}.${n}`)
          for (const word of words) {
            write()
            if (hooks) heard.push(said(word, "hook"))
            late = [...late, said(word)]
            expected.push(word)
          }
          write()
          if (own) heard.push(answered(words.at(-1)!, prompt))
        })
        heard.push(...late)
        assert.sameMembers(lines(play(heard).updates), expected)
      })
  )

  it("has an answer that only a turn's end reports, and the same one to the next prompt", () => {
    const { updates } = play([
      sent("one"),
      prompted("one", "hook"),
      answered("Done.", "one"),
      sent("two"),
      prompted("two", "hook"),
      answered("Done.", "two")
    ])
    assert.deepStrictEqual(lines(updates), ["Done.", "Done."])
  })

  it("has the same answer again where the transcript has not come to the prompt", () => {
    const known = [reads, sent("one"), prompted("one"), said("Done."), answered("Done.", "one")]
    const early = [...known, sent("two"), prompted("two", "hook"), answered("Done.", "two")]
    // with the turn's end, and not when the transcript comes to it
    assert.deepStrictEqual(lines(play(early).updates), ["Done.", "Done."])
    assert.deepStrictEqual(lines(play([...early, prompted("two"), said("Done.")]).updates), ["Done.", "Done."])
  })

  it("does not repeat a prompt that is written down twice, or that the editor's user has sent", () => {
    const { updates } = play([reads, sent("mine"), prompted("mine"), prompted("mine"), said("A"), prompted("theirs")])
    assert.deepStrictEqual(lines(updates), ["A", "> theirs"])
  })

  it("takes an answer for told whose parts were", () => {
    const { updates } = play([
      reads,
      sent("x"),
      prompted("x"),
      said("One."),
      said("Two."),
      answered("One.\n\nTwo.", "x")
    ])
    assert.deepStrictEqual(lines(updates), ["One.", "Two."])
  })

  it("parts the messages of a turn, and does not begin with a gap", () => {
    const { updates } = play([reads, prompted("x"), said("One."), said("Two."), prompted("y"), said("Three.")])
    const texts = updates.map((update) =>
      "content" in update && update.content && "text" in update.content ? update.content.text : ""
    )
    assert.deepStrictEqual(texts, ["x", "One.", "\n\nTwo.", "y", "Three."])
  })

  it("carries nothing that a terminal would obey", () => {
    const { updates } = play([said("a\u001b[2Jb", "hook"), prompted("c\u0007d", "hook")])
    assert.deepStrictEqual(lines(updates), ["a[2Jb", "> cd"])
  })
})

describe("tools as an editor is told them", () => {
  const started = (tool: string, id: string | null = null): Heard => ({
    _tag: "ToolStarted",
    tool,
    id,
    agent: null,
    request: null
  })
  const ended = (tool: string, id: string | null = null): Heard => ({ _tag: "ToolEnded", tool, id })
  const steps = (heard: ReadonlyArray<Heard>) =>
    play(heard).updates.map((update) =>
      update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update"
        ? `${update.toolCallId} ${update.status}`
        : update.sessionUpdate
    )

  it("end by their ids, or the oldest of their name", () => {
    assert.deepStrictEqual(
      steps([started("Bash", "x"), started("Bash", "y"), ended("Bash", "y"), ended("Bash", "x")]),
      ["hook-x in_progress", "hook-y in_progress", "hook-y completed", "hook-x completed"]
    )
    assert.deepStrictEqual(steps([started("A"), started("B"), started("A"), ended("A"), ended("A"), ended("A")]), [
      "hook-1 in_progress",
      "hook-2 in_progress",
      "hook-3 in_progress",
      "hook-1 completed",
      "hook-3 completed"
    ])
  })

  it("are over with their turn, and have failed where it was interrupted", () => {
    assert.deepStrictEqual(steps([started("A"), { _tag: "TurnOver", interrupted: true }, ended("A")]), [
      "hook-1 in_progress",
      "hook-1 failed"
    ])
    assert.deepStrictEqual(steps([started("A"), { _tag: "TurnOver", interrupted: false }]), [
      "hook-1 in_progress",
      "hook-1 completed"
    ])
  })

  it("name what they are to do, as far as the hook shows it", () => {
    const request = {
      tool: "Edit",
      kind: "edit" as const,
      command: null,
      paths: ["/work/a.ts", "b.ts"],
      url: null,
      agent: null,
      cwd: "/work"
    }
    const [update] = play([{ _tag: "ToolStarted", tool: "Edit", id: "1", agent: "reviewer", request }]).updates
    assert.deepInclude(update, {
      title: "reviewer: Edit: /work/a.ts",
      kind: "edit",
      locations: [{ path: "/work/a.ts" }],
      _meta: { leap: { knownBy: "hook" } }
    })
  })
})
