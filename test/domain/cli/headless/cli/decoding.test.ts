import { assert, describe, it } from "@effect/vitest"
import type { AgentCli } from "../../../../../src/domain/cli/headless/AgentCli.ts"
import type { AgentEvent } from "../../../../../src/domain/cli/headless/AgentEvent.ts"
import { claudeHeadless } from "../../../../../src/domain/providers/claude/Headless.ts"
import { codexHeadless } from "../../../../../src/domain/providers/codex/Headless.ts"
import { copilotHeadless } from "../../../../../src/domain/providers/copilot/Headless.ts"
import { geminiHeadless } from "../../../../../src/domain/providers/gemini/Headless.ts"
import { opencodeHeadless } from "../../../../../src/domain/providers/opencode/Headless.ts"
import { aCall, decode, type Decoded, freshId } from "../../../../support/headless/headless.ts"

type Line = string | object | null
const erase =
  <State>(cli: AgentCli<State>) =>
  (...lines: ReadonlyArray<Line>): Decoded => {
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")
    return decode(cli, [new TextEncoder().encode(text)], aCall(), {})
  }
const clis = {
  claude: erase(claudeHeadless),
  codex: erase(codexHeadless),
  gemini: erase(geminiHeadless),
  copilot: erase(copilotHeadless),
  opencode: erase(opencodeHeadless)
} as const
type Cli = keyof typeof clis

const claude = (...content: ReadonlyArray<object>) => ({ type: "assistant", message: { id: "m", content } })
const claudeResult = (more: object = {}) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  result: "R",
  session_id: "S",
  ...more
})
const codex = (item: object) => ({ type: "item.completed", item: { id: "i", ...item } })
const codexText = (text: string) => codex({ type: "agent_message", text })
const codexDone = (usage: unknown) => ({ type: "turn.completed", usage })
const gemini = (content: unknown, more: object = {}) => ({ type: "message", role: "assistant", content, ...more })
const copilot = (content: string, more: object = {}) => ({
  type: "assistant.message",
  data: { messageId: "m", content, ...more }
})
const copilotDone = (more: object = {}) => ({ type: "result", sessionId: "S", exitCode: 0, ...more })
const opencode = (type: string, part: object | null) => ({ type, sessionID: "S", part })
const opencodeDone = (tokens: unknown, reason = "stop") =>
  opencode("step_finish", { type: "step-finish", reason, tokens, cost: 0 })

const garbage = ["", "plain", '{"type":', "[]", "7", "null", "{}", '{"type":null}', '{"type":"unknown"}']
const isSaid = ({ _tag }: AgentEvent) => _tag === "Text" || _tag === "ToolStarted" || _tag === "Thought"

describe("what a headless CLI prints", () => {
  it.each<readonly [Cli, ReadonlyArray<Line>]>([
    [
      "claude",
      [
        claude(),
        { type: "assistant", message: null },
        claude({ type: "text", text: "" }),
        claudeResult(),
        { type: "rate_limit_event" }
      ]
    ],
    [
      "gemini",
      [
        { type: "result", status: "success" },
        gemini("u", { role: "user" }),
        gemini("c", { role: undefined }),
        gemini(""),
        gemini(undefined)
      ]
    ],
    [
      "codex",
      [
        ...["reasoning", "tool_result", "system_message"].map((type) => codex({ type, text: "" })),
        { type: "item.completed", item: null },
        { type: "error", message: "m" },
        codexDone({ input_tokens: 1 })
      ]
    ],
    [
      "copilot",
      [
        copilot(""),
        { type: "assistant.message", data: {} },
        { type: "user.message", data: { content: "u" } },
        { type: "tool.execution_complete", data: { success: true } },
        copilotDone()
      ]
    ],
    [
      "opencode",
      [opencode("text", null), opencode("text", {}), opencode("step_start", { type: "step-start" }), opencodeDone({})]
    ]
  ])("%s: is said by nobody where it is no word, thought or tool", (cli, lines) => {
    for (const line of [...garbage, ...lines])
      assert.deepStrictEqual(clis[cli](line).events.filter(isSaid), [], JSON.stringify(line))
  })

  it.each<readonly [Cli, Line, string | null]>([
    ["claude", claudeResult({ session_id: null }), null],
    ["claude", { type: "system", subtype: "init", session_id: "I" }, "I"],
    ...[undefined, null, 123, ""].map((session_id) => ["gemini", { type: "init", session_id }, null] as const),
    ["gemini", { type: "message", session_id: "S" }, null],
    ...[undefined, null, ""].map((thread_id) => ["codex", { type: "thread.started", thread_id }, null] as const),
    ["codex", { type: "other", thread_id: "T" }, null],
    ["codex", { type: "thread.started", thread_id: "T" }, "T"],
    ...[undefined, null, ""].map((sessionId) => ["copilot", copilotDone({ sessionId }), freshId] as const),
    ...[undefined, null, "", 7].map((sessionID) => ["opencode", { type: "step_start", sessionID }, null] as const)
  ])("%s: names its session where it does: %o", (cli, line, id) =>
    assert.strictEqual(clis[cli](line).told.sessionId, id)
  )

  it.each<readonly [Cli, ReadonlyArray<Line>, ReadonlyArray<string>]>([
    ["claude", [claudeResult({ result: null })], [""]],
    ["claude", [claudeResult({ result: 42 })], ["42"]],
    ["claude", [claude({ type: "text", text: "a" }), claudeResult({ result: "" })], ["a"]],
    ["claude", [claude({ type: "text", text: "a" }), claudeResult({ result: "b" })], ["b"]],
    [
      "claude",
      [
        claude({ type: "text", text: "I look." }, { type: "tool_use", id: "t", name: "Read", input: {} }),
        claudeResult({ result: "" })
      ],
      [""]
    ],
    [
      "claude",
      [claude({ type: "text", text: "a" }), claudeResult({ result: "" }), claudeResult({ result: "" })],
      ["a", ""]
    ],
    ["claude", [`\u001b[?25l\u001b]0;t\u0007${JSON.stringify(claudeResult())}`], ["R"]],
    ["codex", [codexText("foo"), codexText("bar"), codexDone({})], ["bar"]],
    ["codex", [codexText(""), codexDone({})], [""]],
    ["codex", [codex({ item_type: "assistant_message", type: "reasoning", text: "a" }), codexDone({})], ["a"]],
    ["copilot", [copilot("a"), copilot("b", { messageId: "n" }), copilotDone()], ["b"]],
    ["copilot", [copilotDone()], [""]],
    ["opencode", [opencode("text", { type: "text", text: "a", messageID: "m" }), opencodeDone(7)], ["a"]]
  ])("%s: has its last message for an answer: %#", (cli, lines, answers) =>
    assert.deepStrictEqual(clis[cli](...lines).told.answers, answers)
  )

  it.each<readonly [Cli, ReadonlyArray<Line>, ReadonlyArray<number> | null]>([
    ["claude", [claudeResult()], null],
    ["codex", [codexDone(null)], null],
    ["codex", [codexDone({ input_tokens: 18_809, cached_input_tokens: 3456, output_tokens: 6 })], [15_353, 3456, 0, 6]]
  ])("%s: adds up what it used: %#", (cli, lines, used) => {
    const { tokens } = clis[cli](...lines).told
    const told = tokens === null ? null : [tokens.input, tokens.cacheRead, tokens.cacheWrite, tokens.output]
    assert.deepStrictEqual(told, used)
  })

  it.each<readonly [Cli, ReadonlyArray<Line>]>([
    ["claude", [claudeResult({ is_error: true, result: "API Error: 429" })]],
    ["codex", [{ type: "turn.failed", error: { message: "unexpected status 429" } }]],
    ["gemini", [{ type: "result", status: "error", error: { message: "HTTP 429" } }]],
    ["copilot", [{ type: "session.error", data: { statusCode: 429, message: "m" } }, copilotDone({ exitCode: 1 })]]
  ])("%s: fails for a reason, whatever its exit code", (cli, lines) => {
    const { events, told } = clis[cli](...lines)
    assert.strictEqual(told.problem?.kind, "rate_limited")
    assert.isTrue(events.some(({ _tag }) => _tag === "Failed"))
  })

  it("fails where Codex has asked the model nothing, which is all that it tells of a hook that refuses a prompt", () => {
    const usage = { input_tokens: 0, cached_input_tokens: 0, cache_write_input_tokens: 0, output_tokens: 0 }
    const done = { type: "turn.completed", usage }
    const said = { type: "item.completed", item: { id: "i", type: "agent_message", text: "" } }
    const problem = (...lines: ReadonlyArray<Line>) => clis.codex(...lines).told.problem?.message ?? null
    assert.match(problem(done) ?? "", /it asked the model nothing: a hook of yours that refuses the prompt/)
    assert.isNull(problem(said, done), "a server that counts nothing")
    assert.isNull(problem({ ...done, usage: { ...usage, input_tokens: 1 } }))
    assert.isNull(problem({ type: "turn.completed" }), "a count that is not there says nothing")
  })

  it("fails where a hook of the user's has refused the prompt, in the hook's words", () => {
    const refused = (cli: Cli, ...lines: ReadonlyArray<Line>) => clis[cli](...lines).told.problem?.message ?? null
    const words = "UserPromptSubmit operation blocked by hook:\nno secrets here\n\nOriginal prompt: my secret is 7"
    const said = "UserPromptSubmit operation blocked by hook: no secrets here"
    assert.strictEqual(refused("claude", claudeResult({ result: words, num_turns: 0 })), said)
    assert.isNull(refused("claude", claudeResult({ result: words, num_turns: 1 })), "the model may say so")
    const warning = { type: "error", severity: "warning", message: "Agent execution blocked: no secrets here" }
    const done = { type: "result", status: "success" }
    assert.strictEqual(refused("gemini", warning, done), "Agent execution blocked: no secrets here")
    assert.isNull(refused("gemini", warning, gemini("a"), done), "it went on, behind a hook that refused its end")
  })

  it.each<readonly [string, object, readonly [string, string]]>([
    ["a call", { type: "function_call", name: "shell", arguments: '{"cmd":"ls -la"}' }, ["shell", "ls -la"]],
    ["a command", { type: "command_execution", command: "ls" }, ["command_execution", "ls"]],
    ["a change", { type: "file_change", changes: [{ path: "a.ts", kind: "update" }] }, ["file_change", "a.ts"]],
    ["a server's tool", { type: "mcp_tool_call", server: "s", tool: "t", arguments: { query: "q" } }, ["s.t", "q"]],
    ["a tool of no server", { type: "mcp_tool_call", tool: "t", arguments: { path: "F" } }, ["t", "F"]],
    ["a search", { type: "web_search", query: "w" }, ["web_search", "w"]]
  ])("Codex tells %s by its name, what tells most of it, and the item's id", (_, item, told) => {
    const begun = clis
      .codex(codex(item))
      .events.flatMap((event) => (event._tag === "ToolStarted" ? [[event.tool, event.preview, event.id]] : []))
    assert.deepStrictEqual(begun, [[...told, "i"]])
  })

  it("says of a message whether it is whole", () => {
    const text = { _tag: "Text", text: "a", agent: null } as const
    assert.deepStrictEqual(clis.copilot(copilot("a")).events, [{ ...text, delta: false, message: "m" }])
    assert.deepStrictEqual(clis.gemini(gemini("a", { delta: true })).events, [{ ...text, delta: true, message: null }])
  })
})
