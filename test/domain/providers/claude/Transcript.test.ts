import { assert, describe, it } from "@effect/vitest"
import { readTranscript } from "../../../../src/domain/providers/claude/Transcript.ts"

const timestamp = "2026-11-21T10:00:00.000Z"
const user = (content: unknown, more: object = {}) => ({
  type: "user",
  timestamp,
  message: { role: "user", content },
  ...more
})
const stopped = [{ _tag: "Interrupted", at: Date.parse(timestamp) }]

const result = (id: string, is_error?: boolean) => ({ type: "tool_result", tool_use_id: id, content: "x", is_error })
const ran = (id: string, ok: boolean) => ({ _tag: "ToolRan", tool: null, id, at: Date.parse(timestamp), ok })

describe("a record of the transcript", () => {
  it.each<readonly [string, unknown, ReadonlyArray<unknown>]>([
    ["a stop in mid-stream", user([{ type: "text", text: "[Request interrupted by user]" }]), stopped],
    ["a prompt that quotes it", user("what is [Request interrupted by user]?"), []],
    ["a subagent's", user("[Request interrupted by user]", { isSidechain: true }), []],
    ["one without a time", { ...user("[Request interrupted by user]"), timestamp: undefined }, []],
    ["the assistant's words", { ...user("[Request interrupted by user]"), type: "assistant" }, []],
    ["the results of tools", user([result("a"), result("b", true)]), [ran("a", true), ran("b", false)]],
    ["the results of a subagent's tools", user([result("a")], { isSidechain: true }), []],
    ["nothing", null, []]
  ])("%s", (_, record, signals) => assert.deepStrictEqual<ReadonlyArray<unknown>>(readTranscript(record), signals))
})
