import { unnamedTool } from "../../../../src/domain/words/session/AskedTools.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { hookTimeouts, hookSource } from "../../../../src/domain/engine/tracker/HookWitness.ts"
import * as Tracker from "../../../../src/domain/engine/tracker/Tracker.ts"
import { blankFacts } from "../../../../src/domain/words/session/Screen.ts"
import { defaultModes } from "../../../../src/domain/words/session/Session.ts"
import type { SessionEvent } from "../../../../src/domain/words/session/SessionEvent.ts"
import type { Signal } from "../../../../src/domain/words/session/Signal.ts"

const track = Tracker.track({
  capabilities: { programStatus: false, ownStatus: false, turnHooks: true, firstHook: "start" }
})

/** One use of a tool in a CLI whose hooks call. Times in milliseconds. */
const Use = Schema.Struct({
  tool: Schema.Literals(["Bash", "Read", "mcp__x"]),
  /** From the one before to this one: 0 for uses at once. */
  after: Schema.Literals([0, 40, 900, 20_000]),
  lasts: Schema.Literals([1, 300, 9_000]),
  /** How much later leap reads its hook, its record and the hook behind it. */
  hookLate: Schema.Literals([0, 30, 4_900]),
  recordLate: Schema.Literals([0, 30, 2_000]),
  /** What there is of it: a tool that is refused, or fails, may leave a record that says so, or none. */
  record: Schema.Literals(["ok", "failed", "twice", "none"]),
  post: Schema.Boolean,
  agent: Schema.Boolean
})
const Uses = Schema.Array(Use)

const from = (source: string, at: number, signal: Signal): SessionEvent => ({ _tag: "Signal", at, source, signal })

/** What leap hears of them. `hooked`: how many of them, from the first on, had their hooks called. */
const eventsOf = (uses: typeof Uses.Type, hasIds: boolean, hooked = uses.length): ReadonlyArray<SessionEvent> => {
  let begun = 1_000
  const events: Array<SessionEvent> = [
    { _tag: "Output", at: 10, screen: { ...blankFacts, blank: false, box: { draft: "" } } },
    from(hookSource("Prompt"), 900, { _tag: "TurnStarted", prompt: "x", own: false })
  ]
  for (const [n, { after, agent, hookLate, lasts, post, record, recordLate, tool }] of uses.entries()) {
    begun += after
    const at = begun + lasts
    const named = { tool, id: hasIds ? `call-${n}` : null, agent: agent ? "helper" : null }
    const read = begun + hookLate
    if (n < hooked) {
      events.push(from(hookSource("Pre"), read, { _tag: "ToolStarted", ...named }))
      if (post) events.push(from(hookSource("Post"), Math.max(at, read), { _tag: "ToolEnded", ...named }))
    }
    // the main conversation's record holds no subagent's tools
    for (let time = record === "none" || agent ? 2 : record === "twice" ? 0 : 1; time < 2; time++)
      events.push(
        from("transcript", at + recordLate * (2 - time), {
          _tag: "ToolRan",
          tool: hasIds ? null : tool,
          id: named.id,
          at,
          ok: record !== "failed"
        })
      )
  }
  return events.toSorted((a, b) => a.at - b.at)
}

/** What is known of the hooks after each of these, and as time passes behind them. */
const live = (events: ReadonlyArray<SessionEvent>) => {
  let memory = Tracker.start(0, defaultModes)
  const seen = []
  const end = (events.at(-1)?.at ?? 0) + hookTimeouts.tool + 1
  for (const event of [...events, { _tag: "Tick", at: end } as const]) {
    for (let due = memory.facts.hooks.owed[0]?.dueAt; due !== undefined && due <= event.at;) {
      memory = track(memory, { _tag: "Tick", at: due })
      seen.push(memory.facts.hooks)
      due = memory.facts.hooks.owed[0]?.dueAt
    }
    memory = track(memory, event)
    seen.push(memory.facts.hooks)
  }
  return seen
}

describe("a guard that has worked", () => {
  it.prop(
    "is never said to have stopped while each tool has had its hook, in whatever order leap hears of both",
    { uses: Uses, hasIds: Schema.Boolean },
    ({ hasIds, uses }) => {
      for (const { owed, silentSince, unguarded } of live(eventsOf(uses, hasIds)))
        assert.deepStrictEqual([silentSince, unguarded], [null, null], JSON.stringify(owed))
    },
    { arbitrary: { runs: 1_000 } }
  )

  it.prop(
    "is said to have stopped where a tool runs without one",
    { before: Uses, use: Use, hasIds: Schema.Boolean },
    ({ before, hasIds, use }) => {
      // what was asked about and has no record to say what became of it counts for a tool of its name
      const told = before.filter(({ agent, record }) => hasIds || (!agent && record !== "none" && record !== "twice"))
      const uses = [
        ...told.map((one) => ({ ...one, after: 20_000, hookLate: 0 }) as const),
        { ...use, after: 20_000, record: "ok", agent: false } as const
      ]
      const last = live(eventsOf(uses, hasIds, uses.length - 1)).at(-1)
      assert.isNotNull(last?.unguarded)
      assert.isNotNull(last?.silentSince)
    },
    { arbitrary: { runs: 1_000 } }
  )

  it("is found to work again with the next tool that is asked about, and with no other event", () => {
    const ran = from("transcript", 2_000, { _tag: "ToolRan", tool: null, id: "a", at: 1_990, ok: true })
    const stop = from(hookSource("Stop"), 9_000, { _tag: "TurnEnded", response: null, background: null })
    const asks = from(hookSource("Pre"), 9_500, { _tag: "ToolStarted", tool: "Bash", id: "b", agent: null })
    const silent = live([...eventsOf([], true), ran, stop, asks]).map(({ silentSince }) => silentSince)
    assert.deepStrictEqual(silent.slice(3), [7_000, 7_000, null, null])
  })

  it("has asked about one tool where what it wrote did not arrive whole", () => {
    const asks = from(hookSource("Pre"), 1_980, { _tag: "ToolStarted", tool: unnamedTool, id: null, agent: null })
    const ran = (at: number) =>
      from("transcript", at, { _tag: "ToolRan", tool: "bash", id: null, at: at - 10, ok: true } as const)
    const late = from("transcript", 12_000, { _tag: "Responded", text: "" })
    assert.isNull(live([...eventsOf([], true), asks, ran(2_000), late]).at(-1)?.unguarded)
    const second = live([...eventsOf([], true), asks, ran(2_000), ran(3_000), late]).at(-1)
    assert.strictEqual(second?.unguarded?.tool, "bash")
    // its event may be read after the record
    assert.isNull(live([...eventsOf([], true), ran(1_970), asks, late]).at(-1)?.unguarded)
  })

  it.each<readonly [string, ReadonlyArray<SessionEvent>]>([
    ["before its own turn had a hook", eventsOf([], true).slice(0, 1)],
    ["before the box was there", eventsOf([], true).slice(1)]
  ])("is not looked for in a tool %s", (_, before) => {
    const ran = from("transcript", 2_000, { _tag: "ToolRan", tool: null, id: "a", at: 1_990, ok: true })
    const heard = from(hookSource("Start"), 1_500, {
      _tag: "SessionStarted",
      sessionId: "s",
      transcriptPath: null,
      source: "startup"
    })
    assert.isNull(live([...before, heard, ran]).at(-1)?.unguarded)
  })
})
