import { assert, describe, it } from "@effect/vitest"
import { copilotPermissions } from "../../../../src/domain/providers/copilot/Permissions.ts"
import type { Dialog } from "../../../../src/domain/words/session/Screen.ts"
import { assertRead, edits, type EventRow, fetches, reads, runs } from "../../../support/data/toolRequests.ts"

const { plainYes, reply, request } = copilotPermissions

const told = { sessionId: "c3ad4946", timestamp: 1795248756931, cwd: "/home/dev/project" }
const patch =
  "*** Begin Patch\n*** Update File: /home/dev/project/app.js\n@@\n export function add(a, b) {\n+  check(a)\n }\n*** End Patch\n"

describe("what Copilot asks for", () => {
  it.each<EventRow>([
    [
      "a command",
      "permissionRequest",
      "bash",
      { command: "touch a" },
      runs("touch a"),
      { hookName: "permissionRequest" }
    ],
    [
      "a command",
      "preToolUse",
      "bash",
      { command: "touch a", description: "Make it", initial_wait: 60, mode: "sync" },
      runs("touch a")
    ],
    ["arguments as JSON in a text", "preToolUse", "bash", '{"command":"touch a"}', runs("touch a")],
    [
      "what is typed into a command that runs",
      "preToolUse",
      "write_bash",
      { shellId: "0", input: "rm x{enter}" },
      runs("rm x{enter}")
    ],
    [
      "an edit",
      "permissionRequest",
      "edit",
      { file_path: "/home/dev/project/app.js", diff: "\ndiff --git a/x b/x" },
      edits("/home/dev/project/app.js"),
      { permissionSuggestions: [] }
    ],
    ["a patch", "preToolUse", "apply_patch", patch, edits("/home/dev/project/app.js")],
    ["a view", "preToolUse", "view", { path: "/home/dev/project/app.js" }, reads("/home/dev/project/app.js")],
    ["a view by the editor's tool", "preToolUse", "str_replace_editor", { command: "view", path: "a" }, reads("a")],
    ["an edit by the editor's tool", "preToolUse", "str_replace_editor", { command: "create", path: "a" }, edits("a")],
    ["a search", "preToolUse", "glob", { pattern: "**/*.md" }, { ...reads("."), globs: ["**/*.md"] }],
    ["a page", "preToolUse", "web_fetch", { url: "https://example.com/a" }, fetches("https://example.com/a")],
    ["an agent", "preToolUse", "task", { agent_type: "explore", prompt: "look", name: "explorer" }, { kind: "agent" }],
    [
      "an agent's own command",
      "permissionRequest",
      "bash",
      { command: "ls" },
      { ...runs("ls"), agent: "explore" },
      { agentId: "14ce", agentType: "explore", parentAgentId: "6d70" }
    ],
    [
      "the command of an agent of no known kind",
      "preToolUse",
      "bash",
      { command: "ls" },
      { ...runs("ls"), agent: "subagent" },
      { agentId: "14ce" }
    ],
    ["a server's tool", "preToolUse", "github-mcp-server-list_issues", { owner: "me" }, { kind: "mcp" }],
    ["something new", "preToolUse", "report_intent", { intent: "x" }, { kind: "other" }]
  ])("%s (%s)", (_, event, toolName, input, read, more) => {
    const given = event === "preToolUse" ? { toolArgs: input } : { toolInput: input }
    const found = request(event, { ...told, toolName, ...given, ...more })
    assertRead(found, event === "permissionRequest" ? ["allow", "deny"] : ["deny"], toolName, read)
  })

  it.each([
    ["ask_user", "question"],
    ["exit_plan_mode", "plan"]
  ])("%s is a person's to answer", (toolName, kind) => {
    for (const event of ["preToolUse", "permissionRequest"]) {
      const found = request(event, { ...told, toolName, toolArgs: { message: "Which?" } })
      assert.strictEqual(found?.request.kind, kind)
      assert.deepStrictEqual(found?.heeds, [])
    }
  })

  it.each([[{}], [{ command: 7 }], [null], ["ls"], [[]]])(
    "a command that cannot be read is never granted: %j",
    (toolInput) =>
      assert.deepStrictEqual(request("permissionRequest", { ...told, toolName: "bash", toolInput })?.heeds, ["deny"])
  )

  it.each([[null], [7], [[]], [{}], [{ toolName: 7 }], [{ toolArgs: {} }]])("no tool, no request: %j", (payload) =>
    assert.isNull(request("permissionRequest", payload))
  )

  it.each(["notification", "postToolUse", "agentStop", "PermissionRequest"])("%s asks for nothing", (event) =>
    assert.isNull(request(event, { ...told, toolName: "bash", toolArgs: { command: "ls" } }))
  )
})

describe("what Copilot is told", () => {
  it.each<readonly [string, "allow" | "ask" | "deny", string | null]>([
    ["permissionRequest", "allow", '{"behavior":"allow"}'],
    ["permissionRequest", "deny", '{"behavior":"deny","message":"no"}'],
    ["permissionRequest", "ask", null],
    ["preToolUse", "deny", '{"permissionDecision":"deny","permissionDecisionReason":"no"}'],
    // It would run what Copilot would have asked for differently, or refused.
    ["preToolUse", "allow", null],
    ["agentStop", "deny", null]
  ])("%s %s", (event, verdict, line) => assert.strictEqual(reply(event, verdict, "no"), line))
})

describe("the plain yes", () => {
  const dialog = (title: string, labels: ReadonlyArray<string>, kind: Dialog["kind"] = "permission"): Dialog => ({
    kind,
    title,
    options: labels.map((label, at) => ({ number: at + 1, label, selected: at === 0 }))
  })
  const no = "No, and tell Copilot what to do differently (Esc to stop)"
  const yes = ["Yes", "Yes, and don't ask again for `mkdir` in this repo (~/project)", no]
  it.each<readonly [string, Dialog, string | null]>([
    ["a command", dialog("Make a folder: Do you want to run this command?", yes), "1"],
    ["an edit", dialog("Edit file: Do you want to edit app.js?", yes), "1"],
    ["a server's tool", dialog("List issues: Do you want to use this tool?", yes), "1"],
    ["an address", dialog("Open page: Do you want to allow this access?", yes), "1"],
    ["only wider grants", dialog("Do you want to run this command?", yes.slice(1)), null],
    ["twice", dialog("Do you want to run this command?", ["Yes", "Yes"]), null],
    ["out of the sandbox", dialog("x: Do you want to run this command outside the sandbox?", yes), null],
    ["a change out of the sandbox", dialog("x: Do you want to edit app.js outside the sandbox?", yes), null],
    ["paths", dialog("Allow path access: Do you want to allow this?", yes), null],
    ["against a policy", dialog("x: Do you want to ignore the policy and fetch this URL anyway?", yes), null],
    ["an extension", dialog('Extension "x" wants elevated permissions', ["Yes", "No"]), null],
    ["a server's request to the model", dialog("Do you want to approve this request?", ["Yes", "No"]), null],
    ["a title that was cut off", dialog("Make a very long thing: Do you want to run this comm", yes), null]
  ])("%s", (_, shown, expected) => assert.strictEqual(plainYes(shown), expected))
})
