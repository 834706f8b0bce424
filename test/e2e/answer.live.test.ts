import { assert, describe } from "@effect/vitest"
import { makeRoom, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

describe("leap answer", () => {
  live("lists what can be answered, and takes the beginning of a name", function* () {
    const room = yield* makeRoom("0.1")
    yield* startDemo(room, "a")
    const none = yield* room.leap(["answer", "a"])
    assert.deepStrictEqual([none.code, none.stdout], [5, ""])
    assert.match(none.stderr, /there is no dialog to answer/)

    yield* room.leap(["send", "a", "ask me"])
    yield* room.until("a", ({ state }) => state === "needs_input", "the question")
    const options = [
      { number: 1, label: "The short way" },
      { number: 2, label: "The scenic way" },
      { number: 3, label: "Something else:" }
    ]
    const listed = yield* room.leap(["answer", "a"])
    assert.strictEqual(listed.code, 0, listed.stderr)
    for (const { label, number } of options) assert.match(listed.stdout, new RegExp(`^ +${number}  ${label}$`, "m"))
    const status = yield* room.leap(["status", "a"])
    for (const { label, number } of options) assert.include(status.stdout, `${number}  ${label}`)
    const { sessions } = JSON.parse((yield* room.leap(["status", "a", "--json"])).stdout) as {
      sessions: ReadonlyArray<{ question: { options: unknown } }>
    }
    assert.deepStrictEqual(sessions[0]!.question.options, options)

    const ambiguous = yield* room.leap(["answer", "a", "the s"])
    assert.strictEqual(ambiguous.code, 5, ambiguous.stderr)
    assert.match(ambiguous.stderr, /begins 'The short way' and 'The scenic way'/)
    const answered = yield* room.leap(["answer", "a", "the sc"])
    assert.match(answered.stdout, /→ The scenic way$/m)
    yield* room.until("a", ({ state }) => state === "idle", "the end of the turn")
    assert.include(
      room.log().flatMap(({ event, text }) => (event === "dialog_answered" ? [text] : [])),
      "The scenic way"
    )
  })
})
