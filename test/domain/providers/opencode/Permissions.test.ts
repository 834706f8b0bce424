import { assert, describe, it } from "@effect/vitest"
import { opencodePermissions } from "../../../../src/domain/providers/opencode/Permissions.ts"
import type { Dialog } from "../../../../src/domain/words/session/Screen.ts"
import { assertRead, type CallRow, edits, fetches, reads, runs } from "../../../support/data/toolRequests.ts"

const { plainYes, reply, request } = opencodePermissions

const asked = {
  id: "per_1fd2",
  sessionID: "ses_e02d",
  tool: { messageID: "msg_1", callID: "call_1" },
  cwd: "/home/dev/project",
  worktree: "/home/dev"
}
const tool = (name: string, args: unknown, more?: object) => ({
  input: { tool: name, sessionID: "ses_e02d", callID: "call_1" },
  output: { args },
  cwd: "/home/dev/project",
  ...more
})

describe("what OpenCode asks for", () => {
  it.each<CallRow>([
    [
      "a command",
      "bash",
      { command: "touch made.txt; sleep 2" },
      runs("touch made.txt; sleep 2"),
      { patterns: ["touch made.txt", "sleep 2"] }
    ],
    [
      "an edit",
      "edit",
      { filepath: "/home/dev/project/new.txt", diff: "Index: x" },
      edits("/home/dev/project/new.txt"),
      { patterns: ["project/new.txt"] }
    ],
    [
      "an edit of several files",
      "edit",
      {
        filepath: "project/a, project/b",
        files: [{ filePath: "/home/dev/project/a", movePath: "/home/dev/c" }, { filePath: "/home/dev/project/b" }]
      },
      edits("/home/dev/project/a", "/home/dev/c", "/home/dev/project/b"),
      { patterns: ["project/a", "project/b"] }
    ],
    [
      "an edit told by its pattern alone",
      "edit",
      {},
      edits("/home/dev/project/new.txt"),
      { patterns: ["project/new.txt"] }
    ],
    ["a reading", "read", {}, reads("/home/dev/project/.env"), { patterns: ["project/.env"] }],
    [
      "another folder",
      "external_directory",
      { filepath: "/home/dev/other/new.txt", parentDir: "/home/dev/other" },
      { kind: "other", paths: ["/home/dev/other/new.txt"] },
      { patterns: ["/home/dev/other/*"] }
    ],
    [
      "another folder by its pattern",
      "external_directory",
      {},
      { kind: "other", paths: ["/home/dev/other", "/"] },
      { patterns: ["/home/dev/other/*", "/*"] }
    ],
    [
      "a command in another folder",
      "external_directory",
      { command: "ls /tmp", directories: ["/tmp"] },
      { ...runs("ls /tmp"), paths: ["/tmp"] },
      { patterns: ["/tmp/*"] }
    ],
    [
      "a page",
      "webfetch",
      { url: "https://example.com", format: "text" },
      fetches("https://example.com"),
      { patterns: ["https://example.com"] }
    ],
    ["an agent", "task", { subagent_type: "general" }, { kind: "agent" }, { patterns: ["general"] }],
    ["an agent's own command", "bash", { command: "ls" }, { ...runs("ls"), agent: "general" }, { agent: "general" }],
    ["a server's tool", "github_create_issue", {}, { kind: "mcp" }, { patterns: ["*"] }],
    ["something new", "teleport", {}, { kind: "other" }, { patterns: ["*"] }]
  ])("%s (permission.asked)", (_, permission, metadata, read, more) => {
    const found = request("permission.asked", { ...asked, permission, metadata, ...more })
    assertRead(found, ["allow", "deny"], permission, read)
  })

  it.each<CallRow>([
    ["a command", "bash", { command: "touch made.txt", description: "Runs a command" }, runs("touch made.txt")],
    [
      "a new file",
      "write",
      { filePath: "/home/dev/project/new.txt", content: "hello\n" },
      edits("/home/dev/project/new.txt")
    ],
    [
      "a change",
      "edit",
      { filePath: "/home/dev/project/README.md", oldString: "a", newString: "b" },
      edits("/home/dev/project/README.md")
    ],
    ["a patch", "apply_patch", { patchText: "*** Begin Patch\n*** Delete File: a\n*** End Patch" }, edits("a")],
    ["a reading", "read", { filePath: ".env" }, reads(".env")],
    ["a page", "webfetch", { url: "https://example.com", format: "text" }, fetches("https://example.com")],
    ["an agent", "task", { description: "d", prompt: "p", subagent_type: "general" }, { kind: "agent" }],
    ["an agent's own reading", "read", { filePath: "a" }, { ...reads("a"), agent: "explore" }, { agent: "explore" }],
    ["a server's tool", "github_create_issue", { path: "x" }, { kind: "mcp", paths: ["x"] }]
  ])("%s (tool.execute.before)", (_, name, args, read, more) => {
    const found = request("hook.tool.execute.before", tool(name, args, more))
    assertRead(found, ["deny"], name, read)
  })

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
    ["a rejection's reason", dialog("Reject permission: Tell OpenCode what to do differently", []), null]
  ])("%s", (_, shown, expected) => assert.strictEqual(plainYes(shown), expected))
})
