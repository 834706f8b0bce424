import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import { Schema } from "effect"
import { lineFor } from "../../../../src/domain/engine/approvals/Approvals.ts"
import { requestIn } from "../../../../src/domain/engine/approvals/requestIn.ts"
import { decide } from "../../../../src/domain/policy/decide.ts"
import { personal } from "../../../../src/domain/policy/ToolRequest.ts"
import type { PermissionProtocol } from "../../../../src/domain/cli/provider/PermissionProtocol.ts"
import { claudePermissions } from "../../../../src/domain/providers/claude/Permissions.ts"
import { codexPermissions } from "../../../../src/domain/providers/codex/Permissions.ts"
import { copilotPermissions } from "../../../../src/domain/providers/copilot/Permissions.ts"
import { cursorAgentPermissions } from "../../../../src/domain/providers/cursor-agent/Permissions.ts"
import { demoPermissions } from "../../../../src/domain/providers/demo/Permissions.ts"
import { geminiPermissions } from "../../../../src/domain/providers/gemini/Permissions.ts"
import { opencodePermissions } from "../../../../src/domain/providers/opencode/Permissions.ts"
import { exactJson } from "../../../../src/domain/words/formats/ExactJson.ts"
import { noPolicy, type Policy } from "../../../../src/domain/store/settings/Settings.ts"
import {
  damaged,
  damages,
  escaped,
  isFields,
  type Json,
  jsonFrom,
  textsIn,
  written
} from "../../../support/data/damage.ts"
import { type HookPayload, hookPayloads } from "../../../support/recordings/hookPayloads.ts"
import { runsOf } from "../../../support/recordings/scenes.ts"

const eventsOf = ({ decisions }: PermissionProtocol) => decisions.map(({ event }) => event)
const made = (event: string, payload: object): HookPayload => ({ event, text: JSON.stringify(payload) })

/** Requests that were not recorded, of tools that a recorded session had no need of. */
const claudeMade = [
  ["NotebookEdit", { notebook_path: "/srv/app/n.ipynb", new_source: "x", cell_id: "a b" }],
  ["MultiEdit", { file_path: "/srv/app/a", edits: [{ old_string: "a b", new_string: "b/c" }] }],
  ["Grep", { pattern: "a.*b c", path: "src", glob: "*.ts", output_mode: "content", "-n": true }],
  ["Glob", { pattern: "src/**/*.ts" }],
  ["mcp__fs__write", { path: "/srv/app/x", title: "a b" }]
].map(([tool_name, tool_input]) => made("PreToolUse", { session_id: "s", cwd: "/srv/app", tool_name, tool_input }))
const geminiMade = [
  ["web_fetch", { prompt: "Sum up https://a.example/x and https://b.example/y" }],
  ["glob", { pattern: "**/*.ts", dir_path: "src" }],
  ["run_shell_command", { command: "ls -l", dir_path: "src/a" }]
].map(([tool_name, tool_input]) => made("BeforeTool", { session_id: "s", cwd: "/srv/app", tool_name, tool_input }))
const cursorMade = [
  made("beforeShellExecution", { command: "ls -l", cwd: "/srv/app" }),
  made("beforeMCPExecution", { tool_name: "query", tool_input: '{"path":"x"}', command: "npx db-server" }),
  made("preToolUse", { tool_name: "Write", tool_input: { file_path: "/srv/app/a", content: "x y" }, cwd: "/srv/app" })
]
const demoMade = [
  made("PermissionRequest", { tool_name: "Shell", tool_input: { command: "ls -l" }, cwd: "/srv/app" }),
  made("PermissionRequest", { tool_name: "Write", tool_input: { file_path: "a", content: "x y" }, cwd: "/srv/app" })
]

/** The CLIs with hooks that can answer, with requests of theirs, and the fields that hold a tool's arguments. */
const clis = [
  [
    "claude",
    claudePermissions,
    [...hookPayloads("claude", eventsOf(claudePermissions)), ...claudeMade],
    ["tool_input"]
  ],
  ["codex", codexPermissions, hookPayloads("codex", eventsOf(codexPermissions)), ["tool_input"]],
  ["copilot", copilotPermissions, hookPayloads("copilot", eventsOf(copilotPermissions)), ["toolArgs", "toolInput"]],
  [
    "gemini",
    geminiPermissions,
    [...hookPayloads("gemini", eventsOf(geminiPermissions)), ...geminiMade],
    ["tool_input"]
  ],
  ["opencode", opencodePermissions, hookPayloads("opencode", eventsOf(opencodePermissions)), ["metadata", "args"]],
  ["cursor-agent", cursorAgentPermissions, cursorMade, ["tool_input"]],
  ["demo", demoPermissions, demoMade, ["tool_input"]]
] as const

const refused = { command: "rm -rf build", path: "/srv/app/secret.txt", url: "https://evil.example/x" }
const denied = Object.values(refused)
/** The widest rules that there can be beside those that refuse. */
const rules: Policy = {
  ...noPolicy,
  deny: [{ command: "rm *" }, { path: "/**/secret*" }, { url: "evil.example" }],
  allow: [{}]
}

/** What leap decides on a payload, and whether the CLI hears of it or asks its user by itself. */
const judged = (
  permissions: PermissionProtocol,
  event: string,
  text: string,
  policy: Policy = rules,
  damage: string | null = null
) => {
  const { flaw, value } = exactJson(text)
  const asked = requestIn(permissions, { event, payload: value, flaw: damage ?? flaw })
  if (asked === null) throw new Error(`${event} requests nothing: ${text.slice(0, 200)}`)
  const { heeds, request } = asked
  const decision = decide(
    { policy, mode: "always", home: "/home/me", tag: "t", cli: "c", directory: "/srv/app" },
    { ...request, cwd: request.cwd === "" ? "/srv/app" : request.cwd }
  )
  const line = lineFor(permissions, { event, heeds, request }, decision)
  const asks = permissions.decisions.some((one) => one.event === event && one.verdicts.includes("allow"))
  return { decision, request, told: asks || (line !== null && decision.verdict !== "allow") }
}

/** Names of texts that tools do nothing with but keep, show or send to a model. */
const inert = new Set(
  (
    "description prompt content contents old_string new_string oldString newString diff message query instruction " +
    "justification pattern cell_id new_source file_text parentDir filepath shellId"
  ).split(" ")
)
/** Names of arguments among a payload's own fields: they have no business there. */
const strayed = new Set("command cmd script file_path filePath path paths url uri tool_input toolArgs args".split(" "))

/** The parts of a payload that say what is to be done. */
const tellingParts = (event: string, json: Json, inputs: ReadonlyArray<string>): ReadonlyArray<Json> =>
  !isFields(json)
    ? []
    : json.fields.flatMap(([name, value]) =>
        // a server's tool comes with the command that starts the server
        inputs.includes(name) || (strayed.has(name) && event !== "beforeMCPExecution")
          ? [value]
          : name === "output"
            ? (isFields(value) ? value.fields : []).flatMap(([inner, args]) => (inner === "args" ? [args] : []))
            : []
      )

const at = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

describe.each(clis)("a request of %s", (_, permissions, payloads, inputs) => {
  const undamaged = payloads.map(({ event, text }) => ({ event, text, json: jsonFrom(JSON.parse(text)) }))

  /** Its requests, each for something that is refused. */
  const refusing = undamaged.flatMap(({ event, json, text }) => {
    const { request } = judged(permissions, event, text)
    const { command, kind, paths, url } = request
    const put = (one: Json): Json =>
      one === command && one !== null
        ? refused.command
        : typeof one === "string" && paths.includes(one)
          ? refused.path
          : one === url && one !== null
            ? refused.url
            : typeof one === "string" && one.includes("*** Begin Patch")
              ? `*** Begin Patch\n*** Delete File: ${refused.path}\n*** End Patch`
              : Array.isArray(one)
                ? one.map(put)
                : isFields(one)
                  ? {
                      fields: one.fields.map(
                        ([name, value]) => [name, name === "patterns" ? [refused.path] : put(value)] as const
                      )
                    }
                  : one
    const after = put(json)
    return ["command", "read", "edit", "fetch"].includes(kind) &&
      judged(permissions, event, written(after)).decision.verdict === "deny"
      ? [{ event, json: after, tool: request.tool }]
      : []
  })

  it("is read whole as the CLI sends it, however it spells its JSON", () => {
    assert.isAbove(undamaged.length, 1)
    for (const { event, json, text } of undamaged) {
      const { decision, request } = judged(permissions, event, text, { ...noPolicy, allow: [{}] })
      assert.isUndefined(request.unread, text)
      if (!personal.has(request.kind)) assert.strictEqual(decision.verdict, "allow", text)
      assert.deepStrictEqual(judged(permissions, event, written(json, escaped)).request, request)
    }
  })

  it.prop(
    "is never allowed while something that is denied is anywhere in it, whatever its shape",
    { at, damages: Arbitrary.map(damages, (list) => list) },
    ({ at, damages }) => {
      const { event, json } = undamaged[at % undamaged.length]!
      const after = damages.reduce((one: Json, damage) => damaged(one, damage, denied), json)
      const text = written(after)
      const { decision, request } = judged(permissions, event, text)
      const parts = tellingParts(event, after, inputs)
      const known = ["command", "read", "edit", "fetch"].includes(request.kind)
      // a file or a directory may be called like a command
      const there = parts
        .flatMap((part) => textsIn(part, inert))
        .filter(
          (one) =>
            denied.includes(one) &&
            (one === refused.path || ![...request.paths, request.cwd].some((path) => path.endsWith(one)))
        )
      // what another's tool does with a text is known by its name at most
      if (there.some((one) => known || one !== refused.command) && !personal.has(request.kind))
        assert.notStrictEqual(decision.verdict, "allow", text)
      assert.deepStrictEqual(judged(permissions, event, written(after, escaped)).decision.verdict, decision.verdict)
    },
    runsOf(400)
  )

  it.each(Object.entries(refused))("that says the same under another name and as a %s is not allowed", (name, text) => {
    const allowed = undamaged.flatMap(({ event, json }) =>
      (isFields(json) ? json.fields : []).flatMap(([input, given]) => {
        if (!isFields(json) || !inputs.some((one) => one === input) || !isFields(given)) return []
        return given.fields.flatMap((_, member) => {
          const said = given.fields.map(([key, value], n) => [key, n === member ? text : value] as const)
          const twice = { fields: [...said, [`the_${name}`, [text]] as const] }
          const payload = written({ fields: json.fields.map(([key, value]) => [key, key === input ? twice : value]) })
          const { decision, request } = judged(permissions, event, payload)
          const isKnown = ["command", "read", "edit", "fetch"].includes(request.kind)
          return isKnown && decision.verdict === "allow" ? [payload] : []
        })
      })
    )
    assert.deepStrictEqual(allowed, [])
  })

  it.prop(
    "that is denied is denied or asked with any damage, and the CLI does not go on in silence",
    { at, damages },
    ({ at, damages }) => {
      const { event, json, tool } = refusing[at % refusing.length]!
      const [damage] = damages
      // other texts in place of the refused one are another request
      if (damage === undefined || (damage.what === "typed" && !["number", "null"].includes(damage.value))) return
      const text = written(damaged(json, damage, denied))
      const { decision, request, told } = judged(permissions, event, text)
      if (personal.has(request.kind)) return
      assert.notStrictEqual(decision.verdict, "allow", text)
      // a request of another tool is another request
      const isOther = request.tool !== tool && request.tool !== ""
      // and a search that names no place any more is a search of all, which its patterns are judged by
      const isWider = (damage.what === "missing" || damage.value === "null") && request.unread === undefined
      if (!isOther && !isWider) assert.isTrue(told, text)
    },
    runsOf(150)
  )

  it("that says something twice is allowed by no rule and no mode", () => {
    for (const { event, json } of undamaged) {
      if (!isFields(json)) continue
      for (const [name, value] of json.fields) {
        const text = written({ fields: [[name, value], ...json.fields] })
        for (const policy of [noPolicy, rules])
          assert.notStrictEqual(judged(permissions, event, text, policy).decision.verdict, "allow", text)
      }
    }
  })

  it.each<readonly [string, (text: string) => string]>([
    ["nothing", () => ""],
    ["a byte order mark", (text) => `\ufeff${text}`],
    ["the beginning", (text) => text.slice(0, -1)],
    ["two of them", (text) => text + text],
    ["a list of it", (text) => `[${text}]`],
    ["a text of it", (text) => JSON.stringify(text)],
    ["null", () => "null"],
    ["a depth of 100,000", (text) => `${text.slice(0, -1)},"deep":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["100,000 objects", (text) => `${text.slice(0, -1)},"deep":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`],
    ["a NUL", (text) => `${text}\u0000`],
    ["fields of every object", (text) => `${text.slice(0, -1)},"__proto__":{"command":"rm -rf x"},"__proto__":1}`]
  ])("as %s is not allowed, and not passed over in silence", (_, damage) => {
    for (const { event, text } of undamaged) {
      const { decision, request, told } = judged(permissions, event, damage(text))
      assert.strictEqual(decision.verdict, "ask")
      if (!personal.has(request.kind)) assert.isTrue(told)
    }
  })

  it("in bytes that are no UTF-8 is not allowed", () => {
    for (const { event, text } of undamaged)
      assert.strictEqual(judged(permissions, event, text, noPolicy, "it is not in UTF-8").decision.verdict, "ask")
  })

  it("is decided in time, however much is in it", () => {
    const { event, json } = undamaged.find(
      ({ event, text }) => judged(permissions, event, text).request.kind === "command"
    )!
    const long = "x ".repeat(1_000_000)
    const grown = (one: Json): Json =>
      isFields(one)
        ? {
            fields: one.fields.map(
              ([name, value]) => [name, name === "command" ? `ls ${long}; rm -rf x` : grown(value)] as const
            )
          }
        : one
    assert.notStrictEqual(judged(permissions, event, written(grown(json))).decision.verdict, "allow")
    const many: Json = Array.from({ length: 200_000 }, () => "a/b")
    const more = isFields(json) ? { fields: [...json.fields, ["command", many] as const] } : json
    assert.notStrictEqual(judged(permissions, event, written(more)).decision.verdict, "allow")
  })
})
