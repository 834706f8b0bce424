import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { claudeInput } from "../../../src/domain/claude/ClaudeInput.ts"
import type { Dialog } from "../../../src/domain/Screen.ts"
import { defaultModes } from "../../../src/domain/Session.ts"
import * as SessionMachine from "../../../src/domain/SessionMachine.ts"
import * as Queue from "../../../src/domain/Queue.ts"
import { makeAnswerer } from "../../../src/programs/host/answer.ts"

const dialog: Dialog = {
  kind: "trust",
  title: "Do you trust this folder?",
  options: [{ number: null, label: "No, exit", selected: true }, { number: null, label: "Yes", selected: false }]
}

describe("an answer", () => {
  it.effect("that ends the CLI is given, and waits for nothing more", () =>
    Effect.gen(function*() {
      const begun = SessionMachine.start({ at: 0, modes: defaultModes, queue: Queue.replayLog([]) })
      let memory: SessionMachine.SessionMemory = {
        ...begun,
        tracker: { ...begun.tracker, facts: { ...begun.tracker.facts, screen: { ...begun.tracker.facts.screen, dialog } } }
      }
      const pressed: Array<string> = []
      const answer = yield* makeAnswerer({
        tag: "one",
        provider: { input: { ...claudeInput, answer: () => ({ _tag: "Keys", writes: ["1", "\r"] }) } },
        runtime: { memory: () => memory },
        keys: (data) => Effect.sync(() => {
          pressed.push(data)
          memory = { ...memory, tracker: { ...memory.tracker, view: { ...memory.tracker.view, state: "exited" } } }
        })
      })
      // no clock is moved: whoever waits here waits for ever
      const given = yield* answer("No, exit")
      assert.strictEqual(given.answer, "No, exit")
      assert.deepStrictEqual(pressed, ["1"])
    }), 5_000)
})
