import { assert, describe, it } from "@effect/vitest"
import { opencodePermissions } from "../../../../src/domain/providers/opencode/Permissions.ts"
import type { ToolRequest } from "../../../../src/domain/rules/policy/ToolRequest.ts"
import type { Dialog } from "../../../../src/domain/words/session/Screen.ts"

const { plainYes, reply, request } = opencodePermissions

const nothing = { command: null, paths: [], url: null, agent: null, cwd: "/home/dev/project" }
const asked = {
  id: "per_1fd2",
  sessionID: "ses_e02d",
  tool: { messageID: "msg_1", callID: "call_1" },
  cwd: "/home/dev/project",
  worktree: "/home/dev"
}
const tool = (name: string, args: unknown, more: object = {}) => ({
  input: { tool: name, sessionID: "ses_e02d", callID: "call_1" },
  output: { args },
  cwd: "/home/dev/project",
  ...more
})

describe("what OpenCode asks for", () => {
  it.each<readonly [string, object, ToolRequest]>([
    [
      "a command",
      {
        permission: "bash",
        patterns: ["touch made.txt", "sleep 2"],
        metadata: { command: "touch made.txt; sleep 2" },
        always: ["touch *", "sleep *"]
      },
      { ...nothing, tool: "bash", kind: "command", command: "touch made.txt; sleep 2" }
    ],
    [
      "an edit",
      {
        permission: "edit",
        patterns: ["project/new.txt"],
        metadata: { filepath: "/home/dev/project/new.txt", diff: "Index: x" },
        always: ["*"]
      },
      { ...nothing, tool: "edit", kind: "edit", paths: ["/home/dev/project/new.txt"] }
    ],
    [
      "an edit of several files",
      {
        permission: "edit",
        patterns: ["project/a", "project/b"],
        metadata: {
          filepath: "project/a, project/b",
          files: [{ filePath: "/home/dev/project/a", movePath: "/home/dev/c" }, { filePath: "/home/dev/project/b" }]
        }
      },
      { ...nothing, tool: "edit", kind: "edit", paths: ["/home/dev/project/a", "/home/dev/c", "/home/dev/project/b"] }
    ],
    [
      "an edit told by its pattern alone",
      { permission: "edit", patterns: ["project/new.txt"], metadata: {} },
      { ...nothing, tool: "edit", kind: "edit", paths: ["/home/dev/project/new.txt"] }
    ],
    [
      "a reading",
      { permission: "read", patterns: ["project/.env"], metadata: {}, always: ["*"] },
      { ...nothing, tool: "read", kind: "read", paths: ["/home/dev/project/.env"] }
    ],
    [
      "another folder",
      {
        permission: "external_directory",
        patterns: ["/home/dev/other/*"],
        metadata: { filepath: "/home/dev/other/new.txt", parentDir: "/home/dev/other" }
      },
      { ...nothing, tool: "external_directory", kind: "other", paths: ["/home/dev/other/new.txt"] }
    ],
    [
      "another folder by its pattern",
      { permission: "external_directory", patterns: ["/home/dev/other/*", "/*"], metadata: {} },
      { ...nothing, tool: "external_directory", kind: "other", paths: ["/home/dev/other", "/"] }
    ],
    [
      "a command in another folder",
      {
        permission: "external_directory",
        patterns: ["/tmp/*"],
        metadata: { command: "ls /tmp", directories: ["/tmp"] }
      },
      { ...nothing, tool: "external_directory", kind: "command", command: "ls /tmp", paths: ["/tmp"] }
    ],
    [
      "a page",
      {
        permission: "webfetch",
        patterns: ["https://example.com"],
        metadata: { url: "https://example.com", format: "text" }
      },
      { ...nothing, tool: "webfetch", kind: "fetch", url: "https://example.com" }
    ],
    [
      "an agent",
      { permission: "task", patterns: ["general"], metadata: { subagent_type: "general" } },
      { ...nothing, tool: "task", kind: "agent" }
    ],
    [
      "an agent's own command",
      { permission: "bash", metadata: { command: "ls" }, agent: "general" },
      { ...nothing, tool: "bash", kind: "command", command: "ls", agent: "general" }
    ],
    [
      "a server's tool",
      { permission: "github_create_issue", patterns: ["*"], metadata: {}, always: ["*"] },
      { ...nothing, tool: "github_create_issue", kind: "mcp" }
    ],
    [
      "something new",
      { permission: "teleport", patterns: ["*"], metadata: {} },
      { ...nothing, tool: "teleport", kind: "other" }
    ]
  ])("%s (permission.asked)", (_, payload, expected) =>
    assert.deepStrictEqual(request("permission.asked", { ...asked, ...payload }), {
      request: expected,
      heeds: ["allow", "deny"]
    })
  )

  it.each<readonly [string, object, ToolRequest]>([
    [
      "a command",
      tool("bash", { command: "touch made.txt", description: "Runs a command" }),
      { ...nothing, tool: "bash", kind: "command", command: "touch made.txt" }
    ],
    [
      "a new file",
      tool("write", { filePath: "/home/dev/project/new.txt", content: "hello\n" }),
      { ...nothing, tool: "write", kind: "edit", paths: ["/home/dev/project/new.txt"] }
    ],
    [
      "a change",
      tool("edit", { filePath: "/home/dev/project/README.md", oldString: "a", newString: "b" }),
      { ...nothing, tool: "edit", kind: "edit", paths: ["/home/dev/project/README.md"] }
    ],
    [
      "a patch",
      tool("apply_patch", { patchText: "*** Begin Patch\n*** Delete File: a\n*** End Patch" }),
      { ...nothing, tool: "apply_patch", kind: "edit", paths: ["a"] }
    ],
    ["a reading", tool("read", { filePath: ".env" }), { ...nothing, tool: "read", kind: "read", paths: [".env"] }],
    [
      "a page",
      tool("webfetch", { url: "https://example.com", format: "text" }),
      { ...nothing, tool: "webfetch", kind: "fetch", url: "https://example.com" }
    ],
    [
      "an agent",
      tool("task", { description: "d", prompt: "p", subagent_type: "general" }),
      { ...nothing, tool: "task", kind: "agent" }
    ],
    [
      "an agent's own reading",
      tool("read", { filePath: "a" }, { agent: "explore" }),
      { ...nothing, tool: "read", kind: "read", paths: ["a"], agent: "explore" }
    ],
    [
      "a server's tool",
      tool("github_create_issue", { path: "x" }),
      { ...nothing, tool: "github_create_issue", kind: "mcp", paths: ["x"] }
    ]
  ])("%s (tool.execute.before)", (_, payload, expected) =>
    assert.deepStrictEqual(request("hook.tool.execute.before", payload), { request: expected, heeds: ["deny"] })
  )

  it.each([
    ["question", "question"],
    ["plan_exit", "plan"],
    ["plan_enter", "plan"]
  ])("%s is a person's to answer", (name, kind) => {
    const found = request("hook.tool.execute.before", tool(name, {}))
    assert.strictEqual(found?.request.kind, kind)
    assert.deepStrictEqual(found?.heeds, [])
  })

  it("whether to go on after repeated failures is a person's to answer", () =>
    assert.deepStrictEqual(
      request("permission.asked", {
        ...asked,
        permission: "doom_loop",
        patterns: ["bash"],
        metadata: { tool: "bash", input: {} }
      })?.heeds,
      []
    ))

  it.each([[{}], [{ command: 7 }], [null], [[]]])("a command that cannot be read is never granted: %j", (metadata) =>
    assert.deepStrictEqual(request("permission.asked", { ...asked, permission: "bash", metadata })?.heeds, ["deny"])
  )

  it.each([
    ["permission.asked", null],
    ["permission.asked", []],
    ["permission.asked", { permission: 7 }],
    ["hook.tool.execute.before", null],
    ["hook.tool.execute.before", { input: "bash" }],
    ["hook.tool.execute.before", { output: { args: { command: "ls" } } }]
  ])("no tool, no request: %s %j", (event, payload) => assert.isNull(request(event, payload)))

  it.each(["question.asked", "permission.replied", "hook.tool.execute.after", "tool.execute.before"])(
    "%s asks for nothing",
    (event) => assert.isNull(request(event, { ...asked, permission: "bash", metadata: { command: "ls" } }))
  )
})

describe("what the plugin is told", () => {
  it.each<readonly [string, "allow" | "ask" | "deny", string | null]>([
    ["permission.asked", "allow", '{"reply":"once"}'],
    ["permission.asked", "deny", '{"reply":"reject","message":"no"}'],
    ["permission.asked", "ask", null],
    ["hook.tool.execute.before", "deny", '{"refuse":"no"}'],
    ["hook.tool.execute.before", "allow", null],
    ["session.idle", "deny", null]
  ])("%s %s", (event, verdict, line) => assert.strictEqual(reply(event, verdict, "no"), line))
})

describe("the plain yes", () => {
  const dialog = (title: string, labels: ReadonlyArray<string>, kind: Dialog["kind"] = "permission"): Dialog => ({
    kind,
    title,
    options: labels.map((label, at) => ({ number: null, label, selected: at === 0 }))
  })
  const choices = ["Allow once", "Allow always", "Reject"]
  it.each<readonly [string, Dialog, string | null]>([
    ["a command", dialog("Shell command: touch a", choices), "1"],
    ["an edit", dialog("Edit file", choices), "1"],
    [
      "the box behind 'always'",
      dialog("Always allow: This will allow the following patterns", ["Confirm", "Cancel"]),
      null
    ],
    ["a loop", dialog("Continue after repeated failures", choices), null],
    ["a rejection's reason", dialog("Reject permission: Tell OpenCode what to do differently", []), null],
    ["a question", dialog("Allow?", choices, "question"), null]
  ])("%s", (_, shown, expected) => assert.strictEqual(plainYes(shown), expected))
})
