import { assert, describe, it } from "@effect/vitest"
import { longestText } from "../../../../src/domain/engine/history/keptText.ts"
import type { RecordRow } from "../../../../src/domain/engine/history/RecordRow.ts"
import { dropOldRows } from "../../../../src/domain/engine/history/dropOldRows.ts"
import type * as SessionFold from "../../../../src/domain/engine/history/SessionFold.ts"
import type { SessionState } from "../../../../src/domain/words/session/Session.ts"
import { auditEntry, bash } from "../../policy/support.ts"
import { accepted } from "../../../support/data/queueFixtures.ts"
import { begin, Lives, only, recorded, seen, status } from "../../../support/data/recordEvents.ts"
import { each } from "../../../support/data/fields.ts"

const step = (id: string, to: "submitted" | "started" | "done", at: number): SessionFold.RecordEvent => ({
  _tag: "Queue",
  at,
  records: [{ _tag: "StatusChanged", v: 1, at, id, status: to, why: null }]
})

/** Intervals with the ends that were written of them. */
const intervals = (rows: ReadonlyArray<RecordRow>) =>
  only(rows, "Interval").map(({ n, since, state }) => ({
    n,
    since,
    state,
    until: only(rows, "IntervalEnded").findLast((end) => end.n === n)?.until ?? null
  }))
const turns = (rows: ReadonlyArray<RecordRow>) =>
  only(rows, "Turn").map(({ message, n, since }) => {
    const end = only(rows, "TurnEnded").find((one) => one.n === n)
    const linked = only(rows, "TurnOfMessage").find((one) => one.n === n)?.message ?? message
    return { since, message: linked, until: end?.until ?? null, outcome: end?.outcome ?? null }
  })
const texts = (rows: ReadonlyArray<RecordRow>) =>
  only(rows, "Text").map(({ kind, ref, text }) => `${kind} ${ref}: ${text}`)

describe("what is recorded of a session", () => {
  it("is one turn for each time that a message was sent, and none of it for what is typed in between", () => {
    const back = (at: number): SessionFold.RecordEvent => ({
      _tag: "Queue",
      at,
      records: [{ _tag: "Requeued", v: 1, at, id: "a", counted: false, why: "its turn failed: x", outcome: "failed" }]
    })
    const { rows } = recorded([
      { _tag: "Queue", at: begin, records: [accepted("a")] },
      step("a", "submitted", begin + 1_000),
      status("running", begin + 1_100),
      status("idle", begin + 2_000, { lastTurn: "failed" }),
      back(begin + 2_100),
      status("running", begin + 3_000),
      status("idle", begin + 4_000, { lastTurn: "completed" }),
      step("a", "submitted", begin + 5_000),
      status("running", begin + 5_100),
      step("a", "started", begin + 5_200),
      status("idle", begin + 6_000, { lastTurn: "completed" })
    ])
    assert.deepStrictEqual(
      turns(rows).map(({ message, outcome }) => [message, outcome]),
      [
        ["a", "failed"],
        [null, "completed"],
        ["a", "completed"]
      ]
    )
    assert.deepInclude(
      only(rows, "MessageStep").find(({ status }) => status === "queued"),
      { outcome: "failed", why: "its turn failed: x" }
    )
  })

  it("is its states, each from its beginning to the next one's, and its turns", () => {
    const { rows } = recorded([
      status("idle", begin + 100),
      status("running", begin + 1_000),
      status("needs_permission", begin + 2_000),
      status("running", begin + 5_000),
      status("idle", begin + 6_000),
      status("running", begin + 8_000),
      status("interrupted", begin + 9_000),
      status("exited", begin + 10_000, { exit: { code: 0, signal: null } })
    ])
    assert.deepStrictEqual(
      intervals(rows).map(({ since, state, until }) => [state, since - begin, until! - begin]),
      [
        ["starting", 0, 100],
        ["idle", 100, 1_000],
        ["running", 1_000, 2_000],
        ["needs_permission", 2_000, 5_000],
        ["running", 5_000, 6_000],
        ["idle", 6_000, 8_000],
        ["running", 8_000, 9_000],
        ["interrupted", 9_000, 10_000]
      ]
    )
    assert.deepStrictEqual(
      turns(rows).map(({ outcome, since, until }) => [outcome, since - begin, until! - begin]),
      [
        ["completed", 1_000, 6_000],
        ["interrupted", 8_000, 9_000]
      ]
    )
    assert.deepStrictEqual(rows.at(-1), { _tag: "LifeEnded", at: begin + 10_000, exit: { code: 0, signal: null } })
  })

  it("says how a turn ended as the CLI tells it, also late", () => {
    const late = (first: SessionState, ...then: ReadonlyArray<SessionFold.StatusSeen["lastTurn"]>) =>
      only(
        recorded([
          status("running", begin + 10),
          ...then.map((lastTurn, n) => ({
            ...status(first, begin + 20, { lastTurn, userKeyAt: n })
          }))
        ]).rows,
        "TurnEnded"
      ).map(({ n, outcome, until }) => [n, outcome, until - begin])
    assert.deepStrictEqual(late("idle", null, null), [[0, "completed", 20]])
    assert.deepStrictEqual(late("idle", null, "failed", "failed"), [
      [0, "completed", 20],
      [0, "failed", 20]
    ])
    assert.deepStrictEqual(late("interrupted", null, "completed"), [[0, "interrupted", 20]], "it closed its turn")
    assert.deepStrictEqual(late("interrupted", null, "failed").at(-1), [0, "failed", 20], "the key came behind")
    const next = recorded([
      status("running", begin + 10),
      status("idle", begin + 20),
      status("running", begin + 30, { lastTurn: "failed" }),
      status("exited", begin + 40, { lastTurn: "failed" })
    ]).rows
    assert.deepStrictEqual(
      only(next, "TurnEnded").map(({ n, outcome }) => [n, outcome]),
      [
        [0, "completed"],
        [1, "ended"]
      ]
    )
  })

  it("names the message that a turn is of, whenever its receipt comes, and keeps its text once", () => {
    const before = recorded([
      { _tag: "Queue", at: begin + 1, records: [accepted("m1", "do it")] },
      step("m1", "submitted", begin + 10),
      status("running", begin + 11, { prompt: "do it", promptAt: begin + 11 }),
      step("m1", "started", begin + 12),
      status("idle", begin + 20, { prompt: "do it", promptAt: begin + 11, answer: "done", answerAt: begin + 19 }),
      step("m1", "done", begin + 21),
      status("running", begin + 30),
      status("idle", begin + 40)
    ]).rows
    assert.deepStrictEqual(each(turns(before), "message"), ["m1", null])
    assert.deepStrictEqual(texts(before), ["message m1: do it", "answer 0: done"])
    const after = recorded([status("running", begin + 10), step("m1", "submitted", begin + 11)]).rows
    assert.deepStrictEqual(each(turns(after), "message"), ["m1"])
  })

  it("keeps what was typed into the CLI itself, the same words twice too, and answers that come late", () => {
    const said = (at: number, answer: string | null) => ({ prompt: "go on", promptAt: at, answer, answerAt: at })
    const { rows } = recorded([
      status("running", begin + 10, said(begin + 10, null)),
      status("idle", begin + 20, said(begin + 10, null)),
      { _tag: "Status", at: begin + 900, status: seen("idle", begin + 20, said(begin + 10, "first")) },
      status("running", begin + 1_000, { ...said(begin + 1_000, "first"), answerAt: begin + 10 }),
      status("idle", begin + 2_000, { ...said(begin + 1_000, "first"), answerAt: begin + 1_999 })
    ])
    assert.deepStrictEqual(texts(rows), ["prompt 0: go on", "answer 0: first", "prompt 1: go on", "answer 1: first"])
  })

  it("takes nothing that a conversation said before for this life's", () => {
    const old = { prompt: "yesterday", promptAt: null, answer: "old", answerAt: null }
    const { rows } = recorded(
      [status("idle", begin + 10, old), status("running", begin + 60_000, old), status("idle", begin + 61_000, old)],
      "full",
      true
    )
    assert.deepStrictEqual(texts(rows), [])
  })

  it("says who answered a dialog, also where that is known when it is gone", () => {
    const answered = (
      between: ReadonlyArray<SessionFold.RecordEvent>,
      after: ReadonlyArray<SessionFold.RecordEvent>
    ) => {
      const { rows } = recorded([
        status("running", begin + 10),
        status("needs_permission", begin + 20, { asked: "Write notes.md?" }),
        ...between,
        status("running", begin + 1_000, { userKeyAt: begin + 15 }),
        ...after
      ])
      return only(rows, "IntervalEnded").findLast(({ n }) => n === 2)?.answeredBy
    }
    const decided = (by: "rule" | "mode" | "user" | "none", told: "hook" | "key" | "no" = "key") =>
      ({ _tag: "Decided", at: begin + 900, entry: auditEntry({ by, told }) }) as const
    assert.strictEqual(answered([decided("rule")], []), "rule")
    assert.strictEqual(answered([decided("mode")], []), "mode")
    assert.strictEqual(answered([], [{ ...decided("user"), at: begin + 1_100 }]), "client")
    assert.strictEqual(answered([], [{ _tag: "Answered", at: begin + 1_100 }]), "client")
    assert.strictEqual(answered([], [{ _tag: "Answered", at: begin + 60_000 }]), null, "too late for this one")
    assert.strictEqual(answered([decided("none", "no")], []), null)
    const atTerminal = recorded([
      status("needs_input", begin + 20),
      status("idle", begin + 30, { userKeyAt: begin + 25 })
    ])
    assert.strictEqual(only(atTerminal.rows, "IntervalEnded").at(-1)?.answeredBy, "terminal")
  })

  it("has what the audit log has of a decision, masked, and no texts at all where only the facts are wanted", () => {
    const failed = { _tag: "StatusChanged", v: 1, at: 1, id: "m1", status: "failed", why: "screen words" } as const
    const entry = auditEntry({ request: bash("curl -H 'Authorization: Bearer abcdefgh12345678' x") })
    const events: ReadonlyArray<SessionFold.RecordEvent> = [
      { _tag: "Queue", at: begin, records: [accepted("m1", "the token is ghp_abcdefghijklmnopqrstuvwx")] },
      status("running", begin + 5, { prompt: "secret words", promptAt: begin + 5, reason: "screen words" }),
      { _tag: "Decided", at: begin + 10, entry },
      status("needs_input", begin + 12, { asked: "screen words" }),
      { _tag: "Queue", at: begin + 13, records: [failed] },
      status("running", begin + 15, { problem: { kind: "auth", message: "screen words", until: null } }),
      status("idle", begin + 20, { answer: "secret words", answerAt: begin + 19 })
    ]
    const full = JSON.stringify(recorded(events).rows)
    for (const kept of ["secret words", "screen words", "the token is ***", "Bearer ***"]) assert.include(full, kept)
    for (const secret of ["ghp_", "abcdefgh12345678"]) assert.notInclude(full, secret)
    const meta = JSON.stringify(recorded(events, "meta").rows)
    for (const text of ["words", "token is", "curl", "npm"]) assert.notInclude(meta, text)
    assert.include(meta, '"length":41')
    assert.include(meta, '"tool":"Bash"')
  })

  it("bounds each text", () => {
    const text = "x".repeat(5 * longestText)
    const { rows } = recorded([{ _tag: "Queue", at: begin, records: [accepted("m1", text)] }])
    const [row] = only(rows, "Text")
    assert.isBelow(row!.text.length, longestText + 100)
    assert.include(row!.text, `[${text.length} characters in all]`)
  })

  it("counts what a conversation uses at the ends of turns, and in a long one now and then", () => {
    const using = (usd: number) => ({ usage: { model: "m", tokens: null, usd, estimated: false, context: null } })
    const minute = 60_000
    const { rows } = recorded([
      status("running", begin, using(1)),
      { _tag: "Status", at: begin + minute, status: seen("running", begin, using(2)) },
      { _tag: "Status", at: begin + 6 * minute, status: seen("running", begin, using(3)) },
      status("idle", begin + 7 * minute, using(3)),
      { _tag: "Status", at: begin + 8 * minute, status: seen("idle", begin + 7 * minute, using(4)) },
      status("exited", begin + 9 * minute, { ...using(5), sessionId: "s2" })
    ])
    assert.deepStrictEqual(
      only(rows, "Usage").map(({ at, fresh, session, usd }) => [(at - begin) / minute, session, usd, fresh]),
      [
        [0, "s1", 1, true],
        [6, "s1", 3, true],
        [8, "s1", 4, true],
        [9, "s2", 5, true]
      ]
    )
    const resumed = recorded([status("idle", begin + 1, using(7)), status("exited", begin + 2, using(8))], "full", true)
    assert.deepStrictEqual(each(only(resumed.rows, "Usage"), "fresh"), [false, false])
  })

  it("begins to count behind what a conversation brings along: a fork's, one that is gone on with", () => {
    const used = (usd: number, before: number) => ({
      usage: { model: "m", tokens: null, usd, estimated: true, context: null, before: { tokens: null, usd: before } }
    })
    const rowsOf = ({ rows }: ReturnType<typeof recorded>) =>
      only(rows, "Usage").map(({ fresh, session, usd }) => [session, usd, fresh])
    const fork = [
      status("idle", begin + 1, used(4, 4)),
      status("running", begin + 2),
      status("idle", begin + 3, used(5, 4))
    ]
    assert.deepStrictEqual(rowsOf(recorded(fork)), [
      ["s1", 4, false],
      ["s1", 4, true],
      ["s1", 5, true]
    ])
    // what it had cost before is better known when the CLI has reported: the growth is that of here
    assert.deepStrictEqual(rowsOf(recorded([...fork, status("exited", begin + 4, used(11, 10))])).slice(2), [
      ["s1", 5, true],
      ["s1", 5, true]
    ])
    assert.deepStrictEqual(rowsOf(recorded([...fork, status("exited", begin + 4, used(12, 10))])).at(-1), [
      "s1",
      6,
      true
    ])
    // another conversation within the same life, and one with nothing before it
    const branched = [
      status("idle", begin + 1, used(2, 0)),
      status("idle", begin + 3, { ...used(5, 3), sessionId: "s2" })
    ]
    assert.deepStrictEqual(rowsOf(recorded(branched)), [
      ["s1", 2, true],
      ["s2", 3, false],
      ["s2", 5, true]
    ])
  })

  it("notes limits as they come and go, and each conversation", () => {
    const limited = {
      problem: { kind: "rate_limited", message: "5-hour limit", until: "2026-01-01T05:00:00Z", within: 59_999 }
    } as const
    const exactly = { problem: { ...limited.problem, until: "2026-01-01T05:00:20Z", within: 0 } }
    const { rows } = recorded([
      status("running", begin + 1),
      status("idle", begin + 2, limited),
      { _tag: "Status", at: begin + 3, status: seen("idle", begin + 2, exactly) },
      status("running", begin + 4, { sessionId: "s2" })
    ])
    assert.deepStrictEqual(
      only(rows, "Note").map(({ kind, problem, text }) => [kind, problem, text]),
      [
        ["conversation", null, "s1"],
        ["problem", "rate_limited", "5-hour limit (until 2026-01-01T05:00:00Z)"],
        ["conversation", null, "s2"],
        ["over", "rate_limited", null]
      ]
    )
  })

  it.prop(
    "has intervals that never overlap, and add up to the life but for what was not recorded",
    [Lives],
    ([events]) => {
      const last = Math.max(begin, ...events.map(({ at }) => at))
      const { groups, rows, state } = recorded([...events, status("exited", last + 1)])
      const found = intervals(rows)
      found.forEach((interval, i) => {
        assert.strictEqual(interval.n, i, "numbered in their order")
        assert.isNotNull(interval.until, "each has an end")
        assert.isAtLeast(interval.until, interval.since)
        const next = found[i + 1]
        if (next !== undefined) assert.isAtLeast(next.since, interval.until)
      })
      const gaps = events.some(({ _tag }) => _tag === "Paused" || _tag === "Resumed")
      if (!gaps) {
        const end = only(rows, "LifeEnded")[0]!.at
        const sum = found.reduce((all, { since, until }) => all + until! - since, 0)
        assert.strictEqual(sum, end - begin)
        found.forEach((interval, i) => {
          if (i > 0) assert.strictEqual(interval.since, found[i - 1]!.until)
        })
      }
      for (const turn of turns(rows)) assert.isNotNull(turn.outcome)
      assert.isTrue(state.ended)
      assert.deepStrictEqual(recorded([...events, status("exited", last + 1)]).groups, groups, "the same again")
    }
  )

  it.prop("has at most one open interval and one open turn wherever writing stops", [Lives], ([events]) => {
    const { groups } = recorded(events)
    for (let written = 1; written <= groups.length; written++) {
      const rows = groups.slice(0, written).flat()
      assert.isAtMost(intervals(rows).filter(({ until }) => until === null).length, 1)
      assert.isAtMost(turns(rows).filter(({ until }) => until === null).length, 1)
    }
  })

  it("keeps of rows without room the end of what is open, though another end is said again before it", () => {
    const turnEnd = (n: number, outcome: "completed" | "failed") =>
      ({ _tag: "TurnEnded", n, until: 1, outcome }) as const
    const end = (n: number, answeredBy: "client" | null) =>
      ({ _tag: "IntervalEnded", n, until: 1, answeredBy }) as const
    const kept: ReadonlyArray<RecordRow> = [turnEnd(0, "failed"), end(3, "client"), end(4, null)]
    const opened: RecordRow = { _tag: "Interval", n: 5, state: "idle", since: 1, reason: null, asked: null }
    assert.deepStrictEqual(dropOldRows([turnEnd(0, "completed"), ...kept, opened, end(5, null)]), kept)
  })

  it.prop("keeps of rows without room the ends of what was open before them", [Lives], ([events]) => {
    const { groups } = recorded(events)
    for (let written = 1; written < groups.length; written++) {
      const [before, rest] = [groups.slice(0, written).flat(), groups.slice(written).flat()]
      const kept = [...before, ...dropOldRows(rest)]
      assert.isAtMost(dropOldRows(rest).length, 4)
      const open = (rows: ReadonlyArray<RecordRow>) => intervals(rows).filter(({ until }) => until === null)
      // what ended in all of it has the same end in what is kept of it
      const ends = new Map(intervals([...before, ...rest]).map(({ n, until }) => [n, until]))
      for (const { n } of open(before))
        assert.strictEqual(intervals(kept).find((one) => one.n === n)?.until === null, ends.get(n) === null)
      const ended = (rows: ReadonlyArray<RecordRow>) => new Set(only(rows, "TurnEnded").map(({ n }) => n))
      const [all, left] = [ended([...before, ...rest]), ended(kept)]
      for (const { n } of only(before, "Turn")) assert.strictEqual(left.has(n), all.has(n), `turn ${n}`)
    }
  })
})
