import { assert, it } from "@effect/vitest"
import { relocation } from "../../../../src/domain/providers/cursor-agent/Relocation.ts"
import { fault } from "../../../../src/domain/store/relocation/Plan.ts"

const move = (toHash: string, sessionId = "c1") => relocation({ chat: `/h/chats/aa/${sessionId}`, sessionId, toHash })

it("a chat's directory moves to the other project's, and an emptied project goes", () => {
  assert.isNull(fault(move("bb")))
  assert.deepStrictEqual(move("bb").pieces, [
    { kind: "tree", from: "/h/chats/aa/c1", to: "/h/chats/bb/c1", optional: false }
  ])
  assert.deepStrictEqual(move("bb").tidy, ["/h/chats/aa"])
})

it("a chat that is there already does not move", () => {
  assert.deepStrictEqual(move("aa").pieces, [])
  assert.deepStrictEqual(move("aa").tidy, [])
})

it("an id with a path in it is refused", () => {
  for (const id of ["..", "a/b", "../x"]) assert.isNotNull(fault(move("bb", id)))
})
