import { assert, describe, it } from "@effect/vitest"
import { missed, readFrom } from "../../../src/domain/out/missed.ts"
import * as OutFold from "../../../src/domain/out/outFold.ts"
import type { SessionMemory } from "../../../src/domain/out/SessionMemory.ts"
import type { LogSource } from "../../../src/domain/record/LogEntry.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"

const begin = Date.UTC(2026, 0, 1)
const life = {
  id: 1,
  tag: "demo",
  cli: "demo",
  hostPid: 1,
  cwd: "/",
  since: begin,
  seen: begin + 100_000,
  until: null,
  code: null,
  signal: null
}
const empty: LogSource = {
  lives: [life],
  movedFrom: new Map(),
  turns: [],
  messages: [],
  dialogs: [],
  decisions: [],
  notes: []
}
const turn = (since: number, until: number | null) => ({
  life: 1,
  since: begin + since,
  until: until === null ? null : begin + until,
  outcome: until === null ? null : "completed",
  prompt: "p",
  answer: "the answer"
})
const dialog = (since: number, until: number | null) => ({
  life: 1,
  since: begin + since,
  until: until === null ? null : begin + until,
  state: "needs_permission",
  asked: "Write notes.md?",
  answeredBy: "terminal"
})

describe("what happened while nobody told of it", () => {
  it("is told in its order: turns, dialogs, problems, ends", () => {
    const source: LogSource = {
      ...empty,
      lives: [{ ...life, until: begin + 90_000, code: 3 }],
      turns: [turn(11_000, 60_000), turn(1_000, 5_000), turn(70_000, null)],
      dialogs: [dialog(20_000, 30_000), dialog(40_000, 40_500), dialog(2_000, 4_000)],
      notes: [{ life: 1, at: begin + 35_000, kind: "problem", text: "529", problem: "overloaded" }]
    }
    const told = missed(source, begin + 10_000).map(({ timestamp, type }) => [Date.parse(timestamp) - begin, type])
    assert.deepStrictEqual(told, [
      [20_000, "dialog.opened"],
      [30_000, "dialog.closed"],
      [35_000, "session.problem"],
      [60_000, "turn.ended"],
      [90_000, "session.ended"]
    ])
  })

  it("closes a dialog that was told before, and ends a turn that had begun", () => {
    const source = { ...empty, turns: [turn(5_000, 20_000)], dialogs: [dialog(8_000, 15_000)] }
    assert.deepStrictEqual(
      missed(source, begin + 10_000).map(({ type }) => type),
      ["dialog.closed", "turn.ended"]
    )
  })

  it("leaves to the sessions what is not over", () => {
    const source = { ...empty, turns: [turn(20_000, null)], dialogs: [dialog(21_000, null)] }
    assert.deepStrictEqual(missed(source, begin + 10_000), [])
  })

  it("has the ids that it has when it is seen as it happens", () => {
    const at = (ms: number) => new Date(begin + ms).toISOString()
    const seen = [
      { state: "starting", since: at(0) },
      { state: "running", since: at(11_000) },
      { state: "needs_permission", since: at(20_000), question: { title: "Write notes.md?", options: [] } },
      { state: "running", since: at(30_000) },
      { state: "idle", since: at(60_000), lastResponse: "the answer" },
      { state: "exited", since: at(90_000), exit: { code: 3, signal: null } }
    ] as const
    let memory: SessionMemory | null = null
    const live = new Set<string>()
    for (const status of seen) {
      const now = Date.parse(status.since)
      const steps: ReadonlyArray<OutFold.Folded | null> = [
        ...(memory === null ? [] : [OutFold.tick(memory, now - 1)]),
        OutFold.fold(memory, { link: "live", status: sessionStatus(status) }, now, false)
      ]
      for (const step of steps) for (const { id } of step?.events ?? []) live.add(id)
      memory = steps.at(-1)?.memory ?? null
      if (memory?.dialog != null) {
        const ticked = OutFold.tick(memory, now + 5_000)
        memory = ticked.memory
        for (const { id } of ticked.events) live.add(id)
      }
    }
    const source: LogSource = {
      ...empty,
      lives: [{ ...life, until: begin + 90_000, code: 3 }],
      turns: [turn(11_000, 60_000)],
      dialogs: [dialog(20_000, 30_000)]
    }
    for (const { id } of missed(source, begin - 1)) assert.isTrue(live.has(id), id)
    assert.lengthOf(missed(source, begin - 1), 5)
  })

  it("is read from where what was open began, and no further back than that is worth", () => {
    const status = sessionStatus({ state: "running", since: new Date(begin + 1_000).toISOString() })
    const memory = OutFold.fold(null, { link: "live", status }, begin + 2_000, true)!.memory
    assert.strictEqual(readFrom([memory], begin + 50_000, 1_000_000), begin + 1_000)
    assert.strictEqual(readFrom([], begin + 50_000, 1_000_000), begin + 50_000)
    assert.strictEqual(readFrom([memory], begin + 50_000, 10_000), begin + 40_000)
  })
})
