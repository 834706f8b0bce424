import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { isThorough } from "../support/run/thorough.ts"
import { kill, makeRoom, startDemo } from "../support/processes/Room.ts"

describe("leap answer", () => {
  it.live("lists what can be answered, and takes the beginning of a name", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.scoped)
  )

  it.live.runIf(isThorough)("takes its digit out of the box again, where an interrupt was before it", () =>
    Effect.gen(function* () {
      const room = yield* makeRoom("0.1")
      yield* startDemo(room, "a")
      yield* room.leap(["send", "a", "ask me"])
      const { pid } = yield* room.until("a", ({ state }) => state === "needs_input", "the question")
      // what has come up is still on the screen when the answer is typed, and gone when it is read
      kill(pid!, "SIGSTOP")
      const client = yield* room.connect("a")
      yield* client.Keys({ keys: ["C-c"], force: true })
      const answering = yield* Effect.forkChild(Effect.exit(client.Answer({ answer: "1" })))
      yield* Effect.sleep("300 millis")
      kill(pid!, "SIGCONT")
      yield* Fiber.join(answering)
      yield* room.until("a", ({ state }) => state === "interrupted", "the interrupt")
      yield* room.leap(["send", "a", "--force", "go on"])
      yield* room.until("a", ({ state, queue }) => state === "idle" && queue.length === 0, "the next turn")
      const submitted = room.log().flatMap(({ event, text }) => (event === "submitted" ? [text] : []))
      assert.deepStrictEqual(submitted, ["ask me", "go on"])
      assert.isNull((yield* client.Draft()).text)
    }).pipe(Effect.scoped)
  )
})
