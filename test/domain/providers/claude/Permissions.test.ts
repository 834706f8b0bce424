import { assert, describe, it } from "@effect/vitest"
import { claudePermissions } from "../../../../src/domain/providers/claude/Permissions.ts"
import { claudeHooks } from "../../../../src/domain/providers/claude/Wiring.ts"
import type { Dialog } from "../../../../src/domain/words/session/Screen.ts"
import { rowsOf } from "../../../support/data/fields.ts"

const { decisions, plainYes, reply, request } = claudePermissions
const payload = (tool_name: string, tool_input: object, more: object = {}) => ({
  session_id: "s",
  cwd: "/home/dev/project",
  tool_name,
  tool_input,
  ...more
})
const blank = { command: null, paths: [], url: null, agent: null, cwd: "/home/dev/project" }

describe("Claude Code's permissions", () => {
  it("are asked for whatever the tool, in one hook that waits for an answer", () => {
    const asked = claudeHooks.events.filter(({ event }) => event === "PermissionRequest")
    assert.deepStrictEqual(rowsOf(asked, "canAnswer", "matcher"), [[true, "*"]])
  })

  it.each([
    ["Bash", { command: "npm test", description: "Run it" }, { kind: "command", command: "npm test" }],
    ["Monitor", { command: "tail -f log" }, { kind: "command", command: "tail -f log" }],
    [
      "Write",
      { file_path: "/home/dev/project/notes.md", content: "x" },
      { kind: "edit", paths: ["/home/dev/project/notes.md"] }
    ],
    ["Edit", { file_path: "a.ts", old_string: "a", new_string: "b" }, { kind: "edit", paths: ["a.ts"] }],
    ["NotebookEdit", { notebook_path: "n.ipynb" }, { kind: "edit", paths: ["n.ipynb"] }],
    ["Read", { file_path: "/etc/passwd" }, { kind: "read", paths: ["/etc/passwd"] }],
    ["Grep", { pattern: "x", path: "src" }, { kind: "read", paths: ["src"] }],
    ["WebFetch", { url: "https://example.com/", prompt: "what" }, { kind: "fetch", url: "https://example.com/" }],
    ["Agent", { description: "count", subagent_type: "general-purpose" }, { kind: "agent" }],
    ["mcp__github__create_issue", { title: "x" }, { kind: "mcp" }],
    ["TodoWrite", { todos: [] }, { kind: "other" }]
  ] as const)("reads %s", (tool, input, expected) => {
    for (const event of ["PermissionRequest", "PreToolUse"]) {
      const asked = request(event, payload(tool, input))
      assert.deepStrictEqual(asked?.request, { tool, ...blank, ...expected })
      assert.sameMembers([...(asked?.heeds ?? [])], event === "PermissionRequest" ? ["allow", "deny"] : ["ask", "deny"])
    }
  })

  it.each([
    ["AskUserQuestion", "question"],
    ["ExitPlanMode", "plan"],
    ["EnterPlanMode", "plan"]
  ])("leaves %s to the person", (tool, kind) => {
    for (const event of ["PermissionRequest", "PreToolUse"]) {
      const asked = request(event, payload(tool, {}))
      assert.strictEqual(asked?.request.kind, kind)
      assert.deepStrictEqual(asked?.heeds, [])
    }
  })

  it("leaves elicitations to the person, and waits for none", () => {
    const asked = request("Elicitation", { mcp_server_name: "lab", message: "your name?", mode: "form", cwd: "/p" })
    assert.deepStrictEqual([asked?.request.kind, asked?.request.tool, asked?.heeds], ["elicitation", "lab", []])
    assert.deepStrictEqual(
      decisions.map(({ event, verdicts }) => [event, verdicts.length]),
      [
        ["PermissionRequest", 2],
        ["PreToolUse", 2],
        ["Elicitation", 0]
      ]
    )
  })

  it("says which agent asks", () => {
    assert.isNull(
      request("PermissionRequest", payload("Bash", { command: "ls" }, { agent_type: "general-purpose" }))?.request.agent
    )
  })

  it("never grants a command that it cannot read", () => {
    for (const input of [{}, { command: 5 }, { command: "" }]) {
      assert.deepStrictEqual(request("PermissionRequest", payload("Bash", input))?.heeds, ["deny"])
    }
  })

  it("answers in the CLI's own words", () => {
    const said = (event: string, verdict: "allow" | "ask" | "deny") => {
      const line = reply(event, verdict, 'not "here"\nor there')
      return line === null ? null : (JSON.parse(line) as unknown)
    }
    const permission = (decision: object) => ({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } })
    assert.deepStrictEqual(said("PermissionRequest", "allow"), permission({ behavior: "allow" }))
    for (const verdict of ["ask", "deny"] as const) {
      assert.deepStrictEqual(said("PreToolUse", verdict), {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: verdict,
          permissionDecisionReason: 'not "here"\nor there'
        }
      })
    }
    for (const [event, verdict] of [
      ["PermissionRequest", "ask"],
      ["PreToolUse", "allow"],
      ["Elicitation", "allow"],
      ["Stop", "deny"],
      ["constructor", "allow"]
    ] as const) {
      assert.isNull(said(event, verdict), `${event} ${verdict}`)
    }
  })

  it("knows the plain yes of a dialog, and none that grants more", () => {
    const dialog = (labels: ReadonlyArray<string>, kind: Dialog["kind"] = "permission", numbers = true): Dialog => ({
      kind,
      title: "?",
      options: labels.map((label, i) => ({ number: numbers ? i + 1 : null, label, selected: i === 0 }))
    })
    assert.strictEqual(plainYes(dialog(["No", "Yes"], "permission", false)), "2")
    for (const labels of [["Yes, and print it", "No"], ["Yes, and don't ask again", "No"], [], ["No"], ["Yes", "Yes"]])
      assert.isNull(plainYes(dialog(labels)), labels.join())
    for (const kind of ["trust", "plan", "question", "elicitation", "login", "other"] as const)
      assert.isNull(plainYes(dialog(["Yes", "No"], kind)))
  })
})
