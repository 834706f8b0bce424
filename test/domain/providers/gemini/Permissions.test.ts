import { assert, describe, it } from "@effect/vitest"
import { geminiInput } from "../../../../src/domain/providers/gemini/Input.ts"
import { geminiPermissions } from "../../../../src/domain/providers/gemini/Permissions.ts"
import type { ToolRequest } from "../../../../src/domain/rules/policy/ToolRequest.ts"
import type { Dialog } from "../../../../src/domain/words/session/Screen.ts"

const { plainYes, reply, request } = geminiPermissions

const nothing = { command: null, paths: [], url: null, agent: null, cwd: "/home/dev/project" }
const told = {
  session_id: "c1a76efa",
  cwd: "/home/dev/project",
  hook_event_name: "BeforeTool",
  timestamp: "2026-11-21T07:48:44.038Z"
}

describe("what Gemini CLI asks for", () => {
  it.each<readonly [string, object, ToolRequest]>([
    [
      "a command",
      { tool_name: "run_shell_command", tool_input: { command: "touch one.txt", description: "Create one" } },
      { ...nothing, tool: "run_shell_command", kind: "command", command: "touch one.txt" }
    ],
    [
      "a reading",
      { tool_name: "read_file", tool_input: { file_path: "/home/dev/project/app.js" } },
      { ...nothing, tool: "read_file", kind: "read", paths: ["/home/dev/project/app.js"] }
    ],
    [
      "a new file",
      { tool_name: "write_file", tool_input: { file_path: "/home/dev/project/y.md", content: "y\n" } },
      { ...nothing, tool: "write_file", kind: "edit", paths: ["/home/dev/project/y.md"] }
    ],
    [
      "a change",
      { tool_name: "replace", tool_input: { file_path: "a.js", instruction: "i", old_string: "a", new_string: "b" } },
      { ...nothing, tool: "replace", kind: "edit", paths: ["a.js"] }
    ],
    [
      "a folder",
      { tool_name: "list_directory", tool_input: { dir_path: "src" } },
      { ...nothing, tool: "list_directory", kind: "read", paths: ["src"] }
    ],
    [
      "many files",
      { tool_name: "read_many_files", tool_input: { include: ["a.md", "b/*.md"] } },
      { ...nothing, tool: "read_many_files", kind: "read", paths: ["a.md", "b/*.md"] }
    ],
    [
      "a page",
      { tool_name: "web_fetch", tool_input: { prompt: "Sum up (https://example.com/a?b=1) for me" } },
      { ...nothing, tool: "web_fetch", kind: "fetch", url: "https://example.com/a?b=1" }
    ],
    [
      "pages",
      {
        tool_name: "web_fetch",
        tool_input: {
          prompt: "Compare HTTPS://a.example/x, https:b.example\nand c.example/y with (http://d.example) x://e"
        }
      },
      {
        ...nothing,
        tool: "web_fetch",
        kind: "fetch",
        url: "HTTPS://a.example/x,",
        urls: ["http://d.example", "x://e"],
        carried: [
          { name: "prompt", text: "b.example" },
          { name: "prompt", text: "c.example/y" }
        ]
      }
    ],
    [
      "a command in another folder",
      { tool_name: "run_shell_command", tool_input: { command: "cat id_rsa", dir_path: "../.ssh" } },
      {
        ...nothing,
        tool: "run_shell_command",
        kind: "command",
        command: "cat id_rsa",
        cwd: "/home/dev/project/../.ssh"
      }
    ],
    [
      "a search",
      { tool_name: "grep_search", tool_input: { pattern: "x", include_pattern: "*.env", dir_path: "src" } },
      { ...nothing, tool: "grep_search", kind: "read", paths: ["src"], globs: ["*.env"] }
    ],
    [
      "an agent",
      { tool_name: "invoke_agent", tool_input: { agent_name: "x" } },
      { ...nothing, tool: "invoke_agent", kind: "agent" }
    ],
    [
      "a server's tool",
      { tool_name: "mcp_github_create_issue", tool_input: {}, mcp_context: { server_name: "github" } },
      { ...nothing, tool: "mcp_github_create_issue", kind: "mcp" }
    ],
    [
      "a server's tool by its own name",
      { tool_name: "create_issue", tool_input: {}, mcp_context: { server_name: "github" } },
      { ...nothing, tool: "create_issue", kind: "mcp" }
    ],
    [
      "another mode",
      { tool_name: "enter_plan_mode", tool_input: { reason: "A larger change" } },
      { ...nothing, tool: "enter_plan_mode", kind: "other", carried: [{ name: "reason", text: "A larger change" }] }
    ]
  ])("%s", (_, payload, expected) => {
    const found = request("BeforeTool", { ...told, ...payload })
    assert.deepStrictEqual(found, { request: expected, heeds: ["deny"] })
  })

  it.each([
    ["ask_user", "question"],
    ["exit_plan_mode", "plan"]
  ])("%s is a person's to answer", (tool_name, kind) => {
    const found = request("BeforeTool", { ...told, tool_name, tool_input: { questions: [] } })
    assert.strictEqual(found?.request.kind, kind)
    assert.deepStrictEqual(found?.heeds, [])
  })

  it.each([[null], [7], [[]], [{}], [{ tool_name: null }]])("no tool, no request: %j", (payload) =>
    assert.isNull(request("BeforeTool", payload))
  )

  it.each(["Notification", "AfterTool", "BeforeAgent", "BeforeModel"])(
    "%s asks for nothing that BeforeTool has not",
    (event) => assert.isNull(request(event, { ...told, tool_name: "run_shell_command", tool_input: { command: "ls" } }))
  )
})

describe("what Gemini CLI is told", () => {
  it.each<readonly [string, "allow" | "ask" | "deny", string | null]>([
    ["BeforeTool", "deny", '{"decision":"deny","reason":"no"}'],
    ["BeforeTool", "allow", null],
    ["BeforeTool", "ask", null],
    ["Notification", "deny", null]
  ])("%s %s", (event, verdict, line) => assert.strictEqual(reply(event, verdict, "no"), line))
})

describe("the plain yes", () => {
  const dialog = (labels: ReadonlyArray<string>, kind: Dialog["kind"] = "permission"): Dialog => ({
    kind,
    title: "Shell touch a: Allow execution of [Shell]?",
    options: labels.map((label, at) => ({ number: at + 1, label, selected: at === 0 }))
  })
  it.each<readonly [string, Dialog, string | null]>([
    ["a command", dialog(["Allow once", "Allow for this session", "No, suggest changes (esc)"]), "1"],
    [
      "a change",
      dialog(["Allow once", "Allow for this session", "Modify with external editor", "No, suggest changes (esc)"]),
      "1"
    ],
    [
      "only wider grants",
      dialog(["Allow for this session", "Allow all server tools for this session", "No, suggest changes (esc)"]),
      null
    ],
    ["consent to an extension", dialog(["Yes", "No"]), null],
    ["a question", dialog(["Allow once", "Deny"], "question"), null],
    ["trust", dialog(["Trust folder (project)", "Trust parent folder (dev)", "Don't trust"], "trust"), null]
  ])("%s", (_, shown, expected) => {
    assert.strictEqual(plainYes(shown), expected)
    if (expected !== null) assert.deepStrictEqual(geminiInput.answer(shown, expected), { _tag: "Keys", writes: ["1"] })
  })
})
