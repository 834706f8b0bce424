import { assert, describe, it } from "@effect/vitest"
import type { Signal } from "../../../../src/domain/words/session/Signal.ts"
import { machineWith } from "../../../support/brains.ts"
import { failed, minute, statusOf } from "../../../support/session/failures.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"

/** A session whose transcript tells that a turn failed, and whose hooks tell the rest, each in their own time. */
const session = () => {
  const world: { weather: (prompt: string) => Signal | null } = { weather: () => null }
  const host = new SimulatedHost(machineWith({}), (cli) => {
    cli.weather = (_, prompt) => world.weather(prompt)
    cli.transcriptDelay = 0
  })
  host.run(5_000)
  host.add("a", "message a")
  while (statusOf(host.queue, "a") !== "done") host.run(10)
  return { host, world }
}
const answers = (host: SimulatedHost) => host.allAnswered().map(({ text }) => text)
const given = (host: SimulatedHost) => host.allPrompts().map(({ text }) => text)

describe("a message that was told as answered never goes back", () => {
  const times: ReadonlyArray<readonly [string, number, number]> = [
    ["30 ms before its beginning is told", 0, 110],
    ["as its beginning is told", 0, 60],
    ["behind its beginning", 0, 0],
    ["before its beginning, which comes seconds late", 3_000, 110]
  ]
  it.each(times)("the next one's failure is the next one's own: it comes %s", (_, hookDelay, startLate) => {
    const { host, world } = session()
    world.weather = (prompt) => (prompt === "message b" ? failed("network") : null)
    host.cli.turnLength = 30
    host.cli.startDelay = startLate === 0 ? 500 : 20
    host.cli.hookDelay = hookDelay + startLate
    host.run(10_000)
    host.add("b", "message b")
    host.add("c", "message c")
    host.run(45_000)
    assert.strictEqual(statusOf(host.queue, "a"), "done")
    assert.strictEqual(statusOf(host.queue, "b"), "queued, failed")
    world.weather = () => null
    host.cli.hookDelay = 0
    host.run(5 * minute)
    assert.deepStrictEqual(answers(host), ["message a", "message b", "message c"])
    assert.deepStrictEqual(given(host), ["message a", "message b", "message b", "message c"])
  })
})
