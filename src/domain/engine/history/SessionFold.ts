import { keptEntry } from "../approvals/AuditLines.ts"
import type { AuditEntry } from "../approvals/AuditEntry.ts"
import { summary } from "../../policy/summary.ts"
import type { QueueRecord } from "../queue/Queue.ts"
import type { QueuedMessage, TurnOutcome } from "../../words/session/Message.ts"
import type { ExitStatus, Problem, SessionState } from "../../words/session/Session.ts"
import { amendedOutcome, seenOutcome } from "../../words/session/seenOutcome.ts"
import { asks, turnOver } from "../../words/session/states.ts"
import { tellsSameEnd } from "../../words/problems/LimitEnd.ts"
import type { Tokens } from "../../cli/usage/Usage.ts"
import { keptLine, keptText, problemNote } from "./keptText.ts"
import { messageRows } from "./messageRows.ts"
import type { AnsweredBy, NoteKind, RecordDetail, RecordRow, TurnEnd } from "./RecordRow.ts"

/** The recorded part of a status. Times are milliseconds since the epoch. */
export interface StatusSeen {
  readonly state: SessionState
  readonly since: number
  readonly reason: string
  readonly asked: string | null
  readonly userKeyAt: number | null
  readonly problem: Problem | null
  readonly sessionId: string | null
  /** The last prompt, and when the CLI reported the start of the last turn. */
  readonly prompt: string | null
  readonly promptAt: number | null
  /** The last answer, and when the CLI reported it. */
  readonly answer: string | null
  readonly answerAt: number | null
  readonly lastTurn: TurnOutcome | null
  readonly usage: UsageSeen
  readonly exit: ExitStatus | null
}

export interface UsageSeen {
  readonly model: string | null
  readonly tokens: Tokens | null
  readonly usd: number | null
  readonly estimated: boolean
  /** The cost may be higher: a part of it could not be counted. */
  readonly floor?: boolean
  /** The conversation's usage before this life resumed it; absent if unknown. */
  readonly before?: { readonly tokens: Tokens | null; readonly usd: number | null }
  /** How full the context is, in whole percents. */
  readonly context: number | null
}

type OwnNote = Extract<NoteKind, "night" | "ending" | "continues">

/** An event of a recorded session. `at`: milliseconds since the epoch. */
export type RecordEvent =
  | { readonly _tag: "Status"; readonly at: number; readonly status: StatusSeen }
  | { readonly _tag: "Restored"; readonly at: number; readonly messages: ReadonlyArray<QueuedMessage> }
  | { readonly _tag: "Queue"; readonly at: number; readonly records: ReadonlyArray<QueueRecord> }
  | { readonly _tag: "Decided"; readonly at: number; readonly entry: AuditEntry }
  | { readonly _tag: "Answered"; readonly at: number }
  /** leap's own remark. */
  | { readonly _tag: "Noted"; readonly at: number; readonly kind: OwnNote; readonly text: string }
  /** From here on nothing is recorded, or rows were lost. */
  | { readonly _tag: "Paused"; readonly at: number }
  /** Recording resumes; `lost`: how many rows were lost. */
  | { readonly _tag: "Resumed"; readonly at: number; readonly detail: "meta" | "full"; readonly lost: number }

interface OpenTurn {
  readonly n: number
  readonly since: number
  readonly message: string | null
  readonly answer: string | null
  readonly hasPrompt: boolean
}

/** What is remembered of one life to record it. Its size is bounded. */
export interface RecordState {
  readonly detail: Exclude<RecordDetail, "off">
  readonly next: { readonly interval: number; readonly turn: number; readonly other: number }
  /** The present interval; null while nothing is recorded, and after the end. */
  readonly interval: {
    readonly n: number
    readonly state: SessionState
    readonly since: number
    readonly answeredBy: AnsweredBy | null
  } | null
  /** The last interval with an open dialog: who answered it may be reported a little later. */
  readonly asked: { readonly n: number; readonly until: number } | null
  readonly status: StatusSeen | null
  readonly turn: OpenTurn | null
  /** The last ended turn: its answer and its outcome may come a little later. */
  readonly over: { readonly n: number; readonly until: number; readonly outcome: TurnEnd } | null
  /** The message on its way into the CLI. */
  readonly flight: string | null
  /** A prompt that came before its turn was seen to begin. */
  readonly waitingPrompt: { readonly at: number; readonly text: string } | null
  /** The conversation began before this life. */
  readonly resumes: boolean
  readonly conversation: string | null
  readonly used: { readonly at: number; readonly key: string } | null
  /** The conversation whose first figure is recorded, and the cost that it had before this life; null: unknown. */
  readonly counted: { readonly session: string; readonly usd: number | null } | null
  readonly ended: boolean
}

/** A prompt belongs to a turn that begins within this many milliseconds. */
const promptSlack = 5_000
/** Milliseconds after a dialog's end in which it may still be reported who answered it. */
const answerSlack = 5_000
/** Milliseconds between two records of a long turn's usage. */
const usagePace = 300_000

export const start = (
  at: number,
  detail: "meta" | "full",
  resumes = false
): readonly [RecordState, ReadonlyArray<RecordRow>] => [
  {
    detail,
    next: { interval: 1, turn: 0, other: 0 },
    interval: { n: 0, state: "starting", since: at, answeredBy: null },
    asked: null,
    status: null,
    turn: null,
    over: null,
    flight: null,
    waitingPrompt: null,
    resumes,
    conversation: null,
    used: null,
    counted: null,
    ended: false
  },
  [{ _tag: "Interval", n: 0, state: "starting", since: at, reason: null, asked: null }]
]

type Stepped = readonly [RecordState, ReadonlyArray<RecordRow>]

/** The state after an event, and the rows to write for it: all of them, or none. */
export const step = (state: RecordState, event: RecordEvent): Stepped => {
  if (state.ended) return [state, []]
  switch (event._tag) {
    case "Status":
      return onStatus(state, event.at, event.status)
    case "Restored":
      return [state, event.messages.flatMap((message) => messageRows(state.detail, event.at, message))]
    case "Queue":
      return event.records.reduce<Stepped>(
        ([now, rows], record) => {
          const [next, more] = onQueue(now, event.at, record)
          return [next, [...rows, ...more]]
        },
        [state, []]
      )
    case "Decided":
      return onDecision(state, event.at, event.entry)
    case "Answered":
      return answeredBy(state, event.at, "client")
    case "Noted": {
      if (state.interval === null) return [state, []]
      const { next } = state
      const note = { n: next.other, at: event.at, kind: event.kind, text: keptLine(event.text, 300), problem: null }
      return [{ ...state, next: { ...next, other: next.other + 1 } }, [{ _tag: "Note", ...note }]]
    }
    case "Paused":
      return pause(state, event.at)
    case "Resumed": {
      const [paused, ends] = pause(state, event.at)
      const n = paused.next.interval
      const { status } = paused
      const current = status?.state ?? "starting"
      const resumed: RecordState = {
        ...paused,
        detail: event.detail,
        next: { ...paused.next, interval: n + 1, other: paused.next.other + 1 },
        interval: { n, state: current, since: event.at, answeredBy: null },
        // Earlier rows may be lost.
        conversation: null,
        used: null,
        counted: null
      }
      const text = event.lost === 0 ? null : `${event.lost} rows could not be written`
      const gap = { _tag: "Note", n: paused.next.other, at: event.at, kind: "gap", text, problem: null } as const
      const [opened, turn] = current === "running" ? openTurn(resumed, event.at) : [resumed, []]
      return [opened, [...ends, gap, intervalRow(resumed, status, n, event.at), ...turn]]
    }
  }
}

const pause = (state: RecordState, at: number): Stepped => {
  if (state.interval === null) return [state, []]
  const [rest, rows] = closeTurn(state, at, "ended")
  return [{ ...rest, interval: null }, [...rows, intervalEnd(state.interval, at, null)]]
}

const intervalRow = (state: RecordState, status: StatusSeen | null, n: number, since: number): RecordRow => ({
  _tag: "Interval",
  n,
  state: status?.state ?? "starting",
  since,
  reason: state.detail === "full" && status !== null ? keptLine(status.reason) : null,
  asked: state.detail === "full" && status !== null && status.asked !== null ? keptLine(status.asked, 300) : null
})

const intervalEnd = (
  { answeredBy, n, since, state }: NonNullable<RecordState["interval"]>,
  at: number,
  status: StatusSeen | null
): RecordRow => {
  const terminal = status !== null && status.userKeyAt !== null && status.userKeyAt >= since ? "terminal" : null
  const by = asks(state) && status?.state !== "exited" ? (answeredBy ?? terminal) : null
  return { _tag: "IntervalEnded", n, until: Math.max(since, at), answeredBy: by }
}

const openTurn = (state: RecordState, at: number): Stepped => {
  const n = state.next.turn
  const turn: OpenTurn = { n, since: at, message: state.flight, answer: null, hasPrompt: false }
  const next = { ...state, turn, next: { ...state.next, turn: n + 1 } }
  return [next, [{ _tag: "Turn", n, since: at, message: state.flight }]]
}

const answerRow = (n: number, at: number, text: string): RecordRow => ({
  _tag: "Text",
  kind: "answer",
  ref: String(n),
  at,
  text: keptText(text)
})

const closeTurn = (state: RecordState, at: number, outcome: TurnEnd): Stepped => {
  const { turn } = state
  if (turn === null) return [state, []]
  const until = Math.max(turn.since, at)
  const rows: ReadonlyArray<RecordRow> = [{ _tag: "TurnEnded", n: turn.n, until, outcome }]
  const answer = state.detail === "full" && turn.answer !== null ? [answerRow(turn.n, until, turn.answer)] : []
  return [{ ...state, turn: null, over: { n: turn.n, until, outcome } }, [...rows, ...answer]]
}

const outcomeOf = ({ lastTurn, problem, state }: StatusSeen): TurnEnd =>
  state === "exited" ? "ended" : seenOutcome({ problem, state, told: lastTurn })

/** A report about the end of a turn that was already seen to end. */
const onLateEnd = (state: RecordState, { lastTurn, state: now }: StatusSeen): Stepped => {
  const { over, turn } = state
  if (turn !== null || over === null || now === "exited" || over.outcome === "ended") return [state, []]
  const outcome = amendedOutcome(over.outcome, lastTurn)
  if (outcome === over.outcome) return [state, []]
  const { n, until } = over
  return [{ ...state, over: { n, until, outcome } }, [{ _tag: "TurnEnded", n, until, outcome }]]
}

const onState = (state: RecordState, status: StatusSeen): Stepped => {
  const { interval } = state
  if (interval === null) return [state, []]
  const since = Math.max(interval.since, status.since)
  if (status.state === interval.state && status.since <= interval.since) return [state, []]
  const closed = intervalEnd(interval, since, status)
  const n = state.next.interval
  const isOver = turnOver.has(status.state)
  const [rested, ended] = isOver && state.turn !== null ? closeTurn(state, since, outcomeOf(status)) : [state, []]
  if (status.state === "exited") return [{ ...rested, interval: null }, [...ended, closed]]
  const moved: RecordState = {
    ...rested,
    next: { ...rested.next, interval: n + 1 },
    interval: { n, state: status.state, since, answeredBy: null },
    asked: asks(interval.state) ? { n: interval.n, until: since } : rested.asked
  }
  const [begun, turn] = status.state === "running" && moved.turn === null ? openTurn(moved, since) : [moved, []]
  return [begun, [...ended, closed, intervalRow(state, status, n, since), ...turn]]
}

const onTexts = (state: RecordState, at: number, before: StatusSeen | null, status: StatusSeen): Stepped => {
  if (state.detail !== "full") return [state, []]
  const rows: Array<RecordRow> = []
  let { turn, waitingPrompt } = state
  const isNewPrompt =
    status.prompt !== null && (status.prompt !== before?.prompt || status.promptAt !== before.promptAt)
  if (isNewPrompt && status.prompt !== null) waitingPrompt = { at, text: status.prompt }
  if (turn !== null && waitingPrompt !== null) {
    // A message of the queue has its text already.
    if (!turn.hasPrompt && turn.message === null && waitingPrompt.at >= turn.since - promptSlack) {
      rows.push({ _tag: "Text", kind: "prompt", ref: String(turn.n), at, text: keptText(waitingPrompt.text) })
      turn = { ...turn, hasPrompt: true }
    }
    waitingPrompt = null
  }
  const isNewAnswer =
    status.answer !== null && (status.answer !== before?.answer || status.answerAt !== before.answerAt)
  if (isNewAnswer && status.answer !== null) {
    if (turn !== null) turn = { ...turn, answer: status.answer }
    else if (state.over !== null && before !== null) rows.push(answerRow(state.over.n, at, status.answer))
  }
  return [{ ...state, turn, waitingPrompt }, rows]
}

const usageKey = ({ context, tokens, usd }: UsageSeen): string => JSON.stringify([tokens, usd, context])

/** The conversation's usage, at the ends of turns and at times within a long one. */
const onUsage = (state: RecordState, at: number, { sessionId, state: now, usage }: StatusSeen): Stepped => {
  if (sessionId === null || (usage.tokens === null && usage.usd === null && usage.context === null)) return [state, []]
  const isDue = state.turn === null || now === "exited" || state.used === null || at - state.used.at >= usagePace
  const key = `${sessionId} ${usageKey(usage)}`
  if (!isDue || key === state.used?.key) return [state, []]
  const { before, context, estimated, floor, model, tokens, usd } = usage
  const common = { session: sessionId, model, estimated, ...(floor === true ? { floor } : {}) }
  const isFirst = state.counted?.session !== sessionId && (tokens !== null || usd !== null)
  // The earlier usage of a fork or a resumed conversation belongs elsewhere.
  const brought = isFirst && before !== undefined && isSome(before) ? before : null
  const n = state.next.other
  const counted = isFirst ? { session: sessionId, usd: before?.usd ?? null } : state.counted
  // A later correction of the earlier cost is no growth.
  const known = counted?.session === sessionId ? counted.usd : null
  const better = known === null || before?.usd == null ? 0 : before.usd - known
  const rows: ReadonlyArray<RecordRow> = [
    ...(brought === null
      ? []
      : [{ _tag: "Usage", n, at, ...common, ...brought, context: null, fresh: false } satisfies RecordRow]),
    {
      _tag: "Usage",
      n: n + (brought === null ? 0 : 1),
      at,
      ...common,
      tokens,
      usd: usd === null ? null : Number((usd - better).toFixed(9)),
      context,
      fresh: !state.resumes
    }
  ]
  return [
    {
      ...state,
      used: { at, key },
      counted,
      next: { ...state.next, other: n + rows.length }
    },
    rows
  ]
}

const isSome = ({ tokens, usd }: NonNullable<UsageSeen["before"]>): boolean =>
  (usd ?? 0) > 0 || (tokens !== null && tokens.input + tokens.cacheRead + tokens.cacheWrite + tokens.output > 0)

const onNotes = (state: RecordState, at: number, before: StatusSeen | null, status: StatusSeen): Stepped => {
  let { conversation, resumes } = state
  let n = state.next.other
  const rows: Array<RecordRow> = []
  const { problem, sessionId } = status
  if (sessionId !== null && sessionId !== conversation) {
    rows.push({ _tag: "Note", n: n++, at, kind: "conversation", text: sessionId, problem: null })
    // Only the first conversation can have existed before this life.
    if (conversation !== null) resumes = false
    conversation = sessionId
  }
  const known = before?.problem ?? null
  if (problem !== null && (known === null || problem.kind !== known.kind || !tellsSameEnd(problem, known))) {
    const text = problemNote(problem, state.detail === "full")
    rows.push({ _tag: "Note", n: n++, at, kind: "problem", text, problem: problem.kind })
  } else if (problem === null && known !== null) {
    rows.push({ _tag: "Note", n: n++, at, kind: "over", text: null, problem: known.kind })
  }
  return [{ ...state, conversation, resumes, next: { ...state.next, other: n } }, rows]
}

const onStatus = (state: RecordState, at: number, status: StatusSeen): Stepped => {
  const before = state.status
  const seen: RecordState = { ...state, status }
  if (state.interval === null)
    return status.state === "exited"
      ? [{ ...seen, ended: true }, [{ _tag: "LifeEnded", at: status.since, exit: status.exit }]]
      : [seen, []]
  const [moved, states] = onState(seen, status)
  const [late, ends] = onLateEnd(moved, status)
  const [noted, notes] = onNotes(late, at, before, status)
  const [told, texts] = onTexts(noted, at, before, status)
  const [used, usage] = onUsage(told, at, status)
  const rows = [...states, ...ends, ...notes, ...texts, ...usage]
  if (status.state !== "exited") return [used, rows]
  const end = Math.max(status.since, state.interval.since)
  return [{ ...used, ended: true }, [...rows, { _tag: "LifeEnded", at: end, exit: status.exit }]]
}

const onQueue = (state: RecordState, at: number, record: QueueRecord): Stepped => {
  if (state.interval === null) return [state, []]
  if (record._tag !== "StatusChanged") {
    const rows = messageRows(state.detail, at, record)
    // A message that is sent again has a turn of its own: a turn that begins before that is not its turn.
    const isBack = record._tag === "Requeued" && state.flight === record.id
    return [isBack ? { ...state, flight: null } : state, rows]
  }
  const rows = messageRows(state.detail, at, record)
  const { id, status } = record
  if (status === "submitted" || status === "started") {
    const { turn } = state
    if (turn === null || turn.message !== null) return [{ ...state, flight: id }, rows]
    return [
      { ...state, flight: id, turn: { ...turn, message: id } },
      [...rows, { _tag: "TurnOfMessage", n: turn.n, message: id }]
    ]
  }
  const isOver = status === "done" || status === "failed" || status === "held"
  return [isOver && state.flight === id ? { ...state, flight: null } : state, rows]
}

const answeredBy = (state: RecordState, at: number, by: AnsweredBy): Stepped => {
  const { asked, interval } = state
  if (interval !== null && asks(interval.state)) return [{ ...state, interval: { ...interval, answeredBy: by } }, []]
  if (asked === null || at > asked.until + answerSlack) return [state, []]
  return [{ ...state, asked: null }, [{ _tag: "IntervalEnded", n: asked.n, until: asked.until, answeredBy: by }]]
}

const onDecision = (state: RecordState, at: number, whole: AuditEntry): Stepped => {
  if (state.interval === null) return [state, []]
  const entry = keptEntry(whole)
  const n = state.next.other
  const isFull = state.detail === "full"
  const row: RecordRow = {
    _tag: "Decision",
    n,
    at,
    verdict: entry.verdict,
    by: entry.by,
    told: entry.told,
    rule: isFull ? entry.rule : null,
    why: isFull ? entry.why : null,
    tool: entry.request?.tool ?? null,
    what: isFull && entry.request !== null ? summary(entry.request, 200) : null
  }
  const next = { ...state, next: { ...state.next, other: n + 1 } }
  if (entry.told === "no" || entry.by === "none" || entry.verdict === "ask") return [next, [row]]
  const [answered, rows] = answeredBy(next, at, entry.by === "user" ? "client" : entry.by)
  return [answered, [row, ...rows]]
}
