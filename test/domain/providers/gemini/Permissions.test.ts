import { assert, describe, it } from "@effect/vitest"
import { geminiInput } from "../../../../src/domain/providers/gemini/Input.ts"
import { geminiPermissions } from "../../../../src/domain/providers/gemini/Permissions.ts"
import type { Dialog } from "../../../../src/domain/words/session/Screen.ts"
import { assertRead, type CallRow, edits, fetches, reads, runs } from "../../../support/data/toolRequests.ts"

const { plainYes, reply, request } = geminiPermissions

const told = {
  session_id: "c1a76efa",
  cwd: "/home/dev/project",
  hook_event_name: "BeforeTool",
  timestamp: "2026-11-21T07:48:44.038Z"
}

describe("what Gemini CLI asks for", () => {
  it.each<CallRow>([
    ["a command", "run_shell_command", { command: "touch one.txt", description: "Create one" }, runs("touch one.txt")],
    ["a reading", "read_file", { file_path: "/home/dev/project/app.js" }, reads("/home/dev/project/app.js")],
    [
      "a new file",
      "write_file",
      { file_path: "/home/dev/project/y.md", content: "y\n" },
      edits("/home/dev/project/y.md")
    ],
    ["a change", "replace", { file_path: "a.js", instruction: "i", old_string: "a", new_string: "b" }, edits("a.js")],
    ["a folder", "list_directory", { dir_path: "src" }, reads("src")],
    ["many files", "read_many_files", { include: ["a.md", "b/*.md"] }, reads("a.md", "b/*.md")],
    [
      "a page",
      "web_fetch",
      { prompt: "Sum up (https://example.com/a?b=1) for me" },
      fetches("https://example.com/a?b=1")
    ],
    [
      "pages",
      "web_fetch",
      { prompt: "Compare HTTPS://a.example/x, https:b.example\nand c.example/y with (http://d.example) x://e" },
      {
        ...fetches("HTTPS://a.example/x,"),
        urls: ["http://d.example", "x://e"],
        carried: [
          { name: "prompt", text: "b.example" },
          { name: "prompt", text: "c.example/y" }
        ]
      }
    ],
    [
      "a command in another folder",
      "run_shell_command",
      { command: "cat id_rsa", dir_path: "../.ssh" },
      { ...runs("cat id_rsa"), cwd: "/home/dev/project/../.ssh" }
    ],
    [
      "a search",
      "grep_search",
      { pattern: "x", include_pattern: "*.env", dir_path: "src" },
      { ...reads("src"), globs: ["*.env"] }
    ],
    ["an agent", "invoke_agent", { agent_name: "x" }, { kind: "agent" }],
    ["a server's tool", "mcp_github_create_issue", {}, { kind: "mcp" }, { mcp_context: { server_name: "github" } }],
    [
      "a server's tool by its own name",
      "create_issue",
      {},
      { kind: "mcp" },
      { mcp_context: { server_name: "github" } }
    ],
    [
      "another mode",
      "enter_plan_mode",
      { reason: "A larger change" },
      { kind: "other", carried: [{ name: "reason", text: "A larger change" }] }
    ]
  ])("%s", (_, tool_name, tool_input, read, more) => {
    const found = request("BeforeTool", { ...told, tool_name, tool_input, ...more })
    assertRead(found, ["deny"], tool_name, read)
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
    ["consent to an extension", dialog(["Yes", "No"]), null]
  ])("%s", (_, shown, expected) => {
    assert.strictEqual(plainYes(shown), expected)
    if (expected !== null) assert.deepStrictEqual(geminiInput.answer(shown, expected), { _tag: "Keys", writes: ["1"] })
  })
})
