import { assert, describe, it } from "@effect/vitest"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import { machineWith } from "../../../support/brains.ts"
import { failed, minute } from "../../../support/session/failures.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"
import { each } from "../../../support/data/fields.ts"

const ids = ["a", "b", "c", "d"]

describe("after a host was killed in a pause", () => {
  it.each([
    ["unknown", null],
    ["network", null],
    ["rate_limited", 600 * minute],
    ["rate_limited", null],
    ["auth", null]
  ] as const)("the user's word to try all again lets all go, in order: %s until %s", (kind, end) => {
    let isBad = true
    const host = new SimulatedHost(machineWith({}), (cli) => {
      cli.weather = () => (isBad ? failed(kind, end) : null)
    })
    host.run(5_000)
    for (const id of ids) host.add(id, `message ${id}`)
    host.run(30_000)
    host.kill()
    host.run(5_000)
    isBad = false
    assert.isTrue(host.change(Queue.retry(host.queue, null, host.now)))
    host.run(2 * minute)
    assert.deepStrictEqual(
      each(host.allAnswered(), "text"),
      ids.map((id) => `message ${id}`)
    )
  })
})
