import { assert, describe, it } from "@effect/vitest"
import { cursorAgentInput } from "../../../../src/domain/providers/cursor-agent/Input.ts"
import { cursorAgentPermissions } from "../../../../src/domain/providers/cursor-agent/Permissions.ts"
import type { Dialog } from "../../../../src/domain/words/session/Screen.ts"
import { assertRead, edits, type EventRow, reads, runs } from "../../../support/data/toolRequests.ts"

// HAND-MADE PAYLOADS, after the vendor's documentation of its hooks: there is no recording of Cursor Agent.
const { plainYes, reply, request } = cursorAgentPermissions

const cwd = "/home/me/app"
const told = { conversation_id: "c1", generation_id: "g1", workspace_roots: ["/home/me/app"] }

describe("what Cursor Agent asks for", () => {
  it.each<EventRow>([
    [
      "a command",
      "beforeShellExecution",
      "Shell",
      undefined,
      { ...runs("git push"), cwd: "/home/me/app/sub" },
      { command: "git push", cwd: "/home/me/app/sub" }
    ],
    [
      "a command",
      "preToolUse",
      "Shell",
      { command: "git push", working_directory: "/home/me/app/sub" },
      { ...runs("git push"), cwd: "/home/me/app/sub" }
    ],
    [
      "a server's tool, with the command that starts the server",
      "beforeMCPExecution",
      "query",
      '{"path":"x"}',
      { kind: "mcp", carried: [{ name: "path", text: "x" }] },
      { command: "npx db-server" }
    ],
    ["a server's tool", "preToolUse", "MCP:query", { sql: "x" }, { kind: "mcp" }],
    ["a reading", "preToolUse", "Read", { file_path: "a.env" }, reads("a.env")],
    ["a writing", "preToolUse", "Write", '{"file_path":"/x/a","content":""}', edits("/x/a")],
    ["a deletion", "preToolUse", "Delete", { path: "a" }, edits("a")],
    [
      "a notebook",
      "preToolUse",
      "EditNotebook",
      { target_notebook: "n.ipynb", cell_idx: 1, new_string: "x" },
      edits("n.ipynb")
    ],
    ["an agent", "preToolUse", "Task", { prompt: "x" }, { kind: "agent" }],
    ["something new", "preToolUse", "Teleport", undefined, { kind: "other" }]
  ])("%s (%s)", (_, event, tool_name, tool_input, read, more) => {
    const call = event === "beforeShellExecution" ? {} : { tool_name, tool_input }
    const found = request(event, { ...told, ...call, ...more })
    assertRead(found, event === "preToolUse" ? ["deny"] : ["allow", "deny"], tool_name, read, cwd)
  })

  it.each([[{}], [{ command: 7 }], [{ tool_input: { command: "ls" } }]])(
    "a command that cannot be read is never granted: %j",
    (payload) => assert.deepStrictEqual(request("beforeShellExecution", payload)?.heeds, ["deny"])
  )

  it.each([
    ["preToolUse", {}],
    ["preToolUse", null],
    ["beforeMCPExecution", { tool_name: [] }]
  ])("no tool, no request: %s %j", (event, payload) => assert.isNull(request(event, payload)))

  it.each(["beforeSubmitPrompt", "postToolUse", "stop", "beforeReadFile"])("%s asks for nothing", (event) =>
    assert.isNull(request(event, { ...told, tool_name: "Read", file_path: "a" }))
  )
})

describe("what Cursor Agent is told", () => {
  const denied = '{"permission":"deny","user_message":"no","agent_message":"no"}'
  it.each<readonly [string, "allow" | "ask" | "deny", string | null]>([
    ["beforeShellExecution", "allow", '{"permission":"allow"}'],
    ["beforeShellExecution", "deny", denied],
    ["beforeShellExecution", "ask", null],
    ["beforeMCPExecution", "deny", denied],
    ["preToolUse", "deny", denied],
    ["preToolUse", "allow", null],
    ["stop", "deny", null]
  ])("%s %s", (event, verdict, line) => assert.strictEqual(reply(event, verdict, "no"), line))
})

describe("the plain yes", () => {
  const dialog = (labels: ReadonlyArray<string>, kind: Dialog["kind"] = "permission"): Dialog => ({
    kind,
    title: "$ wc x in .: Run this command?",
    options: labels.map((label, at) => ({ number: at + 1, label, selected: at === 0 })),
    declines: true
  })
  const wider = [
    "Add Shell(wc) to allowlist? (tab)",
    "Run Everything (shift+tab)",
    "Skip & tell the agent what to do instead (esc or n)"
  ]
  it.each<readonly [string, Dialog, string | null]>([
    ["a command", dialog(["Run (once) (y)", ...wider]), "1"],
    ["with a second key", dialog(["Run (once) (y) (enter)", ...wider]), "1"],
    ["only wider grants", dialog(wider), null],
    ["another mode", dialog(["Approve (y)", "Reject (n)"]), null]
  ])("%s", (_, shown, expected) => {
    assert.strictEqual(plainYes(shown), expected)
    if (expected !== null)
      assert.deepStrictEqual(cursorAgentInput.answer(shown, expected), { _tag: "Keys", writes: ["y"] })
  })
})
