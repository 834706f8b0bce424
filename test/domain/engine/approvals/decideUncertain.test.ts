import { assert, describe, it } from "@effect/vitest"
import { judgedIn } from "../../../../src/domain/engine/approvals/decideUncertain.ts"
import type { Verdict } from "../../../../src/domain/policy/Decision.ts"
import type { ToolRequest } from "../../../../src/domain/policy/ToolRequest.ts"

const request: ToolRequest = {
  tool: "Edit",
  kind: "edit",
  command: null,
  paths: ["/w/src/a"],
  url: null,
  agent: null,
  cwd: "/o"
}

describe("a session whose CLI has left the directory in which it was started", () => {
  it.each<readonly [start: Verdict, now: Verdict, holds: Verdict]>([
    ["allow", "allow", "allow"],
    ["allow", "ask", "ask"],
    ["allow", "deny", "deny"],
    ["ask", "allow", "ask"],
    ["ask", "deny", "deny"],
    ["deny", "allow", "deny"],
    ["deny", "ask", "deny"]
  ])("%s there and %s here is %s", (start, now, holds) => {
    let here = "/w"
    const asked: Array<string> = []
    let decided = 0
    const judge = judgedIn(
      "/w",
      () => here,
      (directory) => {
        asked.push(directory)
        return () => {
          decided++
          return { verdict: directory === "/w" ? start : now, rule: directory, why: "" }
        }
      }
    )
    assert.strictEqual(judge("pause", request).verdict, start)
    here = "/o"
    assert.deepStrictEqual([judge("pause", request).verdict, judge("pause", request).verdict], [holds, holds])
    here = "/w"
    assert.strictEqual(judge("pause", request).verdict, start)
    assert.deepStrictEqual(asked, ["/w", "/o"], "rules are read once for a directory")
    assert.strictEqual(decided, 6, "a request is decided once for a directory")
  })
})
