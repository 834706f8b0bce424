import { assert } from "@effect/vitest"
import { decode, spoken } from "../support/headless/headless.ts"
import type { ScenarioRow } from "./support/scenarioTable.ts"
import { geminiHeadless } from "../../src/domain/providers/gemini/Headless.ts"
import { clis, events, says, silent, texts, told, tools } from "./agentsShared.ts"

const row = (id: string, says: string, check: () => void, differs?: string): ScenarioRow => ({
  id,
  says,
  check,
  ...(differs === undefined ? {} : { differs })
})
const cut = "a preview has 80 characters as they are seen"
const empty = "an answer that is empty is empty"
const raw = "what cannot be understood is no answer"
const same = (actual: unknown, expected: unknown) => assert.deepStrictEqual(actual, expected)
const answers = (...args: Parameters<typeof told>) => told(...args).answers
const usage = (...args: Parameters<typeof told>) => {
  const { tokens } = told(...args)
  return tokens === null ? null : [tokens.input + tokens.cacheRead + tokens.cacheWrite, tokens.output, tokens.total]
}
const long = "p".repeat(90)
const claudeDone = says.claudeResult()
const garbage = ["", "plain", '{"type":', "[]", "7", "null", "{}", '{"type":null}', '{"type":"unknown"}']

export const claude: ReadonlyArray<ScenarioRow> = [
  row("C30", "the id of the result", () => {
    for (const id of ["uuid-1", "98765"])
      same(
        told("claude", [
          { type: "system", subtype: "init", session_id: "first" },
          says.claude(),
          says.claudeResult({ session_id: id })
        ]).sessionId,
        id
      )
  }),
  row("C31", "no id in what is no stream", () =>
    same(
      garbage.map((line) => told("claude", [line]).sessionId),
      garbage.map(() => null)
    )
  ),
  row("C32", "a result without an id", () =>
    same(
      [{ session_id: null }, { session_id: undefined }].map((it) => told("claude", [says.claudeResult(it)]).sessionId),
      [null, null]
    )
  ),
  row(
    "C33",
    "an id before the result",
    () => same(told("claude", [{ type: "system", subtype: "init", session_id: "I" }]).sessionId, "I"),
    "a run that breaks off is known by the id of its first line"
  ),
  row("C34", "a result without an id has its text", () =>
    same(answers("claude", [says.claudeResult({ session_id: undefined })]), ["R"])
  ),
  row("C35", "plain text", () => same(told("claude", ["hello"]).complete, false), raw),
  row("C40", "the text of the result", () => {
    for (const text of ["Hello", "a\nb", '{"x": "y"}'])
      same(answers("claude", [says.claudeResult({ result: text })]), [text])
  }),
  row("C41", "a result without a text", () => {
    for (const result of ["", null, undefined]) same(answers("claude", [says.claudeResult({ result })]), [""])
    same(answers("claude", []), [])
  }),
  row("C42", "a number", () => same(answers("claude", [says.claudeResult({ result: 42 })]), ["42"])),
  row(
    "C43",
    "lines of hooks, then JSON",
    () =>
      same(
        answers("claude", [
          { type: "system", subtype: "hook_started" },
          says.claude(says.claudeText("t")),
          says.claudeResult({ result: '{"colors":[]}' })
        ]),
        ['{"colors":[]}']
      ),
    "the JSON of an answer is the model's, not the CLI's envelope"
  ),
  row("C44", "an empty stream", () => same(answers("claude", []), []), empty),
  row("C45", "no usage", () => assert.isNull(told("claude", [claudeDone]).tokens)),
  row("C60", "a text", () => same(texts("claude", says.claude(says.claudeText("a"))), ["a"])),
  row("C61", "two texts", () =>
    same(texts("claude", says.claude(says.claudeText("a"), says.claudeText("b"))), ["a", "b"])
  ),
  row(
    "C62",
    "a thought between",
    () => {
      const line = says.claude(says.claudeText("a"), { type: "thinking", thinking: "t" }, says.claudeText("b"))
      same(texts("claude", line), ["a", "b"])
      same(
        events("claude", line).map(({ _tag }) => _tag),
        ["Text", "Thought", "Text"]
      )
    },
    "a thought is an event of its own kind"
  ),
  row("C63", "a tool", () =>
    same(tools("claude", says.claude(says.claudeTool("calculator", {}, "i"))), [["calculator", "", "i"]])
  ),
  row("C64", "texts and a tool, in order", () => {
    const line = says.claude(
      says.claudeText("a"),
      says.claudeTool("Read", { file_path: "F" }, "i"),
      says.claudeText("b")
    )
    same(
      events("claude", line).map(({ _tag }) => _tag),
      ["Text", "ToolStarted", "Text"]
    )
    same(tools("claude", line), [["Read", "F", "i"]])
  }),
  row("C65", "what tells most", () =>
    same(
      tools(
        "claude",
        says.claude(
          says.claudeTool("x", { command: "c" }),
          says.claudeTool("y", { query: "q" }),
          says.claudeTool("z", { pattern: "p" })
        )
      ).map(([, preview]) => preview),
      ["c", "q", "p"]
    )
  ),
  row(
    "C66",
    "a long path",
    () =>
      same(tools("claude", says.claude(says.claudeTool("x", { file_path: long })))[0]?.[1], `${long.slice(0, 79)}…`),
    cut
  ),
  row("C67", "two tools", () =>
    same(tools("claude", says.claude(says.claudeTool("a", {}, "1"), says.claudeTool("b", {}, "2"))), [
      ["a", "", "1"],
      ["b", "", "2"]
    ])
  ),
  row("C68", "unknown arguments", () =>
    same(tools("claude", says.claude(says.claudeTool("a", { foo: 1 })))[0]?.[1], "")
  ),
  row("C69", "nothing said", () =>
    silent(
      "claude",
      says.claude(),
      { type: "assistant" },
      { type: "assistant", message: null },
      says.claude(says.claudeText(""))
    )
  ),
  row("C70", "other lines", () =>
    silent("claude", { type: "system" }, claudeDone, { type: "rate_limit_event" }, ...garbage)
  ),
  row("C71", "text as it is", () => same(texts("claude", says.claude(says.claudeText("  ü 🙂\t "))), ["  ü 🙂\t "]))
]

export const geminiRows: ReadonlyArray<ScenarioRow> = [
  row("M20", "the first line, wherever it is", () =>
    same(told("gemini", ["", says.gemini("a"), { type: "init", session_id: "S" }, ""]).sessionId, "S")
  ),
  row("M21", "no such line", () =>
    same(
      garbage.map((line) => told("gemini", [line]).sessionId),
      garbage.map(() => null)
    )
  ),
  row("M22", "an id that is none", () =>
    same(
      [undefined, null, 123, ""].map((session_id) => told("gemini", [{ type: "init", session_id }]).sessionId),
      [null, null, null, null]
    )
  ),
  row("M23", "an id in another line", () =>
    same(told("gemini", [{ type: "message", session_id: "S" }]).sessionId, null)
  ),
  row(
    "M24",
    "an output without one",
    () => same(told("gemini", ["plain"], { sessionId: "K" }).sessionId, null),
    "the conversation keeps the id that it had (turns.after)"
  ),
  row(
    "M25",
    "lines are no answer",
    () =>
      same(
        answers("gemini", [
          { type: "init", session_id: "S" },
          says.gemini("Hel", true),
          says.gemini("lo", true),
          says.geminiDone
        ]),
        ["Hello"]
      ),
    "the answer of a conversation is text"
  ),
  row("M27", "an empty stream", () => same(answers("gemini", []), []), empty),
  row("M40", "a message", () => same(texts("gemini", says.gemini("a")), ["a"])),
  row("M41", "nothing said", () =>
    silent(
      "gemini",
      { type: "init" },
      says.geminiDone,
      { type: "message", role: "user", content: "u" },
      says.gemini(""),
      { type: "message", role: "assistant" },
      { type: "message", content: "c" },
      ...garbage
    )
  ),
  row("M42", "text as it is", () => same(texts("gemini", says.gemini('a\n"ü" 🙂')), ['a\n"ü" 🙂'])),
  row(
    "M43",
    "a piece",
    () =>
      same(events("gemini", says.gemini("a", true)), [
        { _tag: "Text", text: "a", delta: true, message: null, agent: null }
      ]),
    "a piece says that it is one"
  ),
  row(
    "M44",
    "a tool",
    () => same(tools("gemini", says.geminiTool("read", { file_path: "F" })), [["read", "F", "t"]]),
    "tools come in lines of their own, with ids"
  ),
  row(
    "M45",
    "text, then a tool",
    () =>
      same(
        events("gemini", says.gemini("a"), says.geminiTool("x", {})).map(({ _tag }) => _tag),
        ["Text", "ToolStarted"]
      ),
    "tools come in lines of their own"
  ),
  row(
    "M46",
    "a long path",
    () => same(tools("gemini", says.geminiTool("x", { file_path: long }))[0]?.[1], `${long.slice(0, 79)}…`),
    cut
  ),
  row("M47", "unknown arguments", () =>
    same(
      tools("gemini", says.geminiTool("x", { foo: 1 }), says.geminiTool("y", {})).map(([, preview]) => preview),
      ["", ""]
    )
  ),
  row("M48", "which argument counts", () => {
    const given = { pattern: "5", query: "4", cmd: "3", command: "2", file_path: "1" }
    const seen = ["file_path", "command", "cmd", "query", "pattern"].map(
      (_, at, keys) =>
        tools(
          "gemini",
          says.geminiTool("x", Object.fromEntries(Object.entries(given).filter(([key]) => keys.indexOf(key) >= at)))
        )[0]?.[1]
    )
    same(seen, ["1", "2", "3", "4", "5"])
  })
]

const call = (args: unknown) => tools("codex", says.codex({ type: "function_call", name: "shell", arguments: args }))
export const codex: ReadonlyArray<ScenarioRow> = [
  row("K30", "the thread", () =>
    same(
      ["98765", "T"].map(
        (thread_id) => told("codex", [says.codexText("a"), { type: "thread.started", thread_id }]).sessionId
      ),
      ["98765", "T"]
    )
  ),
  row("K31", "text that looks like an id", () =>
    same(told("codex", ["Session: old", { type: "thread.started", thread_id: "T" }]).sessionId, "T")
  ),
  row("K32", "no thread", () =>
    same(
      [
        ...garbage,
        { type: "thread.started" },
        { type: "thread.started", thread_id: null },
        { type: "thread.started", thread_id: "" },
        { type: "other", thread_id: "T" }
      ].map((line) => told("codex", [line]).sessionId),
      Array.from({ length: garbage.length + 4 }, () => null)
    )
  ),
  row(
    "K33",
    "an output without one",
    () => same(told("codex", [says.codexText("a"), says.codexDone()], { sessionId: "K" }).answers, ["a"]),
    "the conversation keeps the id that it had (turns.after)"
  ),
  row("K34", "no id is made up", () => assert.isNull(told("codex", [says.codexText("a")]).sessionId)),
  row("K40", "plain text", () => same(told("codex", ["hello"]).answers, []), raw),
  row("K41", "nothing", () => same(answers("codex", []), []), empty),
  row("K42", "one message", () => same(answers("codex", [says.codexText("a"), says.codexDone()]), ["a"])),
  row(
    "K43",
    "two messages",
    () => {
      same(answers("codex", [says.codexText("foo"), says.codexText("bar"), says.codexDone()]), ["bar"])
      same(texts("codex", says.codexText("foo"), says.codexText("bar")), ["foo", "bar"])
    },
    "the last message is the answer; the others were told as they came"
  ),
  row(
    "K44",
    "messages and tools",
    () =>
      same(
        answers("codex", [
          { type: "thread.started", thread_id: "T" },
          says.codexText("a"),
          says.codex({ type: "function_call", name: "x" }),
          says.codexText("c"),
          says.codexDone()
        ]),
        ["c"]
      ),
    "the last message is the answer"
  ),
  row("K45", "an empty message", () => same(answers("codex", [says.codexText(""), says.codexDone()]), [""])),
  row("K46", "tools alone", () => same(answers("codex", [says.codex({ type: "function_call", name: "x" })]), [])),
  row("K48", "prose", () => same(answers("codex", [says.codexText("prose"), says.codexDone()]), ["prose"])),
  row("K49", "a raw NUL", () =>
    same(texts("codex", JSON.stringify(says.codexText("aNULb")).replace("NUL", "\0")), ["a\0b"])
  ),
  row("K51", "usage", () => {
    same(
      [{ input_tokens: 10, output_tokens: 5 }, { input_tokens: 3, output_tokens: 7 }, { input_tokens: 4 }].map((it) =>
        usage("codex", [says.codexDone(it)])
      ),
      [
        [10, 5, 15],
        [3, 7, 10],
        [4, 0, 4]
      ]
    )
  }),
  row("K52", "no usage", () =>
    same(
      [[says.codexDone(null)], [{ type: "turn.completed", usage: 7 }], [], [says.codexText("a")]].map(
        (lines) => told("codex", lines).tokens
      ),
      [null, null, null, null]
    )
  ),
  row("K53", "a real stream", () => {
    const lines = [
      { type: "thread.started", thread_id: "T" },
      { type: "turn.started" },
      says.codexText("PONG"),
      says.codexDone({ input_tokens: 18809, cached_input_tokens: 3456, output_tokens: 6, reasoning_output_tokens: 0 })
    ]
    same(answers("codex", lines), ["PONG"])
    same(told("codex", lines).tokens, { input: 18809 - 3456, cacheRead: 3456, cacheWrite: 0, output: 6, total: 18815 })
  }),
  row(
    "K60",
    "a message by its older name",
    () =>
      same(
        ["a", "a\nb", "ü 🙂", "\0".repeat(1000)].map(
          (text) => texts("codex", says.codex({ item_type: "assistant_message", text }))[0]
        ),
        ["a", "a\nb", "ü 🙂", "\0".repeat(1000)]
      ),
    "an empty message is no event"
  ),
  row("K61", "a message", () => same(texts("codex", says.codexText("a")), ["a"]), "an empty message is no event"),
  row("K62", "both names", () =>
    same(texts("codex", says.codex({ item_type: "assistant_message", type: "reasoning", text: "a" })), ["a"])
  ),
  row("K63", "a call", () => same(call('{"cmd":"ls -la"}'), [["shell", "ls -la", "i"]]), "it has the item's id"),
  row(
    "K64",
    "arguments",
    () =>
      same(
        [JSON.stringify({ cmd: long }), '{"file_path":"F"}', '{"foo":1}', "no JSON"].map((args) => call(args)[0]?.[1]),
        [`${long.slice(0, 79)}…`, "F", "", ""]
      ),
    cut
  ),
  row(
    "K65",
    "a command",
    () =>
      same(tools("codex", says.codex({ type: "command_execution", command: "ls" })), [
        ["command_execution", "ls", "i"]
      ]),
    "the real CLI tells the command itself"
  ),
  row("K66", "other items", () => {
    for (const type of ["reasoning", "tool_call", "tool_result", "system_message"])
      same(texts("codex", says.codex({ type, text: "x" })), [])
  }),
  row("K67", "other lines", () =>
    silent("codex", { type: "thread.started" }, { type: "turn.started" }, says.codexDone(), {
      type: "error",
      message: "m"
    })
  ),
  row("K68", "broken lines", () =>
    silent("codex", ...garbage, { type: "item.completed" }, { type: "item.completed", item: null })
  ),
  row("K69", "more than is known", () =>
    same(
      texts(
        "codex",
        ' { "type" : "item.completed" , "more": [1], "item": {"type":"agent_message","text":"a","x":{}} } '
      ),
      ["a"]
    )
  )
]

export const copilot: ReadonlyArray<ScenarioRow> = [
  row("P30", "the id of the result", () =>
    same(
      ["u-1", "98765"].map(
        (sessionId) => told("copilot", [says.copilotDone({ sessionId }), says.copilot("a")]).sessionId
      ),
      ["u-1", "98765"]
    )
  ),
  row(
    "P31",
    "no id",
    () =>
      same(
        [
          ...garbage,
          says.copilotDone({ sessionId: undefined }),
          says.copilotDone({ sessionId: null }),
          says.copilotDone({ sessionId: "" })
        ].map((line) => told("copilot", [line], { freshId: "given" }).sessionId),
        Array.from({ length: garbage.length + 3 }, () => "given")
      ),
    "it is the one that leap gave the session"
  ),
  row("P40", "a message", () => {
    for (const text of ["a", "a\nb", '"q"', "ü🙂", '{"a":1}'])
      same(answers("copilot", [says.copilot(text, { toolRequests: [{}] }), says.copilotDone()]), [text])
  }),
  row("P41", "two messages", () =>
    same(answers("copilot", [says.copilot("a"), says.copilot("b", { messageId: "n" }), says.copilotDone()]), ["b"])
  ),
  row(
    "P42",
    "no message",
    () =>
      same(
        [[says.copilot(""), says.copilotDone()], [says.copilotDone()]].map((lines) => answers("copilot", lines)),
        [[""], [""]]
      ),
    `${empty}; ${raw}`
  ),
  row("P50", "a message as it comes", () =>
    same(events("copilot", says.copilot("a")), [{ _tag: "Text", text: "a", delta: false, message: "m", agent: null }])
  ),
  row("P51", "nothing said", () => silent("copilot", says.copilot(""), { type: "assistant.message", data: {} })),
  row(
    "P52",
    "tools",
    () =>
      same(tools("copilot", says.copilotTool("bash", { command: "ls" }), says.copilotTool("report_intent")), [
        ["bash", "ls", "t"],
        ["report_intent", "", "t"]
      ]),
    "their arguments are told"
  ),
  row(
    "P53",
    "other lines",
    () =>
      silent(
        "copilot",
        says.copilotDone(),
        { type: "session.idle" },
        { type: "user.message", data: { content: "u" } },
        { type: "assistant.turn_start" },
        { type: "assistant.turn_end" },
        { type: "tool.execution_complete", data: { success: true } }
      ),
    "pieces of messages are told"
  ),
  row("P54", "broken lines", () => silent("copilot", ...garbage)),
  row("P55", "a long message", () => same(texts("copilot", says.copilot("x".repeat(1 << 20)))[0]?.length, 1 << 20))
]

export const opencode: ReadonlyArray<ScenarioRow> = [
  row(
    "N30",
    "the id of the first step",
    () => same(told("opencode", ["", { ...says.opencodeStep, sessionID: "A" }, says.opencode("a")]).sessionId, "S"),
    "every line has it"
  ),
  row("N31", "no step", () =>
    same(
      garbage.map((line) => told("opencode", [line]).sessionId),
      garbage.map(() => null)
    )
  ),
  row("N32", "an id that is none", () =>
    same(
      [undefined, null, "", 7].map((sessionID) => told("opencode", [{ type: "step_start", sessionID }]).sessionId),
      [null, null, null, null]
    )
  ),
  row("N33", "a turn without an id", () =>
    same(
      answers("opencode", [
        { ...says.opencode("a"), sessionID: undefined },
        { ...says.opencodeDone(), sessionID: undefined }
      ]),
      ["a"]
    )
  ),
  row(
    "N40",
    "plain text",
    () =>
      same(
        [["hello"], []].map((lines) => answers("opencode", lines)),
        [[], []]
      ),
    `${raw}; ${empty}`
  ),
  row("N44", "JSON as an answer", () =>
    same(answers("opencode", [says.opencodeStep, says.opencode('{"colors":[]}'), says.opencodeDone(7)]), [
      '{"colors":[]}'
    ])
  ),
  row(
    "N50",
    "a text",
    () => {
      for (const text of ["a", "a\nb", "ü🙂", '"q"', "x".repeat(9_000), '{"type":"text"}'])
        same(texts("opencode", says.opencode(text)), [text])
    },
    "an empty text is no event"
  ),
  row(
    "N51",
    "a text without its part",
    () => silent("opencode", { type: "text" }, { type: "text", part: null }, { type: "text", part: {} }),
    "an empty text is no event"
  ),
  row("N52", "other lines", () => silent("opencode", says.opencodeStep, says.opencodeDone(), { type: "thinking" })),
  row(
    "N53",
    "tools",
    () =>
      same(
        ["filePath", "query", "command", "cmd", "pattern"].map(
          (key) => tools("opencode", says.opencodeTool("x", { [key]: "v" }))[0]
        ),
        ["v", "v", "v", "v", "v"].map((v) => ["x", v, "t"])
      ),
    "as the real CLI prints them"
  ),
  row(
    "N54",
    "long arguments",
    () =>
      same(
        [long, "中".repeat(90), "x".repeat(80)].map(
          (command) => tools("opencode", says.opencodeTool("x", { command }))[0]?.[1]
        ),
        [`${long.slice(0, 79)}…`, `${"中".repeat(79)}…`, "x".repeat(80)]
      ),
    cut
  ),
  row(
    "N55",
    "unknown arguments",
    () =>
      same(
        tools(
          "opencode",
          says.opencodeTool("x", { foo: 1 }),
          says.opencodeTool("x", {}),
          { type: "tool_use" },
          { type: "tool_use", part: null }
        ).map(([name, preview]) => [name, preview]),
        [
          ["x", ""],
          ["x", ""],
          ["unknown", ""],
          ["unknown", ""]
        ]
      ),
    "a tool without a name is unknown"
  ),
  row("N56", "broken lines", () => silent("opencode", ...garbage))
]

export const gaps: ReadonlyArray<ScenarioRow> = [
  row("U1", "a failure in the stream is one, whatever the exit code", () => {
    const failing = {
      claude: [says.claudeResult({ is_error: true, result: "API Error: 429" })],
      codex: [{ type: "turn.failed", error: { message: "unexpected status 429" } }],
      gemini: [{ type: "result", status: "error", error: { message: "HTTP 429" } }],
      copilot: [{ type: "session.error", data: { statusCode: 429, message: "m" } }, says.copilotDone({ exitCode: 1 })],
      opencode: [
        { type: "error", sessionID: "S", error: { name: "APIError", data: { statusCode: 429, message: "m" } } }
      ]
    } as const
    for (const [cli, lines] of Object.entries(failing)) {
      same(told(cli as keyof typeof failing, lines).problem?.kind, "rate_limited")
      same(
        events(cli as keyof typeof failing, ...lines).some(({ _tag }) => _tag === "Failed"),
        true
      )
    }
  }),
  row("U2", "what had come before the failure is kept", () => {
    const heard = told(
      "codex",
      [
        { type: "thread.started", thread_id: "T" },
        says.codexText("half"),
        { type: "turn.failed", error: { message: "m" } }
      ],
      {},
      { code: 1 }
    )
    same([heard.answers, heard.sessionId], [["half"], "T"])
    same(
      told("opencode", [
        says.opencodeStep,
        says.opencode("half"),
        says.opencodeDone({ input: 1, output: 2 }, "tool-calls"),
        { type: "error", sessionID: "S", error: {} }
      ]).tokens?.total,
      3
    )
  }),
  row("U3", "characters over two pieces, CRLF, a last line without an end", () => {
    const bytes = new TextEncoder().encode(
      `${JSON.stringify({ type: "init", session_id: "S" })}\r\n${JSON.stringify(says.gemini("é🙂"))}`
    )
    for (let at = 0; at <= bytes.length; at++) {
      const { events, told } = decode(geminiHeadless, [bytes.subarray(0, at), bytes.subarray(at)])
      same([spoken(events), told.sessionId], ["é🙂", "S"])
    }
  }),
  row("U4", "terminal sequences before the first line", () =>
    same(told("claude", [`\u001b[?25l\u001b]0;t\u0007${JSON.stringify(claudeDone)}`]).answers, ["R"])
  ),
  row("U5", "pieces are joined as they are", () => {
    const lines = [says.gemini("a ", true), says.gemini("b", true), says.geminiDone]
    same([spoken(events("gemini", ...lines)), answers("gemini", lines)], ["a b", ["a b"]])
  }),
  row("U6", "tools of all five", () => {
    same(
      tools(
        "codex",
        says.codex({ type: "file_change", changes: [{ path: "a.ts", kind: "update" }] }),
        says.codex({ type: "mcp_tool_call", server: "s", tool: "t", arguments: { query: "q" } }),
        says.codex({ type: "web_search", query: "w" })
      ).map(([name, preview]) => [name, preview]),
      [
        ["file_change", "a.ts"],
        ["s.t", "q"],
        ["web_search", "w"]
      ]
    )
    same(tools("claude", says.claude(says.claudeTool("mcp__s__t", { url: "u" })))[0]?.[1], "u")
  }),
  row("U8", "an id is not made unknown", () =>
    same(told("gemini", [{ type: "init", session_id: "S" }, { type: "init" }, says.geminiDone]).sessionId, "S")
  ),
  row("U10", "usage is summed", () => {
    same(
      usage("opencode", [
        says.opencodeStep,
        says.opencodeDone({ input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } }, "tool-calls"),
        says.opencodeStep,
        says.opencodeDone({ input: 10, output: 20 })
      ]),
      [20, 25, 45]
    )
    same(
      usage("claude", [
        says.claudeResult({
          usage: { input_tokens: 1, cache_read_input_tokens: 2, cache_creation_input_tokens: 3, output_tokens: 4 }
        }),
        says.claudeResult({ usage: { input_tokens: 10, output_tokens: 1 } })
      ]),
      [16, 5, 21]
    )
    same(clis.opencode.read([says.opencodeDone({ input: 1, output: 2 })]).told.tokens?.total, 3)
  })
]
