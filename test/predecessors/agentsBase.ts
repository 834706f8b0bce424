import { assert } from "@effect/vitest"
import { Effect, Option, Result, Schema } from "effect"
import { jsonIn } from "../../src/domain/cli/agents/answer.ts"
import type { AgentEvent } from "../../src/domain/cli/agents/AgentEvent.ts"
import { AgentOptions } from "../../src/domain/cli/agents/AgentOptions.ts"
import { Turn } from "../../src/domain/cli/agents/Conversation.ts"
import { cutTo, previewOf } from "../../src/domain/cli/agents/toolPreview.ts"
import { maskReport } from "../../src/domain/cli/agents/Masking.ts"
import { secretValues } from "../../src/domain/cli/agents/SecretValues.ts"
import {
  lastLine,
  type ByteLine,
  lineLimit,
  noLines,
  readLine,
  splitLines
} from "../../src/domain/words/text/ByteLines.ts"
import { progressOf } from "../../src/domain/cli/agents/report.ts"
import * as turns from "../../src/domain/cli/agents/turns.ts"
import { type AgentProviderShape, registryOf } from "../../src/services/AgentProvider.ts"
import type { ListedRows, ScenarioRow } from "./support/scenarioTable.ts"
import { type Cli, commandOf, events, says, told } from "./agentsShared.ts"

const row = (id: string, says: string, check: ScenarioRow["check"], differs?: string): ScenarioRow => ({
  id,
  says,
  check,
  ...(differs === undefined ? {} : { differs })
})
const same = (actual: unknown, expected: unknown) => assert.deepStrictEqual(actual, expected)
const taken = (options: unknown): boolean => Result.isSuccess(Schema.decodeUnknownResult(AgentOptions)(options))

const bytes = (text: string) => new TextEncoder().encode(text)
const split = (
  pieces: ReadonlyArray<Uint8Array>,
  limit = 100
): { readonly lines: ReadonlyArray<ByteLine>; readonly kept: number } => {
  let state = noLines
  const lines: Array<ByteLine> = []
  for (const piece of pieces) {
    const [next, more] = splitLines(state, piece, limit)
    state = next
    lines.push(...more)
  }
  return {
    lines: [...lines, ...lastLine(state, limit)],
    kept: state.pieces.reduce((sum, piece) => sum + piece.length, 0)
  }
}
const line = (text: string): ByteLine => ({ _tag: "Line", text })
const over = "a line that is too long is passed over and told of, not printed as if it were an answer"
const limit = `${over}; the limit is 16 MiB`

const provider = (name: string): AgentProviderShape => ({
  name,
  displayName: name,
  validate: Effect.void,
  execute: () => {
    throw new Error("not asked")
  },
  executeConversation: () => {
    throw new Error("not asked")
  }
})
const found = (all: ReadonlyArray<AgentProviderShape>, name: string) =>
  Effect.map(
    Effect.result(registryOf(all).get(name)),
    Result.match({ onFailure: (error) => error.message, onSuccess: (it) => it.name })
  )

/** What all providers share. */
export const rows: ReadonlyArray<ScenarioRow> = [
  row(
    "H3",
    "an option that is not given, or is no text",
    () => {
      same(taken({}), true)
      same([{ model: 123 }, { model: null }].map(taken), [false, false])
    },
    "a known option with a wrong type is an error"
  ),
  row("H4", "a text", () => assert.include(commandOf("claude", { options: { model: "haiku" } }).args, "haiku")),
  row(
    "H5",
    "a switch",
    () =>
      same([{ skipPermissions: true }, { skipPermissions: false }, { skipPermissions: "true" }].map(taken), [
        true,
        true,
        false
      ]),
    "a known option with a wrong type is an error"
  ),
  row("H7", "a JSON answer", () =>
    same(
      ['{"k":"v"}', ' {"k":"v"}\n'].map((text) => Option.getOrNull(jsonIn(text))),
      [{ k: "v" }, { k: "v" }]
    )
  ),
  row(
    "H8",
    "no JSON answer",
    () => {
      same(
        ["plain", "{invalid}"].map((text) => Option.isNone(jsonIn(text))),
        [true, true]
      )
      same(Option.getOrNull(jsonIn("[1,2]")), [1, 2])
    },
    "a list is JSON too"
  ),
  row("H9", "short texts", () =>
    same([cutTo("hello", 80), cutTo("x".repeat(40), 80), cutTo("", 80)], ["hello", "x".repeat(40), ""])
  ),
  row(
    "H10",
    "long texts",
    () => same([cutTo("b".repeat(81), 80), [...cutTo("b".repeat(81), 80)].length], [`${"b".repeat(79)}…`, 80]),
    "a preview has 80 characters, the last of which says that there is more"
  ),
  row(
    "H11",
    "other scripts",
    () =>
      same(
        ["é", "中"].map((char) => cutTo(char.repeat(81), 80)),
        ["é", "中"].map((char) => `${char.repeat(79)}…`)
      ),
    "a preview has 80 characters as they are seen"
  ),
  row("H12", "nothing to see", () => same([null, {}, { foo: 1 }].map(previewOf), ["", "", ""])),
  row("H13", "each argument that tells", () =>
    same(
      ["file_path", "command", "cmd", "query", "pattern"].map((key) => previewOf({ [key]: "v" })),
      Array.from({ length: 5 }, () => "v")
    )
  ),
  row("H14", "the first of two", () => same(previewOf({ command: "c", file_path: "f" }), "f")),
  row("H15", "an argument that is no text", () => same(previewOf({ file_path: 42 }), "")),

  row("F1", "a line without an end", () => same(split([bytes("a".repeat(100))]).kept, 100), limit),
  row(
    "F2",
    "one that is too long",
    () => same(split([bytes("a".repeat(101))]), { lines: [{ _tag: "Overlong", size: 101 }], kept: 0 }),
    limit
  ),
  row("F3", "one that is not", () => same(split([bytes("x".repeat(99))]).kept, 99)),
  row("F4", "the longest line", () => same(split([bytes("b".repeat(99)), bytes("\n")]).lines, [line("b".repeat(99))])),
  row(
    "F5",
    "what comes after a line that is too long",
    () => same(split([bytes("c".repeat(101)), bytes("\nREST")]).lines, [{ _tag: "Overlong", size: 101 }, line("REST")]),
    over
  ),
  row("F6", "a line in ten pieces", () =>
    same(split([...Array.from({ length: 10 }, () => bytes("0123456789")), bytes("\n")]).lines, [
      line("0123456789".repeat(10))
    ])
  ),
  row(
    "F7",
    "more of a line that is too long",
    () => same(split([bytes("e".repeat(101)), bytes("small"), bytes("\n")]).lines, [{ _tag: "Overlong", size: 106 }]),
    "all of that line is passed over, its end too"
  ),
  row("F8", "a line of no interest", () => same(told("gemini", [{ type: "ignored" }]).answers, [])),
  row("F10", "the end of the stream", () => same(split([bytes("f".repeat(100))]).lines, [line("f".repeat(100))])),
  row("F11", "three long lines", () =>
    same(split(["5", "4", "2"].map((n) => bytes(`${n.repeat(99)}\n`))).lines.length, 3)
  ),
  row("F13", "lines that count and lines that do not", () =>
    same(
      split([bytes('{"a":1}\nskip\n')]).lines.map((it) => (it._tag === "Line" ? readLine(it.text) : null)),
      [{ a: 1 }, "skip"]
    )
  ),
  row("F14", "three lines at once", () => same(split([bytes("l1\nl2\nl3\n")]).lines, ["l1", "l2", "l3"].map(line))),
  row("F15", "a line in two pieces", () =>
    same(split([bytes("partial"), bytes(" line\n")]).lines, [line("partial line")])
  ),
  row(
    "F16",
    "a line that is too long is told of",
    () => {
      same(split([bytes("x".repeat(101))]).lines, [{ _tag: "Overlong", size: 101 }])
      assert.isAbove(lineLimit, 10 << 20)
    },
    over
  ),
  row("F19", "a last line without an end", () => same(split([bytes("partial")]).lines, [line("partial")])),
  row("F20", "the end of nothing", () => same(split([]).lines, [])),
  row(
    "F38",
    "a line at the limit",
    () => same(split([bytes("x".repeat(100)), bytes("\n")]).lines, [line("x".repeat(100))]),
    "a line as long as the limit is within it"
  ),

  row("T1", "bytes by four", () =>
    same(
      [13, 40, 10_000].map((length) => turns.estimateTokens("x".repeat(length))),
      [3, 10, 2_500]
    )
  ),
  row("T2", "hardly anything", () =>
    same(
      ["", "x"].map((text) => turns.estimateTokens(text)),
      [0, 0]
    )
  ),
  row("T3", "blanks", () =>
    same(
      ["    ", "\t\t\t\t", "\n\n\n\n"].map((text) => turns.estimateTokens(text)),
      [1, 1, 1]
    )
  ),
  row("T6", "bytes, not characters", () => same(turns.estimateTokens("ééé日"), Math.floor(9 / 4))),
  row("T7", "the same each time", () =>
    same(new Set(Array.from({ length: 5 }, () => turns.estimateTokens("same text"))).size, 1)
  ),
  row("T8", "several texts", () => same([turns.estimateTokens("123", "45678"), turns.estimateTokens()], [2, 0])),
  row("K54", "an estimate of a turn", () =>
    same(turns.estimated(["12345678", "1234567"], "x".repeat(20)), {
      input: 3,
      cacheRead: 0,
      cacheWrite: 0,
      output: 5,
      total: 8,
      estimated: true
    })
  ),

  row("G1", "one that is there", () => Effect.map(found([provider("a")], "a"), (name) => same(name, "a"))),
  row("G2", "three", () => same(registryOf(["a", "b", "c"].map(provider)).all.length, 3)),
  row(
    "G3",
    "a name twice",
    () => {
      const [first, second] = [provider("a"), provider("a")]
      same(registryOf([first, second]).all, [first])
    },
    "the list is made once, by leap: the first counts"
  ),
  row("G4", "one that is not there", () =>
    Effect.map(Effect.all([found([provider("a")], "nonexistent"), found([], "")]), ([other, none]) => {
      assert.match(other, /'nonexistent'; known: a/)
      assert.match(none, /no provider is called ''/)
    })
  ),
  row("G6", "names are as they are written", () =>
    Effect.map(found([provider("a")], "A"), (said) => assert.match(said, /no provider/))
  ),
  row("G7", "none at all", () => same(registryOf([]).all, [])),

  row(
    "E1",
    "what a turn can be",
    () => {
      const is = Schema.is(Turn)
      same(
        [
          { role: "", text: "a", tokens: 0 },
          { role: "robot", text: "a", tokens: 0 },
          { role: "user", text: "", tokens: null }
        ].map((turn) => is(turn)),
        [false, false, true]
      )
    },
    "an empty answer is an answer"
  ),
  row("E2", "a new conversation", () =>
    same(
      [{ systemPrompt: "S" }, {}].map((it) => [turns.begin("p", it).turns.length, turns.begin("p", it).totalTokens]),
      [
        [1, 0],
        [0, 0]
      ]
    )
  ),
  row("E4", "two turns", () => {
    const two = [5, 7].reduce((it, tokens) => turns.addTurn(it, { role: "user", text: "a", tokens }), turns.begin("p"))
    same([two.turns.length, two.totalTokens], [2, 12])
  }),
  row("E5", "the last of nothing", () =>
    same([turns.lastTurn(turns.begin("p")), turns.lastAnswer(turns.begin("p"))], [null, ""])
  ),
  row("E7", "formats of an answer", () =>
    same([{ outputFormat: "json" }, { outputFormat: "xml" }].map(taken), [true, false])
  ),
  row(
    "E9",
    "times",
    () =>
      same(
        [-1, 0, 60].map((timeout) => taken({ timeout })),
        [false, false, true]
      ),
    "no time is set where none is asked for"
  ),

  row("Y2", "a fence around all of it", () =>
    same(
      ['```json\n{"a":1}\n```', '  ```JSON\r\n{"a":1}\r\n```  ', '```\n{"a":1}\n```'].map((text) =>
        Option.getOrNull(jsonIn(text))
      ),
      [{ a: 1 }, { a: 1 }, { a: 1 }]
    )
  ),
  row("Y3", "nothing in the fence", () => assert.isTrue(Option.isNone(jsonIn("```json\n\n```")))),
  row(
    "Y5",
    "two fences",
    () => assert.isTrue(Option.isNone(jsonIn("```json\n1\n```\nand\n```json\n2\n```"))),
    "which of two is meant is not guessed"
  ),
  row("Y6", "half a fence", () =>
    same(
      ["```json\n{}", "{}\n```"].map((text) => Option.isNone(jsonIn(text))),
      [true, true]
    )
  ),
  row("Y7", "a megabyte", () =>
    same((Option.getOrThrow(jsonIn(JSON.stringify({ a: "x".repeat(1 << 20) }))) as { a: string }).a.length, 1 << 20)
  ),
  row("Y8", "JSON values", () =>
    same(
      ['{"a":1}', "[1]", "{}", "[]", " [] "].map((text) => Option.getOrNull(jsonIn(text))),
      [{ a: 1 }, [1], {}, [], []]
    )
  ),
  row("Y9", "what is none", () =>
    same(
      ["{", "{a:1}", '{"a":1,}', "{'a':1}", "", "  ", "prose"].filter((text) => Option.isSome(jsonIn(text))),
      []
    )
  ),
  row("Y10", "fenced or bare", () =>
    same(
      ["```json\n[1]\n```", "[1]"].map((text) => Option.getOrNull(jsonIn(text))),
      [[1], [1]]
    )
  ),
  row("Y11", "prose with one fence of JSON", () =>
    same(Option.getOrNull(jsonIn('Here:\n```json\n{"a":1}\n```\nDone.')), { a: 1 })
  ),

  row("W3", "two turns", () => {
    const result = {
      provider: "p",
      text: "a",
      answers: ["a"],
      json: null,
      sessionId: "S",
      model: null,
      tokens: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, total: 2, estimated: false },
      cost: null,
      turns: 1,
      refused: [],
      stopReason: null,
      startedAt: "",
      completedAt: ""
    }
    const two = ["q", "r"].reduce((it, prompt) => turns.after(it, { prompt, result }), turns.begin("p"))
    same([two.turns.length, two.totalTokens], [4, 4])
  }),
  row(
    "W10",
    "a failure on a later turn",
    () => {
      const known = turns.begin("p", { sessionId: "S" })
      same(turns.afterFailure(known, null), { ...known, stoppedBy: "error" })
    },
    "a stream that fails carries what had come in its error; the conversation before it stays what it was"
  ),
  row("U12", "values of keys are not seen", () => {
    const secrets = secretValues(
      { OPENAI_API_KEY: "sesame-open-1", PATH: "/bin", GITHUB_TOKEN: "short" },
      { apiKey: "other-key-22" }
    )
    same(
      maskReport("a sesame-open-1 b other-key-22 c /bin api_key=zzzzzzzz", secrets),
      "a *** b *** c /bin api_key=***"
    )
  })
]

const lines = (shown: ReadonlyArray<AgentEvent>) => shown.map(progressOf).filter((line) => line !== null)
const aTool = (tool: string, input: unknown): AgentEvent => ({
  _tag: "ToolStarted",
  id: null,
  tool,
  preview: previewOf(input),
  input,
  agent: null
})
const aText = (text: string): AgentEvent => ({ _tag: "Text", text, delta: false, message: null, agent: null })
const aLine = "what goes on is told on standard error, a line for each thing; the answer alone is on standard output"
const readOf: ReadonlyArray<readonly [Cli, unknown]> = [
  ["claude", says.claude(says.claudeTool("Read", { file_path: "F" }, "i"))],
  ["gemini", says.geminiTool("Read", { file_path: "F" })],
  ["codex", says.codex({ type: "mcp_tool_call", tool: "Read", arguments: { path: "F" } })],
  ["copilot", says.copilotTool("Read", { path: "F" })],
  ["opencode", says.opencodeTool("Read", { filePath: "F" })]
]

/** What people see of a run as it goes. */
export const shown: ReadonlyArray<ScenarioRow> = [
  row("R1", "texts", () => same(lines([aText("hello"), aText(" world")]), ["  hello", "  world"]), aLine),
  row(
    "R2",
    "texts and a tool",
    () => same(lines([aText("a"), aTool("Read", {}), aText("b")]).length, 3),
    "tools are told without being asked for"
  ),
  row("R3", "a tool", () => same(lines([aTool("Read", { file_path: "file.txt" })]), ["· Read file.txt"]), aLine),
  row(
    "R4",
    "a tool between texts",
    () =>
      same(lines([aText("before"), aTool("Write", { file_path: "output.txt" }), aText("after")]), [
        "  before",
        "· Write output.txt",
        "  after"
      ]),
    "each is a line of its own"
  ),
  row("R5", "a tool without arguments", () => same(lines([aTool("Read", {})]), ["· Read"]), aLine),
  row(
    "R6",
    "a long argument, and one that fits",
    () =>
      same(lines([aTool("x", { command: "é".repeat(90) }), aTool("x", { command: "y".repeat(80) })]), [
        `· x ${"é".repeat(79)}…`,
        `· x ${"y".repeat(80)}`
      ]),
    "there is room for 80 characters as they are seen"
  ),
  row("R7", "nothing", () => same(lines([]), [])),
  row(
    "R8",
    "two tools in a row",
    () => same(lines([aTool("a", {}), aTool("b", {})]), ["· a", "· b"]),
    "each is a line of its own"
  ),
  row(
    "R9",
    "no commands for a terminal",
    () => {
      for (const line of lines([aText("\u001b[2J\n\ta\u0007"), aTool("\u001b]0;x\u0007", { command: "\u001b[31m\n" })]))
        assert.notMatch(line, /\p{Cc}/u)
    },
    "what a model says reaches a terminal as text in one line; the answer is given as it is"
  ),
  row("R10", "a thousand texts", () =>
    same(lines(Array.from({ length: 1_000 }, (_, at) => aText(String(at)))).length, 1_000)
  ),
  row(
    "R11",
    "a tool of each of the five",
    () =>
      same(
        readOf.map(([cli, line]) => lines(events(cli, line))[0]),
        readOf.map(() => "· Read F")
      ),
    "Codex tells the name that the tool has at its server"
  ),
  row(
    "R12",
    "a stream with a tool",
    () =>
      same(
        told("claude", [
          says.claude(says.claudeText("t")),
          says.claude(says.claudeTool("Read", {}, "i")),
          says.claudeResult({ result: "R" })
        ]).answers,
        ["R"]
      ),
    aLine
  )
]

const live = "processes are run by test/layers/agents/cli/AgentProviderCli.live.test.ts"

const numbered = (letter: string, ...spans: ReadonlyArray<readonly [number, number]>) =>
  spans.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => `${letter}${first + at}`))
const vibe = numbered("V", [1, 10], [20, 27], [30, 31], [40, 41], [50, 55])
const proxied = numbered("Z", [1, 22], [30, 37])

/** Rows that are shown elsewhere, or that nothing in leap answers to. */
export const listed: ReadonlyArray<ListedRows> = [
  {
    ids: [
      "B7",
      "B8",
      "B12",
      "B13",
      "B14",
      "B18",
      "B20",
      "B21",
      "B22",
      "X1",
      "X2",
      "X3",
      "X4",
      "X5",
      "X6",
      "X7",
      "X8",
      "X9",
      "X10",
      "X12",
      "X21",
      "X23",
      "X24",
      "O7",
      "O8",
      "U11",
      "U14",
      "U15",
      "C23",
      "C46",
      "C47",
      "K22",
      "K24",
      "K35",
      "K56",
      "P44",
      "N34",
      "M26",
      "M33"
    ],
    why: `${live}: prompts, arguments, conversations, failures, time-outs, signals, groups, and what is left behind`
  },
  {
    ids: ["B1", "B2", "B3", "B4", "B5", "B9", "M31", "K55"],
    why: "standard output and standard error are never joined (≠): the answer is from the one, the reason of a failure from the other"
  },
  {
    ids: ["B15", "B17", "B19", "B23", "M30", "K50", "P43", "N41"],
    why: "plain text where events are due is not understood, exit code 13 (≠): raw output is never an answer, and an empty one is empty"
  },
  {
    ids: ["B10", "B11", "B16", "C24", "K25", "P45", "M34", "K23", "X11", "X20", "X22"],
    why: "types and Effect stand for it: a state is always there, a command line is a Result, a run a Stream that may be run any number of times at once"
  },
  {
    ids: ["B30", "B31", "B32", "B33", "B34", "B35", "B36", "B37", "B38", "T4", "T5", "O5"],
    why: "no other way to estimate tokens can be put in: the CLIs count them, and one rule is enough where they do not"
  },
  {
    ids: ["B40", "B41", "B42", "B43"],
    why: "leap puts no tools of its own into CLIs that run headless; further arguments and environment are options"
  },
  {
    ids: [
      "B50",
      "B51",
      "B52",
      "B53",
      "F9",
      "F12",
      "F17",
      "F18",
      "F21",
      "F22",
      "F23",
      "F30",
      "F31",
      "F32",
      "F33",
      "F34",
      "F35",
      "F36",
      "F37",
      "F39",
      "D1",
      "D2",
      "D3",
      "D4",
      "D5",
      "D6",
      "D7",
      "D8",
      "D9"
    ],
    why: "there are no sinks and filters: a run is a Stream of typed events, and whoever prints them is a program of its own"
  },
  {
    ids: ["B6", "O1", "O2", "O3", "O4", "O6", "P46"],
    why: "services are given by layers, not by options of constructors; a missing program is AgentNotFoundError, shown live"
  },
  { ids: ["H1", "H2", "H6"], why: "data is immutable, so nothing is cloned; nothing is written backwards" },
  {
    ids: vibe,
    why: "Mistral Vibe is no CLI that leap knows, hosted or headless; a CLI that leap does not know cannot be a variant of one that it does"
  },
  {
    ids: proxied,
    why: "leap puts no tools of its own into a CLI, so it registers none, and has none of a former run to remove; a CLI's own options for that (`--mcp-config` and the like) are passed on behind `--`, or as `args`"
  },
  {
    ids: ["G5", "G8", "G9", "G10", "G11"],
    why: "the registry is a fixed list, made once and never changed; its names are those that `leap exec` tells of when it knows one not (test/programs/agents/exec.live.test.ts)"
  },
  {
    ids: ["M32", "K47", "N42", "N43", "Y1", "Y4", "Y12", "Y13"],
    why: "JSON is read out of an answer only where it was asked for, by one rule for all providers (H7, H8, Y2 to Y11); text is given as it is"
  },
  { ids: ["P21", "P23", "N3"], why: "an interactive mode and options that today's CLIs do not have are not offered" },
  {
    ids: ["E3", "E6", "E8", "E10", "E11", "W4", "W5", "W6", "W12", "W13", "W14", "W17"],
    why: "leap has no workflow steps, roles and prompt files; a conversation is a value that the caller keeps"
  },
  {
    ids: ["W1", "W2", "W7", "W8", "W9", "W11", "W15", "W16"],
    why: "a loop that reads prompts is `leap chat`: test/programs/agents/chat.test.ts (a loop, its end, a failure in it) and exec.live.test.ts (an unknown provider, an interrupt, a state that is there, and one that is none)"
  },
  {
    ids: ["U13"],
    why: "HTTP is a provider of its own beside the CLIs: test/layers/agents/http/AgentProviderHttp.test.ts, by this id"
  },
  {
    ids: Array.from({ length: 17 }, (_, at) => `L${at + 1}`),
    why: "there is no second reading of a stream for a transcript: its blocks are the events (text, thought, tool), tested against what the CLIs really print"
  },
  {
    ids: Array.from({ length: 8 }, (_, at) => `Q${at + 1}`),
    why: "a provider for tests is a value of one interface; tests write the one they need"
  }
]
