import { assert, it } from "@effect/vitest"
import { recordOf, type SessionRecord } from "../../../../src/domain/store/conversations/SessionRecord.ts"

const record = (sessionId: string, lastSeen: number, cli = "claude"): SessionRecord => ({
  cli,
  base: cli,
  sessionId,
  transcriptPath: null,
  cwd: "/w",
  firstSeen: 0,
  lastSeen,
  version: "0"
})
const records = [record("before", 50), record("a", 120), record("b", 200), record("c", 300, "codex")]

it.each<readonly [string, string | null, string | undefined]>([
  ["named in its status", "a", "a"],
  ["of before, where its status names that", "before", "before"],
  ["another CLI's", "c", undefined],
  ["unknown", "x", undefined],
  ["not named yet: the last that its CLI was seen with since it started", null, "b"]
])("a session's conversation that is %s", (_, sessionId, expected) => {
  const session = { cli: "claude", sessionId, startedAt: new Date(100).toISOString() }
  assert.strictEqual(recordOf(session, records)?.sessionId, expected)
})

it("a session that was killed before its CLI told of a conversation has none of before", () => {
  const session = { cli: "claude", sessionId: null, startedAt: new Date(250).toISOString() }
  assert.isUndefined(recordOf(session, records))
})
