import { assert, describe, it } from "@effect/vitest"
import { turnEnding, lostTextNote } from "../../../../src/domain/words/wording/TurnEnding.ts"

describe("how a message's turn ended", () => {
  it.each([
    ["by itself", { status: "done", why: null, outcome: "completed" }, null, "completed", null],
    ["a command of the CLI has none", { status: "done", why: "the CLI exited on it" }, null, null, null],
    [
      "by the user",
      { status: "done", why: "its turn was interrupted", outcome: "interrupted" },
      null,
      "interrupted",
      "its turn was interrupted"
    ],
    [
      "by a failure that was reported late",
      { status: "done", why: null, outcome: "completed" },
      "overloaded",
      "failed",
      "its turn failed: overloaded"
    ],
    [
      "by a failure without a reason",
      { status: "done", why: null, outcome: "failed" },
      null,
      "failed",
      "its turn failed"
    ],
    ["with its CLI", { status: "failed", why: "the CLI exited" }, null, "failed", "the CLI exited"]
  ] as const)("%s", (_, message, failure, outcome, why) => {
    assert.deepStrictEqual(turnEnding(message, failure), { outcome, why })
  })

  it("and where its words are, if it was cut off without any", () => {
    assert.match(lostTextNote("interrupted", null, "w") ?? "", /no record of the CLI's; 'leap screen w'/)
    assert.match(lostTextNote("interrupted", " \n", "w") ?? "", /leap screen/)
    assert.isNull(lostTextNote("interrupted", "Part 1", "w"))
    assert.isNull(lostTextNote("failed", null, "w"))
    assert.isNull(lostTextNote("completed", null, "w"))
  })
})
