import { assert, describe, it } from "@effect/vitest"
import { demoDetection } from "../../../../src/domain/providers/demo/Detection.ts"
import { explain } from "../../../../src/domain/engine/machine/explain.ts"
import { queueWait } from "../../../../src/domain/engine/machine/queueWait.ts"
import { type SessionMemory, viewOf } from "../../../../src/domain/engine/machine/SessionMachine.ts"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import type { OverBudget } from "../../../../src/domain/words/session/OverBudget.ts"
import { reasonWords } from "../../../../src/domain/words/wording/reasonWords.ts"
import { waitWords } from "../../../../src/domain/words/wording/waitWords.ts"
import { machineWith } from "../../../support/brains.ts"
import { minute, statusOf } from "../../../support/session/failures.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"

const used: OverBudget = { of: "day", limit: "cost", most: 5, used: 5.01, floor: true, next: null }

const session = () => {
  let memory: SessionMemory | null = null
  const host = new SimulatedHost(machineWith({ watch: (next) => void (memory = next) }))
  const now = (): SessionMemory => memory ?? assert.fail("nothing has happened")
  host.run(5_000)
  return {
    host,
    now,
    typed: () => host.allPrompts().map(({ text }) => text),
    wait: () => queueWait(now(), host.now),
    know: (over: OverBudget | null, until: number | null = null) =>
      host.tell({ _tag: "BudgetKnown", at: host.now, hold: over === null ? null : { since: host.now, until, over } })
  }
}

describe("a session whose budget is used up", () => {
  it("keeps messages until the day is over, and lets the turn that runs be", () => {
    const { host, know, now, typed, wait } = session()
    host.add("a", "message a")
    host.run(2_000)
    assert.deepStrictEqual(typed(), ["message a"])
    know(used, host.now + 10 * minute)
    host.add("b", "message b")
    host.run(minute)
    assert.strictEqual(statusOf(host.queue, "a"), "done")
    assert.strictEqual(statusOf(host.queue, "b"), "queued")
    assert.strictEqual(wait()?.kind, "budget")
    const said = waitWords(wait()?.cause ?? assert.fail("no cause"))
    assert.match(said, /^the day's budget of cost \(\$5\) is used up: at least \$5\.0100 used; messages go out from /)
    assert.include(reasonWords(viewOf(now())), said)
    const { holds } = explain({ detection: demoDetection })(now(), host.now)
    assert.deepStrictEqual(
      holds.filter(({ name }) => name === "budget").map(({ why }) => why),
      [said]
    )
    know(null)
    host.run(minute)
    assert.deepStrictEqual(typed(), ["message a", "message b"])
    assert.isNull(wait())
  })
  it("holds them for your word where no day ends it, with the cause as data", () => {
    const { host, know, typed, wait } = session()
    const over: OverBudget = { ...used, of: "conversation", limit: "tokens", most: 1_000, used: 900, next: 200 }
    know(over)
    host.add("a", "message a")
    host.run(minute)
    assert.deepStrictEqual(typed(), [])
    const { cause, status, why } = Queue.find(host.queue, "a")?.message ?? assert.fail("no message")
    assert.deepStrictEqual([status, cause], ["held", { _tag: "OverBudget", of: "conversation" }])
    assert.strictEqual(why, "the conversation's budget leaves nothing for it")
    host.change(Queue.release(host.queue, null, host.now))
    host.run(minute)
    assert.deepStrictEqual(typed(), ["message a"], "the word goes beyond the budget")
    assert.isNull(wait())
    know({ ...over, of: "day" })
    host.add("b", "message b")
    host.run(minute)
    assert.deepStrictEqual(typed(), ["message a"], "another budget has not been spoken of")
  })
  it("types what is forced, and lets go what was held when there is room again", () => {
    const { host, know, typed } = session()
    know({ ...used, of: "conversation" })
    host.add("a", "message a")
    host.run(minute)
    host.add("f", "forced", { force: true })
    host.run(minute)
    assert.deepStrictEqual(typed(), ["forced"])
    know(null)
    host.run(minute)
    assert.deepStrictEqual(typed(), ["forced", "message a"])
  })
})
