import { assert, describe, it } from "@effect/vitest"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import type { Signal } from "../../../../src/domain/words/session/Signal.ts"
import { machineWith } from "../../../support/brains.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"
import { each } from "../../../support/data/fields.ts"

const asked: Signal = { _tag: "Asked", kind: "permission", tool: "Bash", message: null }
const writes = (host: SimulatedHost) => host.written.map(({ purpose }) => purpose)

/** A message stands in the box, and its Enter is due within a moment. */
const typed = (): SimulatedHost => {
  const host = new SimulatedHost(machineWith({}))
  host.run(5_000)
  host.add("a", "message a")
  while (host.status("a") !== "typed") host.run(5)
  return host
}
const hear = (host: SimulatedHost, signal: Signal) =>
  host.tell({ _tag: "Signal", at: host.now, source: "hook", signal })

describe("a CLI that asks in a dialog that cannot be read, as its hook tells", () => {
  it("gets no key while a message stands in its box, whose text is typed anew once it was answered", () => {
    const host = typed()
    host.cli.raise("unknown")
    hear(host, asked)
    host.run(30_000)
    assert.deepStrictEqual(writes(host), ["text"])
    assert.isFalse(host.keysHeld)
    assert.strictEqual(host.status("a"), "typed")
    host.cli.lower()
    hear(host, { _tag: "Answered" })
    host.run(10_000)
    assert.deepStrictEqual(writes(host), ["text", "clear", "text", "submit"])
    assert.deepStrictEqual(each(host.allPrompts(), "text"), ["message a"])
    assert.strictEqual(Queue.find(host.queue, "a")?.message.outcome, "completed")
  })
})
