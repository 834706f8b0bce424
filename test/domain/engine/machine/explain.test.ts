import { assert, describe, it } from "@effect/vitest"
import { DemoSession } from "../../../support/session/DemoSession.ts"

describe("why a message was not sent", () => {
  it("is said with what it waits for, and with what the queue waits for since a turn failed", () => {
    const session = new DemoSession()
    session.run(3000)
    session.add("a-message", "do a fail")
    session.add("b-message", "do b")
    const queue = () => session.explanation.evidence.flatMap(({ says, source }) => (source === "queue" ? [says] : []))
    while (session.outcome("a-message") !== "started") session.run(10)
    assert.match(queue().join("\n"), /“do a fail” waits for its turn to end/)
    session.run(20_000)
    assert.deepStrictEqual(
      session.explanation.holds.flatMap(({ name, why }) => (name === "failed-turn" ? [why] : [])).length,
      1
    )
    assert.deepStrictEqual(queue(), [], "what is held waits for the human")
  })
})
