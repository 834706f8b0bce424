import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { registrations } from "../../../src/layers/providers/ProvidersBuiltin.ts"
import * as ProvidersConfigured from "../../../src/layers/providers/ProvidersConfigured.ts"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { defaultSettings, type Settings } from "../../../src/domain/store/settings/Settings.ts"
import { forArguments, Providers } from "../../../src/services/Providers.ts"
import { type OddOptions, oddPatterns, runOdd } from "../../support/host/OddCliFake.ts"
import { SystemFake } from "../../support/host/SystemFake.ts"
import { hosted } from "../../support/host/hosted.ts"
import { passing, refusal, startHost, watch } from "../../support/host/stage.ts"

const settings = (own: Partial<Settings>): Settings => ({
  ...defaultSettings,
  clis: { odd: { base: "generic", command: "odd", screen: oddPatterns } },
  ...own
})

/** A session of a program that leap has no rules for, with these settings of the user's. */
const hostOdd = Effect.fn("hostOdd")(function* (cli: string, options: OddOptions, own: Partial<Settings> = {}) {
  const system = yield* SystemFake
  yield* system.setSettings(settings(own))
  const args = cli === "generic" ? ["odd", "--flag"] : ["--flag"]
  const provider = yield* Providers.pipe(
    Effect.flatMap(({ get }) => get(cli)),
    Effect.provide(ProvidersConfigured.layerOf(registrations))
  )
  const host = yield* startHost({ cli, args }, forArguments(provider, args))
  const child = yield* host.child
  assert.deepStrictEqual([child.options.command, child.options.args], ["odd", ["--flag"]])
  const odd = yield* runOdd(child, options)
  const client = yield* host.connect
  const status = yield* watch(client)
  const send = (text: string, force = false) => client.Send({ text, images: [], front: false, force })
  return { odd, client, status, send }
})

const done = ({ queue, ready }: SessionStatus) => ready && queue.every(({ status }) => status === "done")

describe("a CLI that leap has no rules for", () => {
  hosted("by the user's patterns: four messages, each after the turn before it, and none into a dialog", function* () {
    const { client, odd, send, status } = yield* hostOdd("odd", { box: "odd" })
    yield* status.until(({ ready }) => ready, "the first prompt")
    const texts = ["one", "ask me", "three", "four, with more words than there is room for in a row of eighty columns"]
    for (const text of texts) yield* send(text)
    const asked = yield* status.until(({ state }) => state === "needs_permission", "the dialog")
    assert.deepStrictEqual(
      [asked.question?.title, asked.question?.options.map(({ label }) => label)],
      ["!! shall it go on", ["go on", "stop here"]]
    )
    yield* TestClock.adjust("30 seconds")
    assert.deepStrictEqual([odd.sent(), odd.answers()], [["one", "ask me"], []])
    yield* passing(client.Answer({ answer: "stop here" }))
    yield* status.until(done, "all are done")
    assert.deepStrictEqual([odd.answers(), odd.sent()], [["stop here"], texts])
  })

  hosted("is at rest once the user has closed what its start shows, and gets nothing before", function* () {
    const { client, odd, send, status } = yield* hostOdd("odd", { box: "odd", greeting: true })
    yield* send("one")
    yield* status.until(({ state }) => state === "needs_permission", "what it shows")
    yield* TestClock.adjust("30 seconds")
    assert.deepStrictEqual(odd.sent(), [])
    yield* passing(client.Keys({ keys: ["Esc"], force: false }))
    yield* status.until(done, "it is done")
    assert.deepStrictEqual(odd.sent(), ["one"])
  })

  hosted("by nothing: what is queued waits, says why, and goes out when the user says so", function* () {
    const { client, odd, send, status } = yield* hostOdd("generic", { box: "common" })
    yield* send("one")
    yield* TestClock.adjust("90 seconds")
    const waiting = status.last()
    assert.deepStrictEqual([waiting?.displayName, waiting?.state, waiting?.ready], ["odd", "idle", false])
    assert.deepStrictEqual(odd.sent(), [])
    assert.match(waiting?.reason ?? "", /not known to leap/)
    const { holds } = yield* client.Why()
    assert.isTrue(holds.some(({ name, why }) => name === "unknown-screen" && /send --force/.test(why)))
    yield* send("now", true)
    yield* status.until(() => odd.sent().length > 0, "it is sent")
    assert.deepStrictEqual(odd.sent(), ["now"])
    yield* TestClock.adjust("60 seconds")
    assert.deepStrictEqual(odd.sent(), ["now"])
  })

  hosted("by what all CLIs share, where the user trusts that", function* () {
    const { odd, send, status } = yield* hostOdd("generic", { box: "common" }, { unknownLayout: "trust" })
    yield* send("one")
    yield* send("ask two")
    yield* send("three")
    yield* status.until(({ state }) => state === "needs_permission", "the dialog")
    yield* TestClock.adjust("30 seconds")
    assert.deepStrictEqual([odd.sent(), odd.answers()], [["one", "ask two"], []])
  })

  hosted("by its own report: it needs no pattern, and its dialog is the user's", function* () {
    const { client, odd, send, status } = yield* hostOdd("generic", { box: "common", reports: true })
    yield* send("one")
    yield* send("ask two")
    yield* send("three")
    yield* status.until(({ state }) => state === "needs_input" || state === "needs_permission", "the dialog")
    yield* TestClock.adjust("30 seconds")
    assert.deepStrictEqual([odd.sent(), odd.answers()], [["one", "ask two"], []])
    assert.match((yield* refusal(client.Answer({ answer: "stop here" }))).message, /not known to leap/)
  })
})
