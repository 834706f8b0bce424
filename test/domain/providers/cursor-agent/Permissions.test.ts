import { assert, describe, it } from "@effect/vitest"
import { cursorAgentInput } from "../../../../src/domain/providers/cursor-agent/Input.ts"
import { cursorAgentPermissions } from "../../../../src/domain/providers/cursor-agent/Permissions.ts"
import type { ToolRequest } from "../../../../src/domain/rules/policy/ToolRequest.ts"
import type { Dialog } from "../../../../src/domain/words/session/Screen.ts"

// HAND-MADE PAYLOADS, after the vendor's documentation of its hooks: there is no recording of Cursor Agent.
const { plainYes, reply, request } = cursorAgentPermissions

const nothing = { command: null, paths: [], url: null, agent: null, cwd: "/home/me/app" }
const told = { conversation_id: "c1", generation_id: "g1", workspace_roots: ["/home/me/app"] }

describe("what Cursor Agent asks for", () => {
  it.each<readonly [string, string, object, ToolRequest]>([
    [
      "a command",
      "beforeShellExecution",
      { command: "git push", cwd: "/home/me/app/sub" },
      { ...nothing, tool: "Shell", kind: "command", command: "git push", cwd: "/home/me/app/sub" }
    ],
    [
      "a command",
      "preToolUse",
      { tool_name: "Shell", tool_input: { command: "git push", working_directory: "/home/me/app/sub" } },
      { ...nothing, tool: "Shell", kind: "command", command: "git push", cwd: "/home/me/app/sub" }
    ],
    [
      "a server's tool, with the command that starts the server",
      "beforeMCPExecution",
      { tool_name: "query", tool_input: '{"path":"x"}', command: "npx db-server" },
      { ...nothing, tool: "query", kind: "mcp", carried: [{ name: "path", text: "x" }] }
    ],
    [
      "a server's tool",
      "preToolUse",
      { tool_name: "MCP:query", tool_input: { sql: "x" } },
      { ...nothing, tool: "MCP:query", kind: "mcp" }
    ],
    [
      "a reading",
      "preToolUse",
      { tool_name: "Read", tool_input: { file_path: "a.env" } },
      { ...nothing, tool: "Read", kind: "read", paths: ["a.env"] }
    ],
    [
      "a writing",
      "preToolUse",
      { tool_name: "Write", tool_input: '{"file_path":"/x/a","content":""}' },
      { ...nothing, tool: "Write", kind: "edit", paths: ["/x/a"] }
    ],
    [
      "a deletion",
      "preToolUse",
      { tool_name: "Delete", tool_input: { path: "a" } },
      { ...nothing, tool: "Delete", kind: "edit", paths: ["a"] }
    ],
    [
      "a notebook",
      "preToolUse",
      { tool_name: "EditNotebook", tool_input: { target_notebook: "n.ipynb", cell_idx: 1, new_string: "x" } },
      { ...nothing, tool: "EditNotebook", kind: "edit", paths: ["n.ipynb"] }
    ],
    [
      "an agent",
      "preToolUse",
      { tool_name: "Task", tool_input: { prompt: "x" } },
      { ...nothing, tool: "Task", kind: "agent" }
    ],
    ["something new", "preToolUse", { tool_name: "Teleport" }, { ...nothing, tool: "Teleport", kind: "other" }]
  ])("%s (%s)", (_, event, payload, expected) => {
    const found = request(event, { ...told, ...payload })
    assert.deepStrictEqual(found?.request, expected)
    assert.deepStrictEqual(found?.heeds, event === "preToolUse" ? ["deny"] : ["allow", "deny"])
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
    ["another mode", dialog(["Approve (y)", "Reject (n)"]), null],
    ["a plan", dialog(["Run (once) (y)", ...wider], "plan"), null]
  ])("%s", (_, shown, expected) => {
    assert.strictEqual(plainYes(shown), expected)
    if (expected !== null)
      assert.deepStrictEqual(cursorAgentInput.answer(shown, expected), { _tag: "Keys", writes: ["y"] })
  })
})
