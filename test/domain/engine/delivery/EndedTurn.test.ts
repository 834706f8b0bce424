import { assert, describe, it } from "@effect/vitest"
import { deliveryWords } from "../../../../src/domain/words/wording/deliveryWords.ts"
import { AloneSession } from "../../../support/session/AloneSession.ts"
import { ended, frame, keys, signal, started, working } from "../../../support/session/trace.ts"

const failed = signal({ _tag: "TurnFailed", problem: null, message: "overloaded" })

/** A message whose turn the CLI has reported to begin, and that was seen to be over with no word of its end. */
const unreported = (): AloneSession => {
  const session = new AloneSession()
  session.sends("a", "do a")
  session.sees("running", started("do a"), working())
  session.run(2_000)
  session.sees("idle", frame())
  assert.strictEqual(session.outcome("a"), "done")
  return session
}

/** A message whose turn was seen, and of which the CLI has told nothing. */
const untold = (): AloneSession => {
  const session = new AloneSession()
  session.sends("a", "do a")
  session.sees("running", working())
  session.run(2_000)
  session.sees("idle", frame())
  return session
}

describe("how a turn ended of which nothing is told", () => {
  const limit = { kind: "rate_limited", message: "the limit is reached", until: null } as const
  it.each([
    ["is not what an earlier one failed of, though the session still shows that", true, null],
    ["is what the session shows since", false, "failed"]
  ] as const)("%s", (_, isEarlier, outcome) => {
    const session = new AloneSession()
    if (isEarlier) session.shows(limit)
    session.run(2_000)
    session.sends("a", "do a")
    session.sees("running", working())
    session.run(2_000)
    if (!isEarlier) session.shows(limit)
    session.sees("idle", frame())
    session.run(10_000)
    assert.strictEqual(session.outcome("a") === "failed" ? "failed" : null, outcome)
  })
})

describe("a failure that is told behind the Enter of a message", () => {
  it.each([
    ["is held, where a prompt of the user's before it has told nothing of itself", "held", [keys("enter"), frame()]],
    ["is its own, where nothing was sent before it", "failed", []]
  ] as const)("%s", (_, outcome, before) => {
    const session = new AloneSession()
    session.tell(...before)
    session.run(5_000)
    session.tell(frame())
    session.sends("a", "do a")
    session.tell(failed)
    session.run(20_000)
    assert.strictEqual(session.outcome("a"), outcome)
  })
})

describe("what is reported late of a turn that is over", () => {
  it("is held where another's turn is over since, which has not been told to begin: it may be of that one", () => {
    const session = unreported()
    session.run(5_000)
    session.sends("b", "do b")
    session.sees("running", working())
    session.run(2_000)
    session.sees("idle", frame())
    session.run(2_000)
    session.tell(failed)
    assert.deepStrictEqual([session.outcome("a"), session.outcome("b")], ["held", "done"])
    assert.strictEqual(session.reason("a"), deliveryWords(["others-failure"]))
  })

  it("is not a failure of what the user has sent since", () => {
    const session = untold()
    assert.strictEqual(session.outcome("a"), "completed")
    session.run(2_000)
    session.tell(keys("enter"), failed)
    assert.strictEqual(session.outcome("a"), "completed")
  })

  it("is not a failure of it where another message was sent since, whose turn was not seen to begin yet", () => {
    const session = untold()
    session.run(2_000)
    session.sends("b", "do b")
    session.tell(failed)
    assert.strictEqual(session.outcome("a"), "completed")
  })

  it("is a failure, where nobody has sent anything since", () => {
    const session = untold()
    session.run(2_000)
    session.tell(failed)
    assert.strictEqual(session.outcome("a"), "failed")
  })

  it.each([
    ["closes like any other, and stays interrupted", ended(), "interrupted"],
    ["had failed before the key came", failed, "failed"]
  ] as const)("of one that was interrupted: it %s", (_, end, outcome) => {
    const session = new AloneSession()
    session.sends("a", "do a")
    session.sees("running", started("do a"), working())
    session.run(2_000)
    session.sees("interrupted", frame())
    assert.strictEqual(session.outcome("a"), "interrupted")
    session.run(500)
    session.tell(end)
    assert.strictEqual(session.outcome("a"), outcome)
  })
})

describe("a turn that was stopped", () => {
  const refused = signal({ _tag: "TurnFailed", problem: null, message: "model not found" })
  /** Two messages that wait for the user since the turn of the first failed. */
  const waiting = (): AloneSession => {
    const session = new AloneSession()
    session.sends("a", "do a")
    session.sees("running", started("do a"), working())
    session.run(2_000)
    session.sees("idle", refused, frame())
    session.add("b", "do b")
    session.run(3_000)
    assert.deepStrictEqual([session.status("a"), session.status("b")], ["held", "held"])
    return session
  }

  it("is no answer that lets go what waits, though its end is told: the user's own", () => {
    const session = waiting()
    session.tell(keys("text", "enter"))
    session.sees("running", started("mine"), working())
    session.run(2_000)
    session.sees("interrupted", ended(), frame())
    session.run(2_000)
    assert.strictEqual(session.status("b"), "held")
  })

  it("is no answer that lets go what waits, though its end is told late: a message's", () => {
    const session = waiting()
    session.sends("c", "do c", true)
    session.sees("running", started("do c"), working())
    session.run(2_000)
    session.sees("interrupted", frame())
    assert.strictEqual(session.outcome("c"), "interrupted")
    session.tell(ended())
    session.sees("idle", frame())
    session.run(2_000)
    assert.strictEqual(session.status("b"), "held")
  })
})

describe("the end of a turn", () => {
  it("that background work has gone on with is that of both", () => {
    const session = new AloneSession()
    session.sends("a", "do a")
    session.sees("running", started("do a"), working(), started("goes on", true))
    session.run(2_000)
    session.tell(failed)
    session.sees("idle", frame())
    session.run(2_000)
    assert.strictEqual(session.outcome("a"), "failed")
  })

  it.each([
    ["idle", 1_400],
    ["interrupted", 1_400]
  ] as const)(
    "that was never classified as running (%s) is waited for, as no report says that it was stopped",
    (state, still) => {
      const session = new AloneSession()
      session.sends("a", "do a")
      session.run(3_000)
      session.sees(state, working())
      session.run(still)
      assert.strictEqual(session.status("a"), "started")
      session.run(200)
      assert.strictEqual(session.status("a"), "done")
    }
  )

  // the session rested, and what had no end by then gets none: the next end is that of what was sent since
  it("that is told of a turn which began later is not that of a message typed ahead of another", () => {
    const session = new AloneSession()
    session.sends("a", "do a")
    session.sees("running", started("do a"), working())
    session.run(2_000)
    session.sees("idle", ended(), frame())
    session.run(1_000)
    session.tell(keys("text", "enter"))
    session.sees("running", started("mine"), working())
    session.sends("b", "do b", true)
    session.sees("running", started("do b"), working())
    session.run(2_000)
    session.sees("idle", frame())
    session.run(3_500)
    assert.strictEqual(session.status("b"), "started")
    session.tell(keys("text", "enter"), started("mine too"), failed)
    session.run(2_000)
    assert.deepStrictEqual([session.status("b"), session.outcome("b")], ["done", "done"])
  })

  it("is at once, where its beginning was reported and it was stopped", () => {
    const session = new AloneSession()
    session.sends("a", "do a")
    session.sees("interrupted", started("do a"), frame())
    assert.strictEqual(session.outcome("a"), "interrupted")
  })
})
