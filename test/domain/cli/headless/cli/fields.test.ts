import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type { AgentCli } from "../../../../../src/domain/cli/headless/AgentCli.ts"
import type { AgentEvent } from "../../../../../src/domain/cli/headless/AgentEvent.ts"
import { StreamLine } from "../../../../../src/domain/cli/headless/StreamLine.ts"
import { jsonSchemaOf } from "../../../../../src/domain/words/formats/jsonSchemaOf.ts"
import { fieldsOf } from "../../../../../src/domain/words/reading/Fields.ts"
import { jsonOf } from "../../../../../src/domain/words/formats/Json.ts"
import { claudeHeadless } from "../../../../../src/domain/providers/claude/Headless.ts"
import { codexHeadless } from "../../../../../src/domain/providers/codex/Headless.ts"
import { copilotHeadless } from "../../../../../src/domain/providers/copilot/Headless.ts"
import { geminiHeadless } from "../../../../../src/domain/providers/gemini/Headless.ts"
import { opencodeHeadless } from "../../../../../src/domain/providers/opencode/Headless.ts"
import {
  aCall,
  headlessBytes,
  headlessFiles,
  headlessUsage,
  headlessVersions
} from "../../../../support/headless/headless.ts"

// Each field of each line that a CLI was recorded to print is read by leap, or stands here with why it is not. What is
// read is found by changing a field and looking whether anything that leap tells is another.

/** A kind of field, `type/subtype path.to.it` with `[]` for the place in a list, and why leap does not read it. */
type Unread = readonly [RegExp, string]

const named = "names a line or a message, which its order does too"
const told = "is told by another line, or field, that leap reads"
const inside = "is of interest within the CLI alone"

const unread: Readonly<Record<string, ReadonlyArray<Unread>>> = {
  claude: [
    [/ (?:uuid|session_id|timestamp|request_id|result_index|isReplay)$/, named],
    [
      /^(?:assistant|stream_event\S*|user) .*(?:role|type|index|stop_sequence|api_message_id|parent_tool_use_id)$/,
      named
    ],
    [/^\S+ (?:subtype|is_error|terminal_reason|permission_denials.*|api_error_\w+|is_api_error_message)$/, told],
    [/^result\/error\S* (?:stop_reason|total_cost_usd)$|^result\/success total_cost_usd$/, told],
    [/^result\/\S+ usage\.|^assistant message\.usage\./, told],
    [/ (?:modelUsage|model_usage_since_last_result)\b/, told],
    [/^stream_event\/message_start event\.message\.|^stream_event\/message_delta event\.usage\./, told],
    [
      /^stream_event\/content_block_(?:start|delta\/input_json_delta)\S* event\./,
      "a tool's input comes whole behind it"
    ],
    [
      /^result\S* (?:duration_ms|duration_api_ms|\w*ttft\w*_ms|first_content_frame_ms|time_to_request_ms)$/,
      "leap times it"
    ],
    [/^stream_event\/message_start ttft_ms$|^assistant thinking_duration_ms$/, "leap's line has its time"],
    [/ (?:subagent_stats|queued_turn_count|safety_stops|fast_mode\w*|origin|thinking_display)\b/, inside],
    [
      /^assistant (?:agent_id|task_description|message\.(?:container|context_management|diagnostics|stop_details))$/,
      inside
    ],
    [/^assistant message\.(?:content|type|content\.\[\]\.signature|content\.)/, inside],
    [/^system\/init (?:cwd|original_cwd|additional_directories|memory_paths\S*)/, "the caller has chosen it"],
    [/^system\/init (?:agents|capabilities|plugins|slash_commands|terminal_slash_commands)\b/, inside],
    [/^system\/init (?:apiKeySource|analytics\w+|messaging\w+|output_style|per_turn\w+|product\w+|served\w+)$/, inside],
    [/^system\/init (?:ultrathink\w+|view_mode)$/, inside],
    [/^system\/hook_(?:response|started) (?:exit_code|hook_event|hook_id|hook_name|output)$/, told],
    [
      /^system\/(?:status|thinking_tokens|task_\w+|background_tasks_changed) /,
      "tells work of which the results come too"
    ],
    [/^user (?:message\.|tool_use_result|tool_result_meta)/, told]
  ],
  codex: [
    [
      /^item\.\w+\/(?:command_execution|file_change) item\.(?:status|command|type|exit_code|aggregated_output|changes.*)$/,
      told
    ],
    [/ item\.id$/, named]
  ],
  gemini: [
    [/ timestamp$/, "leap's line has its time"],
    [/^result stats\.(?:duration_ms|tool_calls|input|models\..*\.input)$/, told],
    [/^result error\.type$|^tool_result error\.message$/, told]
  ],
  copilot: [
    [/^\S+ (?:id|parentId|ephemeral|timestamp)$/, named],
    [/ data\.(?:turnId|interactionId|originatingMessageId|reasoningId|apiCallId|messageId|rte)$/, named],
    [/^assistant\.message data\.(?:toolRequests|reasoning\w+|encryptedContent|serverTools)\b/, told],
    [/^assistant\.(?:reasoning|idle|turn_retry|tool_call_delta) data/, told],
    [/^model\.call_(?:failure|final_result|finished) data\./, inside],
    [/^agent\.interrupted data\.|^session\.(?:info|error|background_tasks_changed) data/, told],
    [/^session\.(?:skills_loaded|mcp_servers_loaded) data\./, "the names alone are told"],
    [
      /^tool\.execution_(?:start|complete) data\.(?:model|toolTitle|shellToolInfo|shellExecution|fileEdits|result|toolTelemetry)\b/,
      told
    ],
    [/^tool\.(?:execution_partial_result|shell_output) data\./, "a tool's output comes whole at its end"],
    [/^result usage\./, "the file of usage has it"],
    [/^user\.message data\./, "is what leap gave it"]
  ],
  opencode: [
    [/ (?:timestamp|sessionID|part\.(?:id|sessionID|messageID|type))$/, named],
    [/ part\.(?:state\.)?time\.\w+$/, "leap's line has its time"],
    [/^step_finish part\.tokens\.total$|^tool_use part\.state\.(?:title|metadata\.\S+)$/, told],
    [/^error error\.(?:name|data\.(?:isRetryable|metadata|responseBody|responseHeaders)\S*)$/, inside]
  ]
}

type Path = ReadonlyArray<string | number>
const leavesOf = (value: unknown, path: Path = []): ReadonlyArray<readonly [Path, unknown]> => {
  if (typeof value !== "object" || value === null) return [[path, value]]
  const list = Array.isArray(value)
  const inner = Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, list ? Number(key) : key]))
  return inner.length === 0 ? [[path, value]] : inner
}

const kindOf = (line: unknown): string => {
  const { event, item, subtype, type } = fieldsOf(line)
  const { content_block, delta, type: inEvent } = fieldsOf(event)
  const of = [type, subtype, fieldsOf(item)["type"], inEvent, fieldsOf(delta)["type"], fieldsOf(content_block)["type"]]
  return of.filter((one) => typeof one === "string").join("/")
}

/** The line with another value at this place. */
const changed = (line: unknown, path: Path, value: unknown): unknown => {
  const copy = structuredClone(line)
  let holder = copy as Record<string | number, unknown>
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>
  holder[path.at(-1) ?? ""] = value
  return copy
}

const toldBy = <State>(cli: AgentCli<State>, lines: ReadonlyArray<unknown>, report: unknown = null) => {
  let state = cli.start(aCall())
  const events = lines.flatMap((line) => {
    const [next, found] = cli.read(state, line)
    state = next
    return found
  })
  return { events, outcome: cli.end(state, { code: 0, signal: null, stderr: "", report }) }
}

/** So often a field is changed in a stream, where that shows nothing: streams are alike within. */
const tries = 4

/** The fields that change nothing of what leap tells, in any of the streams. */
const unreadBy = <State>(
  cli: AgentCli<State>,
  streams: ReadonlyArray<ReadonlyArray<unknown>>
): ReadonlyArray<string> => {
  const isRead = new Map<string, boolean>()
  for (const lines of streams) {
    const before = JSON.stringify(toldBy(cli, lines))
    const tried = new Map<string, number>()
    lines.forEach((line, at) => {
      for (const [path, value] of typeof line === "object" && line !== null ? leavesOf(line) : []) {
        const name = `${kindOf(line)} ${path.map((step) => (typeof step === "number" ? "[]" : step)).join(".")}`
        const times = tried.get(name) ?? 0
        if (isRead.get(name) === true || times === tries) continue
        tried.set(name, times + 1)
        const other = typeof value === "number" ? value + 7 : typeof value === "boolean" ? !value : "another"
        const differs = [other, null].some(
          (instead) => JSON.stringify(toldBy(cli, lines.with(at, changed(line, path, instead)))) !== before
        )
        isRead.set(name, differs)
      }
    })
  }
  return [...isRead].flatMap(([name, read]) => (read ? [] : [name]))
}

const clis = {
  claude: claudeHeadless,
  codex: codexHeadless,
  copilot: copilotHeadless,
  gemini: geminiHeadless,
  opencode: opencodeHeadless
}
const linesOf = (from: string, file: string): ReadonlyArray<unknown> =>
  new TextDecoder()
    .decode(headlessBytes(from, file))
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [jsonOf(line) ?? line]))
const streamsOf = (id: string) =>
  [id, ...headlessVersions(id).map((version) => `${id}/versions/${version}`)].flatMap((from) =>
    headlessFiles(from).map((file) => linesOf(from, file.slice(0, -".ndjson".length)))
  )
const eventsOf = (id: string, file: string) =>
  toldBy(clis[id as keyof typeof clis] as AgentCli<unknown>, linesOf(id, file)).events

const tokens = (input: number, cacheRead: number, cacheWrite: number, output: number) => ({
  input,
  cacheRead,
  cacheWrite,
  output
})
const fake = "claude-opus-5-5"
const about = { mcpServers: [], tools: ["Task", "Bash", "CronCreate"], version: "2.1.329", mode: "default" }
const edit = "-A small project.\n+A small project, changed.\n"

it.each<readonly [string, string, AgentEvent["_tag"], number, object]>([
  ["claude", "partial-messages", "Started", 0, about],
  ["claude", "partial-messages", "RequestStarted", 0, { model: fake, agent: null }],
  ["claude", "partial-messages", "RequestEnded", 0, { tokens: tokens(12, 15000, 850, 10), stopReason: "end_turn" }],
  ["claude", "subagent", "RequestEnded", 0, { tokens: tokens(12, 15000, 850, 1), agent: "general-purpose" }],
  ["claude", "hook-events", "HookRan", 1, { hook: "UserPromptSubmit", ok: true, output: "" }],
  ["codex", "tools", "Used", 0, { tokens: tokens(6506, 6144, 0, 280), reasoning: 40 }],
  ["copilot", "edit", "Started", 0, { skills: ["customize-cloud-agent", "github-pr-media"], mcpServers: [] }],
  ["copilot", "edit", "RequestStarted", 1, { model: "gpt-5.4" }],
  ["copilot", "edit", "ToolEnded", 0, { output: "Added 1 file(s): /home/dev/project/n.md", cut: false, length: 39 }],
  ["gemini", "thoughts", "Used", 0, { reasoning: 210 }],
  ["opencode", "tools", "RequestEnded", 3, { tokens: tokens(2976, 1024, 0, 80), stopReason: "stop", reasoning: 0 }],
  ["opencode", "tools", "ToolEnded", 1, { tool: "bash", durationMs: 1388 }]
])("%s, %s: %s %i", (id, file, tag, at, expected) => {
  const event = eventsOf(id, file).filter(({ _tag }) => _tag === tag)[at]
  for (const [name, value] of Object.entries(expected))
    assert.deepStrictEqual((event as unknown as Record<string, unknown>)[name], value, name)
})

it.each([
  ["copilot", "edit", 0, "diff --git a/home/dev/project/n.md", "+- a\n"],
  ["opencode", "tools", 3, "Index: /home/dev/project/README.md", edit]
] as const)("%s tells what %s changed", (id, file, at, begin, hunk) => {
  const ended = eventsOf(id, file).filter((event) => event._tag === "ToolEnded")[at]
  assert.isTrue(ended?.diff?.startsWith(begin))
  assert.include(ended?.diff ?? "", hunk)
})

it("claude tells an edit's hunks as a diff", () => {
  const structuredPatch = [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [" a", "-b", "+c"] }]
  const content = [{ type: "tool_result", tool_use_id: "t", content: "done" }]
  const line = { type: "user", message: { content }, tool_use_result: { filePath: "/x/f", structuredPatch } }
  const [ended] = toldBy(claudeHeadless, [line]).events
  assert.include(ended, { _tag: "ToolEnded", diff: "--- /x/f\n+++ /x/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n" })
})

it.each([
  ["claude", "subagent", [{ model: fake, tokens: tokens(48, 60000, 3400, 11), usd: 0.029412 }], 0],
  ["gemini", "tool-use", [{ model: "gemini-2.5-pro", tokens: tokens(5068, 8192, 0, 120), usd: null }], 0],
  ["copilot", "usage-file", [{ model: "gpt-5.4", tokens: tokens(526, 1024, 0, 80), usd: null }], 0]
] as const)("%s tells what each model used", (id, file, models, reasoning) => {
  const report = headlessUsage(id, file)
  const { outcome } = toldBy(clis[id] as AgentCli<unknown>, linesOf(id, file), report)
  assert.deepStrictEqual(outcome.models, models)
  assert.strictEqual(outcome.reasoning, reasoning)
})

/** The lines that a JSON schema describes, by their tag, and what they have beside it. */
const linesIn = (schema: unknown): ReadonlyArray<readonly [tag: string, names: ReadonlyArray<string>]> => {
  const { anyOf, properties } = fieldsOf(schema)
  if (Array.isArray(anyOf)) return anyOf.flatMap(linesIn)
  const { _tag, ...others } = fieldsOf(properties)
  const tags = fieldsOf(_tag)["enum"]
  return [[Array.isArray(tags) ? tags.join() : "", Object.keys(others)]]
}

it("the documents name every line and every field of it", () => {
  const rows = readFileSync(new URL("../../../../../docs/headless.md", import.meta.url), "utf8").split("\n")
  const lines = linesIn(jsonSchemaOf(StreamLine))
  assert.isAbove(lines.length, 15)
  const undocumented = lines.flatMap(([tag, names]) => {
    const row = rows.find((line) => line.startsWith("| `") && line.split("|")[1]?.includes(`\`${tag}\``)) ?? ""
    return names.flatMap((name) => (row.includes(`\`${name}\``) ? [] : [`${tag}.${name}`]))
  })
  assert.deepStrictEqual(undocumented, [])
})

it("no models are told of as null", () => {
  const line = { type: "result", status: "success", stats: { total_tokens: 1, input_tokens: 1 } }
  assert.isNull(toldBy(geminiHeadless, [line]).outcome.models)
})

describe.each(Object.entries(clis) as ReadonlyArray<[string, AgentCli<unknown>]>)("%s", (id, cli) => {
  const streams = streamsOf(id)

  it("prints no field about which nobody has decided, and none is left out that it does not print", () => {
    const found = unreadBy(cli, streams)
    const known = unread[id] ?? []
    assert.deepStrictEqual(
      found.filter((name) => !known.some(([pattern]) => pattern.test(name))),
      []
    )
  })

  it("is told in lines of the documented form", () => {
    const events = streams.flatMap((lines) => toldBy(cli, lines).events)
    assert.isAbove(events.length, 0)
  })
})
