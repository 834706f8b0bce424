import { assert, describe, it } from "@effect/vitest"
import type { MessageStatus } from "../../src/domain/words/session/Message.ts"
import { webSession } from "../../src/domain/surfaces/web/webSession.ts"
import { clashWords, duration, hasWords, queueWords, receiptWords } from "../../src/page/words.ts"
import { message } from "../support/data/clientKeys.ts"
import { sessionStatus } from "../support/data/sessionStatus.ts"
import { each } from "../support/data/fields.ts"

const queueOf = (...statuses: ReadonlyArray<MessageStatus>) => {
  const queue = statuses.map((status, i) => message(`M${i}`, "text", { status }))
  return webSession({ link: "live", status: sessionStatus({ queue }) }).queue
}

describe("the words of the page", () => {
  it.each([
    ["", "api Claude", true],
    [" cla  AP ", "api Claude", true],
    ["api codex", "api Claude", false]
  ])("%j are words of %j: %s", (words, text, has) => assert.strictEqual(hasWords(words, text), has))

  it.each<readonly [string, ReadonlyArray<MessageStatus>]>([
    ["", []],
    // their turn is under way, or over: a receipt is shown for a while
    ["", ["submitted", "started", "done", "removed"]],
    ["1 failed", ["failed"]],
    ["1 + 1 held + 1 failed", ["failed", "queued", "held"]],
    ["2", ["started", "typed", "queued"]],
    ["1 held", ["held"]],
    ["1 + 2 held", ["queued", "held", "held", "done"]]
  ])("%j wait of %j", (words, statuses) => assert.strictEqual(queueWords(queueOf(...statuses)), words))

  it("says of a message that is done whether its turn failed, and of one that goes out again that it is queued", () => {
    const failed = { outcome: "failed", why: "its turn failed: x" } as const
    const { queue } = webSession({
      link: "live",
      status: sessionStatus({
        queue: [
          message("A", "own fault", { status: "done", ...failed }),
          message("B", "again", { status: "queued", ...failed }),
          message("C", "fine", { status: "done", outcome: "completed" })
        ]
      })
    })
    assert.deepStrictEqual(queue.map(receiptWords), ["failed", "queued", "done"])
    assert.deepStrictEqual(each(queue, "why"), ["its turn failed: x", "its turn failed: x", null])
    assert.strictEqual(queueWords(queue), "1 + 1 failed")
  })

  it("names who writes the same file, by its name or whole", () => {
    assert.strictEqual(clashWords({ path: "/p/a.ts", others: ["b"], at: 0 }), "≠ b writes a.ts too")
    assert.strictEqual(clashWords({ path: "/p/a.ts", others: ["b", "c"], at: 0 }, true), "≠ b, c write /p/a.ts too")
  })

  it.each([
    [-5, "0 s"],
    [45_000, "45 s"],
    [180_000, "3 min"],
    [7_500_000, "2 h 5 min"],
    [86_400_000, "1 d"]
  ])("%i ms are %s", (ms, words) => assert.strictEqual(duration(ms), words))

  it("shows the home directory as ~", () => {
    const cwdOf = (cwd: string, home: string) => webSession({ link: "live", status: sessionStatus({ cwd }) }, home).cwd
    assert.deepStrictEqual(
      [cwdOf("/home/u/work", "/home/u"), cwdOf("/home/user", "/home/u"), cwdOf("/x", "")],
      ["~/work", "/home/user", "/x"]
    )
  })
})
