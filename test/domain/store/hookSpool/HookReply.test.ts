import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { markOf, parseName } from "../../../../src/domain/store/hookSpool/HookFile.ts"
import * as HookReply from "../../../../src/domain/store/hookSpool/HookReply.ts"

describe("HookReply", () => {
  const marks = ["PermissionRequest,12,3,0", "a.b:c-d,1,1,7"]

  it("has names that the spool takes for no event, and that lead back to the call", () => {
    for (const mark of marks) {
      assert.isNotNull(parseName(mark))
      for (const nameOf of [HookReply.replyName, HookReply.takenName, HookReply.gaveUpName]) {
        const name = nameOf(mark)
        for (const shown of [name, `.${name}`, `.${name}.tmp`, HookReply.decisionFile]) {
          assert.isNull(parseName(shown), shown)
          assert.isNull(markOf(shown), shown)
        }
        assert.strictEqual(HookReply.callOf(name), mark)
      }
      assert.isNull(HookReply.callOf(mark))
      assert.isNull(HookReply.callOf(`.${mark}`))
    }
  })

  it.prop("an answer is three lines, whatever is in it", [Schema.NullOr(Schema.String)], ([line]) => {
    const [head, answer = "?", end, rest] = HookReply.replyText("X,1,2,0", line).split("\n")
    assert.deepStrictEqual([head, end, rest], ["leap-reply 1 X,1,2,0", "end", ""])
    assert.strictEqual(answer.replaceAll(/\s/g, ""), (line ?? "").replaceAll(/\s/g, ""))
  })

  it("the decision file names the host and its events", () => {
    assert.strictEqual(
      HookReply.decisionText(42, ["PermissionRequest", "permission.asked"]),
      "leap-decision 2 42 PermissionRequest permission.asked\n"
    )
  })
})
