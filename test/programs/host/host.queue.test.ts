import { assert, describe } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { DiskFake } from "../../support/host/DiskFake.ts"
import { hosted } from "../../support/host/hosted.ts"
import { attach, hostDemo, passing, refusal, settle, until } from "../../support/host/stage.ts"

describe("a session's queue, changed by its clients", () => {
  hosted("what is held stays, one or all; what is forced goes into the running turn, also what was held", function* () {
    const { cli, client, send, status } = yield* hostDemo()
    yield* send("tool 100")
    yield* status.until(({ state }) => state === "running", "the turn")
    const ids: Array<string> = []
    for (const text of ["one", "two", "three"]) ids.push((yield* send(text)).id)
    assert.deepInclude(yield* client.QueueHold({ id: ids[1]! }), { held: 1 })
    const { held, messages = [] } = yield* client.QueueHold({ id: null })
    assert.deepStrictEqual([held, messages.map(({ text }) => text)], [2, ["one", "three"]])
    yield* client.QueueForce({ id: ids[2]! })
    yield* until(() => cli.texts("submitted").length === 2, "the forced one is typed")
    assert.deepStrictEqual(cli.texts("submitted"), ["tool 100", "three"])
    yield* TestClock.adjust("60 seconds")
    assert.deepStrictEqual(cli.texts("submitted"), ["tool 100", "three"], "what is held stays")
    assert.deepInclude(yield* refusal(client.QueueHold({ id: "NONE" })), { exitCode: 3 })
    assert.deepInclude(yield* refusal(client.QueueForce({ id: ids[2]! })), { exitCode: 5 })
    const letGo = yield* client.QueueRelease({ id: null })
    const reasons = letGo.messages?.map(({ text, why }) => [text, why])
    assert.deepStrictEqual(
      reasons,
      [
        ["one", "you held it"],
        ["two", "you held it"]
      ],
      "and why each was held"
    )
    yield* until(() => cli.texts("submitted").length === 4, "the rest, in order")
    assert.deepStrictEqual(cli.texts("submitted").slice(2), ["one", "two"])
  })

  hosted("a session tells since when a message is held, not since when it waits", function* () {
    const { client, send, status } = yield* hostDemo()
    yield* send("tool 100")
    yield* status.until(({ state }) => state === "running", "the turn")
    const { id } = yield* send("one")
    yield* TestClock.adjust("10 seconds")
    yield* client.QueueHold({ id })
    const now = yield* status.until(({ queue }) => queue.some(({ status }) => status === "held"), "held")
    const [held = assert.fail("none is held")] = now.queue.filter((message) => message.id === id)
    assert.isAtLeast(Date.parse(held.since ?? "") - Date.parse(held.queuedAt), 10_000)
    assert.isUndefined(now.queue.find(({ status }) => status === "started")?.since)
    yield* client.QueueRelease({ id })
    const later = yield* status.until(({ queue }) => queue.every(({ status }) => status !== "held"), "released")
    assert.isUndefined(later.queue.find((message) => message.id === id)?.since)
  })

  hosted("no key waits for a slow disk longer than leap types, whatever is written meanwhile", function* () {
    const disk = yield* DiskFake
    const { child, cli, client, send } = yield* hostDemo()
    const viewer = yield* attach(client, "v")
    /** Milliseconds until a key of the user's was written to the CLI. */
    const waits: Array<number> = []
    const press = Effect.gen(function* () {
      const pressed = () => child.written().split("x").length
      const before = pressed()
      yield* viewer.type("x")
      let waited = 0
      for (; pressed() === before && waited < 10_000; waited += 10) yield* TestClock.adjust(10)
      waits.push(waited)
      yield* viewer.type("\x7f")
    })
    disk.faults.add("queue slow")
    const sending = [yield* Effect.forkChild(send("one"), { startImmediately: true })]
    yield* press
    for (const [text, next] of [
      ["one", "two"],
      ["two", "three"]
    ] as const) {
      yield* until(() => child.written().includes(text), `${text} is typed`)
      // another one is to be stored meanwhile
      sending.push(yield* Effect.forkChild(send(next), { startImmediately: true }))
      yield* TestClock.adjust(10)
      yield* press
      yield* until(() => cli.texts("submitted").includes(text), `${text} is sent`)
      yield* press
    }
    yield* passing(Effect.forEach(sending, Fiber.join))
    // a message is typed within half a second; the disk takes two
    assert.lengthOf(waits, 5)
    assert.isAtMost(Math.max(...waits), 1_000, waits.join())
  })

  hosted("an answer reaches the dialog that its author saw, and no other", function* () {
    const { cli, client, send, status } = yield* hostDemo()
    yield* send("please write a file")
    const { question = null } = yield* status.until(({ state }) => state === "needs_permission", "the dialog")
    assert.deepInclude(question, { title: "Write notes.md?", subject: "notes.md" })
    const other = { ...question!, subject: "another.md" }
    assert.deepInclude(yield* refusal(client.Answer({ answer: "1", question: other })), { exitCode: 5 })
    yield* settle
    assert.deepStrictEqual(cli.texts("dialog_answered"), [])
    assert.deepInclude(yield* passing(client.Answer({ answer: "1", question: question! })), { answer: "Yes" })
  })
})
