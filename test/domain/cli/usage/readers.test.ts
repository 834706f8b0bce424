import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { UsageReader } from "../../../../src/domain/cli/usage/UsageReader.ts"
import { unknownUsage, Usage } from "../../../../src/domain/cli/usage/Usage.ts"
import * as UsageState from "../../../../src/domain/cli/usage/UsageState.ts"
import { usageOf } from "../../../../src/domain/cli/usage/usageOf.ts"
import { jsonOf } from "../../../../src/domain/words/formats/Json.ts"
import { account, shipped, told } from "../../../support/data/account.ts"
import { fixture, readers, records } from "../../../support/data/usage.ts"

const isUsage = Schema.is(Usage)
const all = Object.entries(readers)

const transcripts = [
  ["claude", "claude/transcript.jsonl"],
  ["codex", "codex/rollout.jsonl"],
  ["gemini", "gemini/chat.jsonl"],
  ["copilot", "copilot/events.jsonl"]
] as const
const statusLines = [
  ["claude", "claude/status-lines.jsonl"],
  ["copilot", "copilot/status-lines.jsonl"],
  ["cursor-agent", "claude/status-lines.jsonl"]
] as const

/**
 * What does not make sense in the account of what was told; null when all of it does: what is known are numbers above
 * 0.
 */
const fault = (
  reader: UsageReader,
  records: ReadonlyArray<unknown>,
  hooks: ReadonlyArray<readonly [string, unknown]>,
  aside: unknown
): string | null => {
  const usage = account(reader, { records, hooks, aside })
  const figures = [
    usage.contextTokens,
    usage.cost?.usd,
    ...Object.values(usage.session ?? {}),
    ...Object.values(usage.lastTurn ?? {})
  ]
  return isUsage(usage) &&
    figures.every((figure) => figure == null || figure >= 0) &&
    (usage.window === null || usage.window > 0)
    ? null
    : JSON.stringify(usage)
}

/** A value that is like another one, but of other types here and there: `seed` says where. */
const bent = (value: unknown, seed: number, odd: ReadonlyArray<unknown>): unknown => {
  let count = 0
  const walk = (part: unknown): unknown => {
    if (++count % 7 === seed % 7 && count > seed % 40) return odd[(count + seed) % odd.length]
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part === "object" && part !== null)
      return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]))
    return part
  }
  return walk(value)
}
const odd = [
  null,
  -1,
  1e308,
  Number.NaN,
  "text",
  "",
  [],
  {},
  true,
  [[1]],
  { $set: 5 },
  "2026-11-21T10:00:00.000Z",
  5.5,
  undefined
]

describe.each(transcripts)("%s: a transcript", (cli, file) => {
  const reader = readers[cli]

  it("truncated at every byte says what its whole lines say", () => {
    const bytes = Buffer.from(fixture(file))
    assert.isAbove(bytes.length, 2000)
    // the last lines are like those before
    for (let end = Math.max(0, bytes.length - 2000); end < bytes.length; end++) {
      const last = bytes.subarray(bytes.lastIndexOf(0x0a, end - 1) + 1, end).toString("utf8")
      const facts = reader.record(jsonOf(last))
      if (bytes[end] !== 0x0a) assert.deepStrictEqual(facts, [], last)
    }
  })

  it("with garbage between its lines gives what it gives without", () => {
    const whole = records(file)
    const garbage = [
      null,
      5,
      "text",
      [],
      [{}],
      {},
      { type: "assistant" },
      { type: "event_msg" },
      { type: "gemini" },
      { type: "session.usage_record" },
      { message: null }
    ]
    const mixed = whole.flatMap((record, i) => [garbage[i % garbage.length], record])
    assert.deepStrictEqual(account(reader, { records: mixed }), account(reader, { records: whole }))
  })

  it("of wrong types everywhere is no trouble", () => {
    const whole = records(file)
    for (let seed = 0; seed < 80; seed++) {
      assert.isNull(
        fault(
          reader,
          whole.map((record) => bent(record, seed, odd)),
          [],
          bent({ projects: { "/p": { lastModelUsage: { a: 1 } } } }, seed, odd)
        )
      )
    }
  })
})

it.each(statusLines)("%s: a status line of wrong types everywhere is no trouble", (cli, file) => {
  for (const payload of records(file)) {
    for (let seed = 0; seed < 40; seed++)
      assert.isNull(fault(readers[cli], [], [["StatusLine", bent(payload, seed, odd)]], null))
  }
})

it("opencode: events of wrong types everywhere are no trouble", () => {
  const events = records("opencode/events.jsonl") as ReadonlyArray<readonly [string, unknown]>
  for (let seed = 0; seed < 80; seed++) {
    assert.isNull(
      fault(
        readers.opencode,
        [],
        events.map(([event, payload]) => [event, bent(payload, seed, odd)] as const),
        null
      )
    )
  }
})

describe.each(all)("%s", (_, reader) => {
  it.prop(
    "takes anything for a record, a hook and a file beside",
    { record: Schema.Unknown, payload: Schema.Unknown, event: Schema.String, aside: Schema.Unknown },
    ({ aside, event, payload, record }) => {
      const records = [record, { type: event, message: record, payload: record, data: record, $set: record }]
      assert.isNull(
        fault(
          reader,
          records,
          [
            [event, payload],
            ["StatusLine", payload],
            ["message.updated", payload]
          ],
          aside
        )
      )
    }
  )

  it("says nothing of an event that it does not know", () =>
    assert.deepStrictEqual(
      usageOf(
        reader,
        {
          reported: told(reader, [["Unheard", { model: "m", cost: { total_cost_usd: 5 } }]]),
          transcript: UsageState.start,
          whole: true
        },
        shipped
      ),
      unknownUsage
    ))
})

describe("the parts of a session", () => {
  const { claude, codex, copilot, gemini } = readers

  it("have their transcripts where the CLI writes them", () => {
    const directories = (reader: UsageReader, path: string, first: unknown) =>
      reader.parts?.(path, first)?.directories(Date.parse("2026-01-02T00:30:00Z"))
    assert.deepStrictEqual(directories(claude, "/c/projects/-p/id.jsonl", {}), ["/c/projects/-p/id/subagents"])
    assert.isNull(claude.parts?.("/c/projects/-p/id", {}))
    assert.deepStrictEqual(directories(gemini, "/g/chats/session-1.jsonl", { sessionId: "long-id" }), [
      "/g/chats/long-id"
    ])
    for (const sessionId of [undefined, "..", "../x", "a/b", ""])
      assert.isNull(gemini.parts?.("/g/chats/session-1.jsonl", { sessionId }), String(sessionId))
    assert.isUndefined(copilot.parts)
    // an agent's rollout is among those of the day on which it began, which may be a later one
    const meta = (payload: object) => ({ type: "session_meta", payload })
    const own = meta({ id: "root", session_id: "root", source: "cli" })
    const path = "/x/sessions/2025/12/31/rollout-2025-12-31T23-50-00-root.jsonl"
    assert.deepStrictEqual(directories(codex, path, own), [
      "/x/sessions/2025/12/31",
      "/x/sessions/2026/01/03",
      "/x/sessions/2026/01/02",
      "/x/sessions/2026/01/01"
    ])
    assert.isNull(codex.parts?.("/elsewhere/rollout-1.jsonl", own))
    assert.isNull(codex.parts?.(path, {}))
  })

  it("are told from other sessions by when they began, and by their first records", () => {
    const meta = (payload: object) => ({ type: "session_meta", payload })
    const spawned = (agent_path: string, parent_thread_id = "root") => ({
      source: { subagent: { thread_spawn: { parent_thread_id, agent_path } } }
    })
    const parts = codex.parts?.(
      "/x/2026/11/27/rollout-2026-11-27T04-58-01-root.jsonl",
      meta({ id: "root", source: "cli" })
    )
    assert.deepStrictEqual(
      ["rollout-2026-11-27T04-58-04-a.jsonl", "rollout-2026-11-27T04-57-04-a.jsonl"].map((name) =>
        parts?.mayBe?.(`/x/2026/11/27/${name}`)
      ),
      [true, false]
    )
    const idOf = (payload: object) => parts?.idOf?.(meta(payload))
    assert.strictEqual(idOf({ id: "a", session_id: "root", ...spawned("/root/look") }), "look")
    // an agent's agent
    assert.strictEqual(idOf({ id: "b", session_id: "root", ...spawned("/root/look/deeper", "a") }), "deeper")
    assert.strictEqual(idOf({ id: "c", ...spawned("/root/old") }), "old")
    assert.isNull(idOf({ id: "d", session_id: "other", ...spawned("/root/look", "other") }))
    assert.isNull(idOf({ id: "root", session_id: "root", source: "cli" }))
    assert.isNull(parts?.idOf?.(undefined))
  })

  it("are billed and nothing else, where a subagent's records stand in them", () => {
    const message = { id: "m", model: "x", content: [{ type: "text", text: "t" }], usage: { input_tokens: 5 } }
    const record = { type: "assistant", isSidechain: true, timestamp: "2026-01-01T00:00:00Z", message }
    assert.deepStrictEqual(
      claude.record(record).map((fact) => [fact._tag, "aside" in fact && fact.aside]),
      [["Billed", true]]
    )
    assert.deepStrictEqual(claude.record({ type: "user", isSidechain: true, message: { content: "p" } }), [])
  })

  it("make what is told nowhere known as that: compactions, agents with rollouts of their own", () => {
    const tags = (reader: UsageReader, record: unknown) => reader.record(record).map(({ _tag }) => _tag)
    assert.deepStrictEqual(tags(claude, { type: "system", subtype: "compact_boundary" }), ["Uncounted"])
    assert.deepStrictEqual(tags(claude, { type: "system", subtype: "turn_duration" }), [])
    const call = (payload: object) => ({ type: "response_item", payload })
    const named = { type: "function_call", name: "spawn_agent", arguments: '{"task_name":"look","message":"Look."}' }
    assert.deepStrictEqual(codex.record(call(named)), [{ _tag: "Part", id: "look" }])
    const script = 'await tools.collaboration.spawn_agent({ task_name: "one" }); f({ "task_name": `two` })'
    assert.deepStrictEqual(codex.record(call({ type: "custom_tool_call", name: "exec", input: script })), [
      { _tag: "Part", id: "one" },
      { _tag: "Part", id: "two" }
    ])
    for (const payload of [
      { type: "function_call", name: "spawn_agent", arguments: "{}" },
      { type: "function_call", name: "collaborationspawn_agent", arguments: "{}" },
      { type: "custom_tool_call", name: "exec", input: "await tools.collaboration.spawn_agent({})" }
    ])
      assert.deepStrictEqual(tags(codex, call(payload)), ["Uncounted"], JSON.stringify(payload))
    assert.deepStrictEqual(tags(codex, call({ type: "function_call", name: "exec", arguments: "ls" })), [])
    assert.deepStrictEqual(tags(codex, call({ type: "message", content: "spawn_agent" })), [])
  })
})
