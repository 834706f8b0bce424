import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { AgentEvent } from "../../../../../src/domain/cli/headless/AgentEvent.ts"
import type { AgentCli } from "../../../../../src/domain/cli/headless/AgentCli.ts"
import { claudeHeadless } from "../../../../../src/domain/providers/claude/Headless.ts"
import { codexHeadless } from "../../../../../src/domain/providers/codex/Headless.ts"
import { copilotHeadless } from "../../../../../src/domain/providers/copilot/Headless.ts"
import { geminiHeadless } from "../../../../../src/domain/providers/gemini/Headless.ts"
import { opencodeHeadless } from "../../../../../src/domain/providers/opencode/Headless.ts"
import {
  aCall,
  decode,
  headlessBytes,
  headlessFiles,
  headlessReport,
  headlessRuns,
  shapeOf,
  spoken
} from "../../../../support/headless/headless.ts"
import { expected } from "./recorded.ts"

const erase = <State>(cli: AgentCli<State>) => ({
  id: cli.id,
  decode: (...args: Parameters<typeof decode> extends [unknown, ...infer Rest] ? Rest : never) => decode(cli, ...args)
})
const clis = [
  erase(claudeHeadless),
  erase(codexHeadless),
  erase(geminiHeadless),
  erase(copilotHeadless),
  erase(opencodeHeadless)
]

const isEvent = Schema.is(AgentEvent)

describe.each(clis.map((cli) => [cli.id, cli] as const))("what %s printed", (id, cli) => {
  const runs = headlessRuns(id)
  const table = expected[id] ?? {}

  it("is read to the last file", () => {
    assert.deepStrictEqual(runs.map(({ name }) => `${name}.ndjson`).toSorted(), headlessFiles(id).toSorted())
    assert.deepStrictEqual(Object.keys(table).toSorted(), runs.map(({ name }) => name).toSorted())
  })

  it.each(runs.map((run) => [run.name, run] as const))("%s", (name, run) => {
    const { events, told } = cli.decode([headlessBytes(id, name)], aCall(), {
      code: run.exit,
      signal: run.signal,
      stderr: run.stderr
    })
    const [shape, answers, tokens, trouble] = table[name] ?? ["", [], null]
    assert.strictEqual(shapeOf(events), shape)
    assert.deepStrictEqual(
      told.answers.map((answer, at) => (typeof answers[at] === "number" ? answer.length : answer)),
      answers
    )
    assert.deepStrictEqual(
      told.tokens === null
        ? null
        : [told.tokens.input, told.tokens.cacheRead, told.tokens.cacheWrite, told.tokens.output],
      tokens === null ? null : [...tokens]
    )
    if (told.tokens !== null)
      assert.strictEqual(
        told.tokens.total,
        (tokens ?? []).reduce((sum, count) => sum + count, 0)
      )
    assert.strictEqual(told.complete && told.problem === null ? undefined : (told.problem?.kind ?? "cut"), trouble)
    for (const event of events) assert.isTrue(isEvent(event), JSON.stringify(event))
  })

  const long = runs
    .filter(({ name }) => headlessBytes(id, name).length < 60_000)
    .map(({ name }) => headlessBytes(id, name))
  const all = long.map((bytes) => ({ bytes, whole: cli.decode([bytes]) }))
  const pick = Schema.Struct({
    run: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99 })),
    at: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60_000 })))
  })

  it.prop("is the same however it is cut in pieces", { pick }, ({ pick }) => {
    const { bytes, whole } = all[pick.run % all.length] ?? { bytes: new Uint8Array(), whole: null }
    const cuts = [...new Set(pick.at.map((at) => at % (bytes.length + 1)))].toSorted((a, b) => a - b)
    assert.deepStrictEqual(
      cli.decode([0, ...cuts].map((from, i) => bytes.subarray(from, cuts[i] ?? bytes.length))),
      whole
    )
  })

  it.prop("keeps all that was said before it broke off, wherever that is", { pick }, ({ pick }) => {
    const { bytes, whole } = all[pick.run % all.length] ?? { bytes: new Uint8Array(), whole: null }
    const at = (pick.at[0] ?? 0) % (bytes.length + 1)
    const { events, told } = cli.decode([bytes.subarray(0, at)])
    const said = spoken(events)
    assert.isTrue(spoken(whole?.events ?? []).startsWith(said))
    assert.isTrue(
      said.startsWith(spoken(cli.decode([bytes.subarray(0, lineStart(bytes, at))]).events)),
      "a line that had come whole was told"
    )
    assert.isTrue(told.answers.every((answer) => said.includes(answer)))
    // what was said before a tool is no answer, however little came after it
    const last = (tag: string) => events.findLastIndex((event) => event._tag === tag)
    if (said !== "" && last("Text") > last("ToolStarted") && (whole?.told.answers.length ?? 0) > 0) {
      assert.isNotEmpty(told.answers.filter((answer) => answer !== ""))
    }
  })

  it.prop(
    "never trips over garbage, and hears what came before it",
    {
      pick,
      garbage: Schema.Array(
        Schema.Union([
          Schema.String,
          Schema.Literals([
            "{",
            "}",
            "null",
            "[]",
            '{"type":7}',
            '{"type":"result"}',
            '{"type":"assistant","message":{"content":7}}',
            '{"type":"item.completed","item":[]}',
            "\n",
            "\u0000",
            "\u001b[2J"
          ])
        ])
      )
    },
    ({ garbage, pick }) => {
      const { bytes, whole } = all[pick.run % all.length] ?? { bytes: new Uint8Array(), whole: null }
      const at = (pick.at[0] ?? 0) % (bytes.length + 1)
      const noise = new TextEncoder().encode(garbage.join(""))
      const before = lineStart(bytes, at)
      const { events } = cli.decode([bytes.subarray(0, before), noise, bytes.subarray(at)])
      assert.isTrue(spoken(events).startsWith(spoken(cli.decode([bytes.subarray(0, before)]).events)))
      assert.isDefined(whole)
      for (const event of events) assert.isTrue(isEvent(event), JSON.stringify(event))
    }
  )

  it.prop(
    "is heard of whatever a line holds",
    {
      lines: Schema.Array(
        Schema.Record(
          Schema.Literals([
            "type",
            "subtype",
            "message",
            "data",
            "part",
            "item",
            "event",
            "result",
            "error",
            "usage",
            "stats",
            "content",
            "role",
            "session_id"
          ]),
          Schema.Unknown
        )
      )
    },
    ({ lines }) => {
      const { events } = cli.decode([new TextEncoder().encode(lines.map((line) => safe(line)).join("\n"))])
      for (const event of events) assert.isTrue(isEvent(event), JSON.stringify(event))
    }
  )
})

/** Where the line begins in which this byte is. */
const lineStart = (bytes: Uint8Array, at: number): number => (at === 0 ? 0 : bytes.lastIndexOf(10, at - 1) + 1)

const safe = (value: unknown): string =>
  Result.getOrElse(
    Result.try(() => JSON.stringify(value)),
    () => ""
  ) ?? ""

describe("what goes beyond the stream", () => {
  const total = (tokens: { readonly total: number } | null) => tokens?.total ?? null
  it("Codex counts a thread's tokens: what a resumed turn used is the difference", () => {
    const first = decode(codexHeadless, [headlessBytes("codex", "single")])
    const second = decode(
      codexHeadless,
      [headlessBytes("codex", "resume")],
      aCall({ sessionId: "T", counted: first.told.counted })
    )
    const third = decode(
      codexHeadless,
      [headlessBytes("codex", "resume-flag-first")],
      aCall({ sessionId: "T", counted: second.told.counted })
    )
    assert.deepStrictEqual(
      [first, second, third].map(({ told }) => total(told.tokens)),
      [1630, 3610 - 1630, 5940 - 3610]
    )
    assert.deepStrictEqual(second.told.tokens, { input: 876, cacheRead: 1024, cacheWrite: 0, output: 80, total: 1980 })
    const unknown = decode(codexHeadless, [headlessBytes("codex", "resume")], aCall({ sessionId: "T" }))
    assert.isNull(unknown.told.tokens, "without the total before it, the turn's share is not known")
    const shrunk = decode(
      codexHeadless,
      [headlessBytes("codex", "single")],
      aCall({ sessionId: "T", counted: second.told.counted })
    )
    assert.isNull(shrunk.told.tokens, "totals of two threads have no difference")
  })
  it("Claude Code tells the session's costs: a resumed run's are its own", () => {
    const cost = (name: string) =>
      decode(claudeHeadless, [headlessBytes("claude", name)], aCall({ sessionId: "S" })).told.usd ?? 0
    assert.closeTo(cost("single-turn"), 0.007438, 1e-9)
    assert.closeTo(cost("resume"), 0.014816 - 0.007438, 1e-9)
    assert.closeTo(cost("background-bash"), 0.022114, 1e-9)
  })
  it("Copilot writes its tokens to a file", () => {
    const { told } = decode(copilotHeadless, [headlessBytes("copilot", "usage-file")], aCall(), {
      report: headlessReport("copilot", "usage-file.usage.json")
    })
    assert.deepStrictEqual(told.tokens, { input: 526, cacheRead: 1024, cacheWrite: 0, output: 80, total: 1630 })
    // it counts the session: a later turn's are the difference
    const later = decode(
      copilotHeadless,
      [headlessBytes("copilot", "usage-file")],
      aCall({ sessionId: "S", counted: { input: 500, cacheRead: 1000, cacheWrite: 0, output: 60 } }),
      { report: headlessReport("copilot", "usage-file.usage.json") }
    )
    assert.deepStrictEqual(later.told.tokens, { input: 26, cacheRead: 24, cacheWrite: 0, output: 20, total: 70 })
    assert.deepStrictEqual(later.told.counted, told.counted)
  })
  it("Copilot's session has the id that leap gave it, also where it never came to tell", () => {
    const { told } = decode(copilotHeadless, [headlessBytes("copilot", "sigint-group")], aCall({ freshId: "given" }), {
      code: null,
      signal: "SIGINT"
    })
    assert.strictEqual(told.sessionId, "given")
    assert.isFalse(told.complete)
  })
  it("a session that was asked for and not found is none", () => {
    for (const [cli, name, exit] of [
      ["codex", "resume-unknown", 1],
      ["gemini", "resume-unknown", 42],
      ["copilot", "resume-unknown", 1],
      ["opencode", "resume-unknown", 1]
    ] as const) {
      const run = headlessRuns(cli).find((run) => run.name === name)
      const decoder = clis.find(({ id }) => id === cli)
      const told = decoder?.decode([headlessBytes(cli, name)], aCall({ sessionId: "x" }), {
        code: exit,
        stderr: run?.stderr ?? ""
      }).told
      assert.strictEqual(told?.problem?.kind, "session", cli)
    }
  })
  it("an answer that is longer than what is kept is told whole", () => {
    const line = JSON.stringify({ type: "message", role: "assistant", content: "x".repeat(1 << 20), delta: true })
    const bytes = new TextEncoder().encode(`${line}\n`.repeat(65))
    const { events, told } = decode(geminiHeadless, [bytes])
    assert.strictEqual(spoken(events).length, 65 << 20)
    assert.strictEqual(told.answers[0]?.length, 64 << 20)
  })
})
