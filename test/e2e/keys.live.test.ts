import { assert, describe } from "@effect/vitest"
import { endsWell, makeRoom, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

describe("leap keys", () => {
  live("closes a view that a queued command opened, and writes no text into a dialog", function* () {
    const room = yield* makeRoom("0.1")
    yield* startDemo(room, "k")
    for (const text of ["/model", "behind it"]) yield* room.leap(["send", "k", text])
    const covered = yield* room.until(
      "k",
      ({ dialog, queue }) => dialog && queue.some(({ why }) => why !== null && /covers its box/.test(why)),
      "the view is open, and the receipt says so"
    )
    assert.strictEqual(covered.queue.find(({ text }) => text === "behind it")?.status, "queued")
    assert.include((yield* room.leap(["status", "k"])).stdout, "leap keys k Esc")
    assert.strictEqual((yield* room.leap(["keys", "k", "nonesuch"])).code, 2)
    const pressed = yield* room.leap(["keys", "k", "Esc"])
    assert.strictEqual(pressed.code, 0, pressed.stderr)
    yield* room.until(
      "k",
      ({ queue }) => queue.some(({ status, text }) => text === "behind it" && status === "done"),
      "sent"
    )

    yield* room.leap(["send", "k", "ask me"])
    yield* room.until("k", ({ state }) => state === "needs_input", "a question")
    assert.strictEqual((yield* room.leap(["keys", "k", "1"])).code, 5)
    yield* endsWell(room.leap(["keys", "k", "Down", "Enter"]))
    yield* room.until("k", ({ state }) => state === "idle", "answered")
    assert.isTrue(room.log().some(({ event, text }) => event === "dialog_answered" && text === "The scenic way"))
  })
})
