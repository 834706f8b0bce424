import { assert, describe, it } from "@effect/vitest"
import { readHook } from "../../../../src/domain/providers/cursor-agent/Hooks.ts"
import { toolEnded, toolStarted, turnEnded, turnStarted } from "../../../support/data/signals.ts"
import { each } from "../../../support/data/fields.ts"

// HAND-MADE PAYLOADS, after the vendor's documentation of its hooks: there is no recording of Cursor Agent.
const named = {
  conversation_id: "c1",
  generation_id: "g1",
  workspace_roots: ["/home/me/app"],
  transcript_path: "/home/me/t.jsonl"
}
const identity = { _tag: "SessionStarted", sessionId: "c1", transcriptPath: "/home/me/t.jsonl", source: "turn" }

describe("Cursor's hooks", () => {
  it.each<readonly [string, unknown, ReadonlyArray<unknown>]>([
    ["sessionStart", {}, []],
    ["sessionEnd", { reason: "user_close" }, [{ _tag: "SessionEnded", reason: "user_close" }]],
    ["beforeSubmitPrompt", { ...named, prompt: "fix it" }, [identity, turnStarted("fix it")]],
    ["preToolUse", { tool_name: "Write", tool_use_id: "t1" }, [toolStarted("Write", "t1")]],
    ["postToolUse", { tool_name: "Write", tool_use_id: "t1" }, [toolEnded("Write", "t1")]],
    ["postToolUseFailure", {}, [toolEnded("a tool")]],
    ["beforeShellExecution", { command: "ls" }, [toolStarted("Shell")]],
    ["afterShellExecution", { command: "ls", output: "" }, [toolEnded("Shell")]],
    ["beforeMCPExecution", { tool_name: "query" }, [toolStarted("query")]],
    ["afterMCPExecution", {}, [toolEnded("an MCP tool")]],
    ["afterAgentResponse", { text: "Done." }, [{ _tag: "Responded", text: "Done." }]],
    ["stop", { ...named, status: "completed", loop_count: 0 }, [identity, turnEnded()]],
    ["stop", { status: "aborted" }, [{ _tag: "Interrupted", at: null }]],
    [
      "stop",
      { status: "error", error: { message: "no" } },
      [{ _tag: "TurnFailed", problem: { kind: "unknown", message: "no", until: null }, message: "no", ends: true }]
    ],
    [
      "stop",
      { status: "error" },
      [
        {
          _tag: "TurnFailed",
          problem: { kind: "unknown", message: "the turn failed", until: null },
          message: "the turn failed",
          ends: true
        }
      ]
    ]
  ])("%s %j", (event, payload, signals) => {
    assert.deepStrictEqual<ReadonlyArray<unknown>>(readHook(event, payload), signals)
  })

  it.each([
    "preCompact",
    "subagentStart",
    "subagentStop",
    "afterFileEdit",
    "afterAgentThought",
    "beforeReadFile",
    "afterAgentResponse",
    "somethingNew"
  ])("%s says nothing of the state", (event) =>
    assert.deepStrictEqual(each(readHook(event, named), "_tag"), ["Ignored"])
  )

  it.each([["chatId"], ["chat_id"], ["session_id"]])("knows the conversation by %s", (name) => {
    const [signal] = readHook("sessionStart", { conversation_id: 7, chatId: [], [name]: "x" })
    assert.deepStrictEqual<unknown>(signal, { ...identity, sessionId: "x", transcriptPath: null })
  })
})
