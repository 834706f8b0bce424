import { assert, describe, it } from "@effect/vitest"
import { machineWith } from "../../../support/brains.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"

describe("a queue whose log is being written", () => {
  it.each([0, 100, 200, 400, 600, 800, 1_000, 1_500, 2_000, 3_000])(
    "sends what was accepted when the session became ready meanwhile, though nothing has happened since (from %i ms on)",
    (from) => {
      const host = new SimulatedHost(machineWith({}))
      host.run(from)
      host.tell({ _tag: "LogTaken", at: host.now })
      host.run(10_000)
      host.add("a", "message a")
      host.tell({ _tag: "LogFree", at: host.now })
      host.run(5_000)
      assert.deepStrictEqual(
        host.allPrompts().map(({ text }) => text),
        ["message a"]
      )
    }
  )
})
