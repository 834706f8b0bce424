import { assert, describe } from "@effect/vitest"
import { TestClock } from "effect/testing"
import { nothingBilled, noUsage } from "../../../src/domain/cli/usage/UsageReader.ts"
import { defaultSettings } from "../../../src/domain/store/settings/Settings.ts"
import { provider as demo } from "../../../src/layers/providers/demo/Provider.ts"
import { hosted } from "../../support/host/hosted.ts"
import { hostDemo, until } from "../../support/host/stage.ts"
import { SystemFake } from "../../support/host/SystemFake.ts"

/** The demo, as if it told 100 more tokens with each turn's beginning and end. */
const counting = () => {
  let input = 0
  const hook = (event: string) =>
    event === "Stop" || event === "UserPromptSubmit"
      ? [{ _tag: "Totals" as const, tokens: { ...nothingBilled, input: (input += 100) }, last: null }]
      : []
  return { ...demo, usage: { ...noUsage, hook } }
}
const conversationTokens = (most: number) => ({
  budget: { ...defaultSettings.budget, conversationTokens: most }
})

describe("a session with a budget", () => {
  hosted("types no message after the turn that used it up, until its user says so", function* () {
    const system = yield* SystemFake
    yield* system.setSettings(conversationTokens(200))
    const { cli, client, send, status } = yield* hostDemo({}, { provider: counting() })
    yield* send("one")
    yield* send("two")
    yield* status.until(({ pause }) => pause?.kind === "budget", "it is used up")
    yield* TestClock.adjust("60 seconds")
    assert.deepStrictEqual(cli.texts("submitted"), ["one"])
    yield* client.QueueRelease({ id: null })
    yield* until(() => cli.texts("submitted").length === 2, "the word goes beyond it")
  })
  hosted("says so, where its CLI does not tell what it uses", function* () {
    const system = yield* SystemFake
    yield* system.setSettings(conversationTokens(200))
    const { status } = yield* hostDemo()
    assert.deepStrictEqual(status.last()?.uncounted, { _tag: "NotTold" })
    yield* system.setSettings({ budget: defaultSettings.budget })
    yield* status.until(({ uncounted }) => uncounted === null, "there is no budget any more")
  })
})
