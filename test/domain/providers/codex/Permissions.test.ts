import { assert, describe, it } from "@effect/vitest"
import { codexInput } from "../../../../src/domain/providers/codex/Input.ts"
import { codexPermissions } from "../../../../src/domain/providers/codex/Permissions.ts"
import type { Dialog } from "../../../../src/domain/words/session/Screen.ts"
import { assertRead, edits, type EventRow, reads, runs } from "../../../support/data/toolRequests.ts"

const { plainYes, reply, request } = codexPermissions

// As recorded, but for what only repeats.
const told = {
  session_id: "01a1fd01",
  turn_id: "01a1fd02",
  cwd: "/home/dev/project",
  model: "gpt-6.1-sol",
  permission_mode: "default"
}

const patch =
  "*** Begin Patch\n*** Update File: src/app.js\n@@\n-a\n+b\n*** Delete File: /home/dev/old.txt\n*** End Patch"

describe("what Codex asks for", () => {
  it.each<EventRow>([
    [
      "a command",
      "PermissionRequest",
      "Bash",
      { command: "touch /home/dev/outside.txt", description: "Do you want to allow this command?" },
      runs("touch /home/dev/outside.txt")
    ],
    ["a command in words", "PreToolUse", "Bash", { command: ["bash", "-lc", "git push"] }, runs("git push")],
    [
      "what is typed into a command that runs",
      "PreToolUse",
      "write_stdin",
      { session_id: 1, chars: "y\n" },
      runs("y\n")
    ],
    [
      "an addition",
      "PermissionRequest",
      "apply_patch",
      { command: "*** Begin Patch\n*** Add File: /home/dev/new.txt\n+x\n*** End Patch" },
      edits("/home/dev/new.txt")
    ],
    ["a patch of two files", "PreToolUse", "apply_patch", { command: patch }, edits("src/app.js", "/home/dev/old.txt")],
    [
      "a patch in words",
      "PreToolUse",
      "apply_patch",
      { command: ["apply_patch", patch] },
      edits("src/app.js", "/home/dev/old.txt")
    ],
    [
      "a patch through the shell",
      "PreToolUse",
      "Bash",
      { command: `apply_patch <<'E'\n${patch}\nE` },
      { ...runs(`apply_patch <<'E'\n${patch}\nE`), paths: ["src/app.js", "/home/dev/old.txt"] }
    ],
    ["a server's tool", "PermissionRequest", "mcp__github__create_issue", { title: "x" }, { kind: "mcp" }],
    [
      "an agent",
      "PreToolUse",
      "collaborationspawn_agent",
      { task_name: "counter", message: "count the files", fork_turns: "none" },
      { kind: "agent" }
    ],
    [
      "an agent's own command",
      "PreToolUse",
      "Bash",
      { command: "ls" },
      { ...runs("ls"), agent: "explorer" },
      { agent_id: "a1", agent_type: "explorer" }
    ],
    [
      "the command of an agent of no known kind",
      "PreToolUse",
      "Bash",
      { command: "ls" },
      { ...runs("ls"), agent: "subagent" },
      { agent_id: "a1" }
    ],
    ["a picture", "PreToolUse", "view_image", { path: "a.png" }, reads("a.png")],
    ["something new", "PreToolUse", "teleport", { to: "x" }, { kind: "other" }],
    ["a tool named like a property of every object", "PreToolUse", "constructor", undefined, { kind: "other" }]
  ])("%s (%s)", (_, event, tool_name, tool_input, read, more) => {
    const found = request(event, { ...told, hook_event_name: event, tool_name, tool_input, ...more })
    assertRead(found, event === "PermissionRequest" ? ["allow", "deny"] : ["deny"], tool_name, read)
  })

  it.each(["request_user_input", "request_user_input_async"])("%s is a person's to answer", (tool_name) => {
    for (const event of ["PreToolUse", "PermissionRequest"]) {
      const found = request(event, { ...told, tool_name, tool_input: { questions: [] } })
      assert.strictEqual(found?.request.kind, "question")
      assert.deepStrictEqual(found?.heeds, [])
    }
  })

  it("wider permissions for all that follows are refused or asked, and never granted", () =>
    assert.deepStrictEqual(
      request("PermissionRequest", { ...told, tool_name: "request_permissions", tool_input: {} })?.heeds,
      ["deny"]
    ))

  it.each([[{}], [{ command: 7 }], [{ command: ["ls", 7] }], [null], ["ls"], [[]]])(
    "a command that cannot be read is never granted: %j",
    (tool_input) => {
      const found = request("PermissionRequest", { ...told, tool_name: "Bash", tool_input })
      assert.strictEqual(found?.request.command, null)
      assert.deepStrictEqual(found?.heeds, ["deny"])
    }
  )

  it.each([
    [null],
    [7],
    ["x"],
    [[]],
    [{}],
    [{ tool_name: 7 }],
    [{ tool_name: "" }],
    [{ tool_input: { command: "ls" } }]
  ])("no tool, no request: %j", (payload) => assert.isNull(request("PermissionRequest", payload)))

  it.each(["PostToolUse", "Stop", "SessionStart", "notify", "toString"])("%s asks for nothing", (event) =>
    assert.isNull(request(event, { ...told, tool_name: "Bash", tool_input: { command: "ls" } }))
  )
})

describe("what Codex is told", () => {
  it.each<readonly [string, "allow" | "ask" | "deny", string, string | null]>([
    [
      "PermissionRequest",
      "allow",
      "rule",
      '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}'
    ],
    [
      "PermissionRequest",
      "deny",
      'not "there"',
      '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"not \\"there\\""}}}'
    ],
    ["PermissionRequest", "ask", "rule", null],
    [
      "PreToolUse",
      "deny",
      "no",
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}'
    ],
    // Without a reason it would not refuse.
    [
      "PreToolUse",
      "deny",
      " ",
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"refused by leap\'s policy"}}'
    ],
    ["PreToolUse", "allow", "rule", null],
    ["PreToolUse", "ask", "rule", null],
    ["Stop", "deny", "rule", null],
    ["toString", "allow", "rule", null]
  ])("%s %s (%s)", (event, verdict, why, line) => assert.strictEqual(reply(event, verdict, why), line))
})

describe("the plain yes", () => {
  const dialog = (title: string, labels: ReadonlyArray<string>, kind: Dialog["kind"] = "permission"): Dialog => ({
    kind,
    title,
    options: labels.map((label, at) => ({ number: at + 1, label, selected: at === 0 }))
  })
  const no = "No, and tell Codex what to do differently (esc)"
  const command = ["Yes, proceed (y)", "Yes, and don't ask again for commands that start with `touch` (p)", no]
  it.each<readonly [string, Dialog, string | null]>([
    ["a command", dialog("Would you like to run the following command? $ touch x", command), "1"],
    [
      "an edit",
      dialog("Would you like to make the following edits?", [
        "Yes, proceed (y)",
        "Yes, and don't ask again for these files (a)",
        no
      ]),
      "1"
    ],
    [
      "the network",
      dialog("Do you want to approve network access?", [
        "Yes, just this once (y)",
        "Yes, and allow this host for this conversation (a)",
        no
      ]),
      "1"
    ],
    ["in another order", dialog("Would you like to run the following command?", [...command].toReversed()), "3"],
    ["only wider grants", dialog("Would you like to run the following command?", command.slice(1)), null],
    [
      "permissions for a turn",
      dialog("Would you like to grant these permissions?", ["Yes, grant these permissions for this turn (y)", no]),
      null
    ],
    ["twice", dialog("?", ["Yes, proceed (y)", "Yes, proceed (y)", no]), null]
  ])("%s", (_, shown, expected) => {
    assert.strictEqual(plainYes(shown), expected)
    if (expected !== null)
      assert.deepStrictEqual(codexInput.answer(shown, expected), { _tag: "Keys", writes: [expected] })
  })
})
