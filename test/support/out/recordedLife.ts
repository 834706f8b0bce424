import type { RecordRow } from "../../../src/domain/engine/history/RecordRow.ts"
import type { RecordedLife } from "../../../src/domain/engine/history/RecordedLife.ts"
import * as SessionFold from "../../../src/domain/engine/history/SessionFold.ts"

const rest: SessionFold.StatusSeen = {
  state: "starting",
  since: 0,
  reason: "the prompt is on screen",
  asked: null,
  userKeyAt: null,
  problem: null,
  sessionId: null,
  prompt: null,
  promptAt: null,
  answer: null,
  answerAt: null,
  lastTurn: null,
  usage: { model: null, tokens: null, usd: null, estimated: false, context: null },
  exit: null
}

type Rows = Pick<RecordedLife, "intervals" | "turns" | "problems">

const withRow = (rows: Rows, row: RecordRow): Rows => {
  switch (row._tag) {
    case "Interval": {
      const { asked, n, reason, since, state } = row
      return { ...rows, intervals: [...rows.intervals, { n, state, since, until: null, reason, asked }] }
    }
    case "IntervalEnded":
      return {
        ...rows,
        intervals: rows.intervals.map((one) => (one.n === row.n ? { ...one, until: row.until } : one))
      }
    case "Turn":
      return {
        ...rows,
        turns: [...rows.turns, { n: row.n, since: row.since, until: null, outcome: null, answer: null }]
      }
    case "TurnEnded": {
      const { n, outcome, until } = row
      return { ...rows, turns: rows.turns.map((one) => (one.n === n ? { ...one, until, outcome } : one)) }
    }
    case "Text":
      return row.kind === "answer"
        ? { ...rows, turns: rows.turns.map((one) => (String(one.n) === row.ref ? { ...one, answer: row.text } : one)) }
        : rows
    case "Note":
      return row.kind === "problem"
        ? { ...rows, problems: [...rows.problems, { n: row.n, at: row.at, text: row.text, problem: row.problem }] }
        : rows
    default:
      return rows
  }
}

/** A session's record in memory: what its host makes of statuses, as it would stand in the tables. */
export const recordedLife = (tag: string, since: number, detail: "meta" | "full" = "full") => {
  const [first, firstRows] = SessionFold.start(since, detail)
  let state = first
  let status = { ...rest, since }
  let life: RecordedLife = {
    tag,
    cli: "demo",
    cwd: "/work",
    since,
    seen: since,
    until: null,
    code: null,
    signal: null,
    ...firstRows.reduce(withRow, { intervals: [], turns: [], problems: [] }),
    horizon: null
  }
  return {
    life: () => life,
    /** A status at a moment; where the state is another one, it was entered then. */
    tell: (at: number, change: Partial<SessionFold.StatusSeen>) => {
      const moved = change.state !== undefined && change.state !== status.state ? { since: at } : {}
      status = { ...status, ...moved, ...change }
      const [next, rows] = SessionFold.step(state, { _tag: "Status", at, status })
      state = next
      if (rows.length === 0) return life
      life = { ...life, ...rows.reduce(withRow, life), seen: Math.max(life.seen, at) }
      const end = rows.find((row) => row._tag === "LifeEnded")
      if (end?._tag === "LifeEnded")
        life = { ...life, until: end.at, code: end.exit?.code ?? null, signal: end.exit?.signal ?? null }
      return life
    }
  }
}
