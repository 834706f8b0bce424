import { assert, describe } from "@effect/vitest"
import { TestClock } from "effect/testing"
import { hosted } from "../../support/host/hosted.ts"
import { hostDemo, passing, until } from "../../support/host/stage.ts"
import { SystemFake } from "../../support/host/SystemFake.ts"
import { tag } from "../../support/processes/Room.ts"

const reason = "session one works"

describe("a machine that stays awake", () => {
  hosted("is kept so while a session works and half a minute longer, if the settings say so", function* () {
    const system = yield* SystemFake
    const { send, status } = yield* hostDemo({ tag: tag("one") })
    yield* send("one")
    yield* status.until(({ state }) => state === "running", "its turn runs")
    assert.deepStrictEqual([...system.awake], [], "nobody asked for it")
    yield* system.setSettings({ awake: "working" })
    yield* until(() => system.awake.has(reason), "it is kept awake")
    yield* status.until(({ state }) => state === "idle", "the turn is over")
    yield* TestClock.adjust("20 seconds")
    assert.deepStrictEqual([...system.awake], [reason], "the next message may come")
    yield* send("two")
    yield* status.until(({ state }) => state === "running", "the next turn runs")
    yield* TestClock.adjust("15 seconds")
    assert.deepStrictEqual([...system.awake], [reason])
    yield* status.until(({ state }) => state === "idle", "the turn is over")
    yield* TestClock.adjust("31 seconds")
    assert.deepStrictEqual([...system.awake], [])
    yield* send("three")
    yield* until(() => system.awake.has(reason), "it is kept awake anew")
    yield* system.setSettings({ awake: "off" })
    yield* until(() => system.awake.size === 0, "the settings let it sleep")
  })

  hosted("may sleep while a dialog waits for its user, though messages are queued behind that", function* () {
    const system = yield* SystemFake
    yield* system.setSettings({ awake: "working" })
    const { client, send, status } = yield* hostDemo({ tag: tag("one") })
    yield* send("please write a file")
    yield* send("then this")
    yield* status.until(({ state }) => state === "needs_permission", "the dialog")
    yield* TestClock.adjust("31 seconds")
    assert.deepStrictEqual([...system.awake], [])
    yield* passing(client.Answer({ answer: "1" }))
    yield* until(() => system.awake.has(reason), "it works again")
  })

  hosted("that nothing keeps awake takes nothing from the session", function* () {
    const system = yield* SystemFake
    system.sleeps = "is not installed"
    yield* system.setSettings({ awake: "working" })
    const { cli, send, status } = yield* hostDemo()
    yield* send("one")
    yield* status.until(({ queue }) => queue.some(({ status }) => status === "done"), "it is done all the same")
    assert.deepStrictEqual(cli.texts("submitted"), ["one"])
    assert.deepStrictEqual([...system.awake], [])
  })
})
