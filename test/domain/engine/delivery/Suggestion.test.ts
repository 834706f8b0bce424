import { assert, describe, it } from "@effect/vitest"
import { machineWith } from "../../../support/brains.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"
import { failed, minute } from "../../../support/session/failures.ts"
import { each } from "../../../support/data/fields.ts"

const hostAtRest = (more: Parameters<typeof machineWith>[0] = {}) => {
  const host = new SimulatedHost(machineWith(more))
  host.run(5_000)
  return host
}

const dismissals = (host: SimulatedHost) => host.written.filter(({ purpose }) => purpose === "dismiss")
const answered = (host: SimulatedHost) => host.allAnswered().map(({ text }) => text)

describe("a suggestion of the CLI's over the box", () => {
  it("is closed for a message that waits, once it has stood for a while, and the message goes out", () => {
    const host = hostAtRest()
    host.cli.raise("suggestion")
    host.add("a", "message a")
    host.run(4_000)
    assert.deepStrictEqual(dismissals(host), [])
    host.run(10_000)
    assert.deepStrictEqual(each(dismissals(host), "data"), ["\u001b"])
    assert.deepStrictEqual(answered(host), ["message a"])
    assert.deepStrictEqual(host.said, [
      "closed what the CLI suggests, since a message waits: Switch to a cheaper model?"
    ])
  })

  it("stays while nothing waits behind it", () => {
    const host = hostAtRest()
    host.cli.raise("suggestion")
    host.run(5 * minute)
    assert.deepStrictEqual(dismissals(host), [])
  })

  it("stays while the queue waits for a limit's end, and is closed then", () => {
    const host = hostAtRest()
    const end = host.now + 30 * minute
    host.cli.weather = (now) => (now < end ? failed("rate_limited", end) : null)
    host.add("a", "message a")
    host.run(4_000)
    host.cli.raise("suggestion")
    host.run(25 * minute)
    assert.deepStrictEqual(dismissals(host), [])
    host.run(10 * minute)
    assert.strictEqual(dismissals(host).length, 1)
    assert.deepStrictEqual(answered(host), ["message a"])
  })

  it("stays while the queue waits for the user", () => {
    const host = hostAtRest()
    host.cli.weather = () => failed("auth")
    host.add("a", "message a")
    host.run(4_000)
    host.cli.raise("suggestion")
    host.add("b", "message b")
    host.run(60 * minute)
    assert.deepStrictEqual(dismissals(host), [])
  })

  it("is left to a user who is at its keys", () => {
    const host = hostAtRest()
    host.cli.raise("suggestion")
    host.add("a", "message a")
    for (let n = 0; n < 60; n++) {
      host.press("j")
      host.run(300)
    }
    assert.deepStrictEqual(dismissals(host), [])
    host.run(10_000)
    assert.strictEqual(dismissals(host).length, 1)
  })

  it("is tried twice where the CLI does not obey, and no more", () => {
    const host = hostAtRest()
    host.cli.raise("suggestion")
    host.cli.lose = 1_000
    host.add("a", "message a")
    host.run(30 * minute)
    assert.strictEqual(dismissals(host).length, 2)
  })

  it("is not taken for one that asks: such a dialog is the user's", () => {
    const host = hostAtRest()
    host.cli.raise("dialog")
    host.add("a", "message a")
    host.run(30 * minute)
    assert.deepStrictEqual(dismissals(host), [])
    assert.deepStrictEqual(answered(host), [])
  })
})
