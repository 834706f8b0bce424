import { assert, describe, it } from "@effect/vitest"
import { claudePermissions } from "../../../../src/domain/providers/claude/Permissions.ts"
import { codexPermissions } from "../../../../src/domain/providers/codex/Permissions.ts"
import { copilotPermissions } from "../../../../src/domain/providers/copilot/Permissions.ts"
import { geminiPermissions } from "../../../../src/domain/providers/gemini/Permissions.ts"
import { opencodePermissions } from "../../../../src/domain/providers/opencode/Permissions.ts"
import { decide } from "../../../../src/domain/policy/decide.ts"
import { personal } from "../../../../src/domain/policy/ToolRequest.ts"
import { noPolicy } from "../../../../src/domain/store/settings/Settings.ts"
import { fieldsOf } from "../../../../src/domain/words/reading/Fields.ts"
import { toolRows } from "../../../support/policy/toolRows.ts"
import { hookPayloads } from "../../../support/recordings/hookPayloads.ts"

/** Each CLI's hook before a tool, as it writes it, and the tool that such a payload names. */
const hooks = {
  claude: [claudePermissions, "PreToolUse", (tool: string, args: object) => ({ tool_name: tool, tool_input: args })],
  codex: [codexPermissions, "PreToolUse", (tool: string, args: object) => ({ tool_name: tool, tool_input: args })],
  copilot: [copilotPermissions, "preToolUse", (tool: string, args: object) => ({ toolName: tool, toolArgs: args })],
  gemini: [geminiPermissions, "BeforeTool", (tool: string, args: object) => ({ tool_name: tool, tool_input: args })],
  opencode: [
    opencodePermissions,
    "hook.tool.execute.before",
    (tool: string, args: object) => ({ input: { tool }, output: { args } })
  ]
} as const
const named = (payload: unknown): unknown => {
  const { input, toolName, tool_name } = fieldsOf(payload)
  return tool_name ?? toolName ?? fieldsOf(input)["tool"]
}
const place = { cwd: "/srv/app" }
const options = { policy: { ...noPolicy, deny: [{ path: "/secret/**" }] }, home: "/home/me", tag: "t", cli: "c" }

const ids = ["claude", "codex", "copilot", "gemini", "opencode"] as const

describe.each(ids.map((id) => ({ id, permissions: hooks[id][0], event: hooks[id][1], payload: hooks[id][2] })))(
  "a request of $id",
  ({ event, id, payload, permissions }) => {
    const rows = toolRows[id] ?? {}
    it("names no tool, as recorded, that has no row", () => {
      const recorded = new Set(hookPayloads(id, [event]).map(({ text }) => String(named(JSON.parse(text)))))
      assert.isAtLeast(recorded.size, 2)
      assert.deepStrictEqual(
        [...recorded].filter((tool) => !Object.hasOwn(rows, tool)),
        []
      )
    })
    it.each(Object.entries(rows))("of %s that leaves out what it is about: %s", (tool, left) => {
      const asked = permissions.request(event, { ...payload(tool, {}), ...place })?.request ?? assert.fail(tool)
      const { paths, unread = [] } = asked
      assert.strictEqual(personal.has(asked.kind), left === "personal", asked.kind)
      if (left === "personal") return
      assert.deepStrictEqual([unread.length > 0, paths], [left === "unread", left === "directory" ? ["."] : []])
      // where nothing is known of it, it may be the denied one
      const verdict = decide({ ...options, mode: "always" }, asked).verdict
      assert.strictEqual(verdict, left === "unread" ? "ask" : "allow")
      // what is told under a name that nobody knows is looked at
      const odd = permissions.request(event, { ...payload(tool, { destination: "/secret/key" }), ...place })?.request
      assert.notStrictEqual(decide({ ...options, mode: "always" }, odd ?? assert.fail(tool)).verdict, "allow")
    })
  }
)
