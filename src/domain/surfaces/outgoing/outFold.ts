import { DateTime } from "effect"
import { keptLine, keptText } from "../../engine/history/keptText.ts"
import { needsOf } from "../../words/attention/needsOf.ts"
import type { FeedSession } from "../../words/session/Feed.ts"
import type { SessionState, SessionStatus } from "../../words/session/Session.ts"
import { amendedOutcome, seenOutcome } from "../../words/session/seenOutcome.ts"
import { asks, turnOver } from "../../words/session/states.ts"
import { endName, endNamed, tellsSameEnd } from "../../words/problems/LimitEnd.ts"
import { fromLatin1, utf8ToLatin1 } from "../../words/text/Bytes.ts"
import { crc32 } from "../../words/text/crc32.ts"
import type { OutEvent, OutSession } from "./OutEvent.ts"
import type { SessionMemory } from "./SessionMemory.ts"

export interface Folded {
  readonly memory: SessionMemory
  readonly events: ReadonlyArray<OutEvent>
}

/** Milliseconds that a dialog must stay unchanged: it is drawn in parts, and a policy may answer it. */
export const dialogGrace = 1_500
/** Milliseconds after a turn in which its answer and its outcome may still arrive. */
export const answerGrace = 2_000
/** The most characters of a line, and of a dialog's subject. */
const lineMost = 300
const subjectMost = 4_000

export const iso = (at: number): string => DateTime.formatIso(DateTime.makeUnsafe(at))

/** The id of an event, the same whenever and from whatever source it is found. */
export const eventId = (kind: string, tag: string, at: number, more = ""): string =>
  `${kind}_${tag}_${at.toString(36)}${more === "" ? "" : `_${more}`}`

type Needed = NonNullable<SessionMemory["needs"]>
type Asking = NonNullable<SessionMemory["dialog"]>

/** The key of an answer. Two answers with the same text cannot be distinguished. */
const answerKey = (text: string | null): string =>
  text === null ? "" : `${text.length}-${crc32(fromLatin1(utf8ToLatin1(text)))}`

const problemKey = ({ problem }: SessionStatus): string =>
  problem === null ? "" : `${problem.kind} ${endName(problem)}`

/** Whether two problems are the same: of one kind and end, in any text, because a CLI counts down seconds in it. */
const isSameProblem = (a: string, b: string): boolean => {
  const [[kind, end = ""], [other, otherEnd = ""]] = [a.split(" "), b.split(" ")]
  return kind === other && tellsSameEnd(endNamed(end), endNamed(otherEnd))
}

const sessionOf = ({ cli, cwd, startedAt, tag }: SessionStatus): OutSession => ({ tag, cli, cwd, startedAt })

/** What is told of a session, by the names of events. */
export const eventsOf = (session: OutSession) => {
  const { tag } = session
  const base = (at: number) => ({ schema: 1, timestamp: iso(at), session }) as const
  const began = Date.parse(session.startedAt)
  return {
    started: (): OutEvent => ({
      ...base(began),
      id: eventId("started", tag, began),
      type: "session.started",
      data: {}
    }),
    state: (state: SessionState, before: SessionState | null, reason: string | null, at: number): OutEvent => ({
      ...base(at),
      id: eventId("state", tag, at, state),
      type: "session.state",
      data: { state, before, reason: reason === null ? null : keptLine(reason, lineMost) }
    }),
    opened: ({ id, question, since, title }: Asking): OutEvent => ({
      ...base(since),
      id,
      type: "dialog.opened",
      data: {
        title: keptLine(question?.title ?? title, lineMost),
        subject: question?.subject === undefined ? null : keptText(question.subject.slice(0, subjectMost)),
        options: (question?.options ?? []).map(({ label, number }) => ({ number, label: keptLine(label, lineMost) }))
      }
    }),
    closed: (dialog: string, at: number): OutEvent => ({
      ...base(at),
      id: `closed_${dialog}`,
      type: "dialog.closed",
      data: { dialog }
    }),
    turn: (
      since: number,
      until: number,
      outcome: Extract<OutEvent, { readonly type: "turn.ended" }>["data"]["outcome"],
      response: string | null
    ): OutEvent => ({
      ...base(until),
      id: eventId("turn", tag, since),
      type: "turn.ended",
      data: { outcome, startedAt: iso(since), response: response === null ? null : keptText(response) }
    }),
    problem: ({ kind, message, until }: NonNullable<SessionStatus["problem"]>, at: number): OutEvent => ({
      ...base(at),
      id: eventId("problem", tag, at),
      type: "session.problem",
      data: { kind, message: keptLine(message, lineMost), until }
    }),
    needs: ({ at, now }: Needed): OutEvent => ({
      ...base(at),
      id: eventId("needs", tag, at),
      type: "session.needs",
      data: {
        needs: now.map(({ kind, since, text, until }) => ({ kind, since, until, text: keptLine(text, lineMost) }))
      }
    }),
    ended: (exit: SessionStatus["exit"], at: number): OutEvent => ({
      ...base(at),
      id: eventId("ended", tag, began),
      type: "session.ended",
      data: { exit, lost: exit === null }
    })
  }
}

interface Step {
  memory: SessionMemory
  readonly events: Array<OutEvent>
  readonly at: number
}

const stepOf = (memory: SessionMemory, at: number): Step => ({ memory, events: [], at })

const set = (step: Step, change: Partial<SessionMemory>): void => {
  step.memory = { ...step.memory, ...change }
}

const tell = (step: Step) => eventsOf(step.memory.session)

const tellTurn = (step: Step): void => {
  const { over } = step.memory
  if (over === null) return
  step.events.push(tell(step).turn(over.since, over.until, over.outcome, over.response ?? null))
  set(step, { over: null })
}

const knowTurn = (step: Step, { lastResponse, lastTurn }: SessionStatus): void => {
  const { over } = step.memory
  if (over === null) return
  const isThere = lastResponse !== null && answerKey(lastResponse) !== over.answer
  const outcome = amendedOutcome(over.outcome, lastTurn?.outcome ?? null)
  set(step, { over: { ...over, outcome, ...(isThere ? { response: lastResponse } : {}) } })
}

/** Sends the ended turn once its answer and its outcome are known, or the grace period is over. */
const tellEndedTurn = (step: Step, { lastTurn }: Pick<SessionStatus, "lastTurn">): void => {
  const { over } = step.memory
  if (over === null) return
  // Hosts of earlier versions do not report the outcome.
  const isKnown = over.response !== undefined && lastTurn !== null
  if (isKnown || step.at >= over.until + answerGrace) tellTurn(step)
}

const tellDialog = (step: Step): void => {
  const { dialog } = step.memory
  if (dialog === null || dialog.told || step.at < dialog.at + dialogGrace) return
  step.events.push(tell(step).opened(dialog))
  set(step, { dialog: { ...dialog, told: true }, asked: step.memory.asked + 1 })
}

const closeDialog = (step: Step): void => {
  const { dialog } = step.memory
  if (dialog === null) return
  if (dialog.told) step.events.push(tell(step).closed(dialog.id, step.at))
  set(step, { dialog: null })
}

const onDialog = (step: Step, status: SessionStatus, since: number): void => {
  const { dialog } = step.memory
  if (!asks(status.state)) return closeDialog(step)
  const question = status.question ?? null
  if (dialog !== null && dialog.since === since) {
    // The dialog is off the screen for a moment, or unchanged.
    if (question === null || JSON.stringify(question) === JSON.stringify(dialog.question)) return tellDialog(step)
    if (!dialog.told) {
      set(step, { dialog: { ...dialog, question, at: step.at } })
      return
    }
  }
  closeDialog(step)
  const n = dialog?.since === since ? step.memory.asked : 0
  const id = eventId("dialog", status.tag, since, n === 0 ? "" : String(n))
  const title = status.message ?? status.reason
  set(step, { asked: n, dialog: { id, since, at: step.at, title, question, told: false } })
}

const onTurn = (step: Step, status: SessionStatus, since: number): void => {
  const { turn } = step.memory
  if (status.state === "running" && turn === null) {
    // `lastTurn` may already be this turn; `lastResponse` is still the former turn's.
    knowTurn(step, { ...status, lastTurn: null })
    tellTurn(step)
    set(step, { turn: { since, answer: answerKey(status.lastResponse) } })
    return
  }
  if (turn === null || !turnOver.has(status.state)) {
    knowTurn(step, status)
    return tellEndedTurn(step, status)
  }
  set(step, { turn: null })
  if (status.state === "exited") {
    const response = answerKey(status.lastResponse) === turn.answer ? null : status.lastResponse
    step.events.push(tell(step).turn(turn.since, since, "ended", response))
    return
  }
  const outcome = seenOutcome({ ...status, told: status.lastTurn?.outcome ?? null })
  set(step, { over: { since: turn.since, until: since, outcome, answer: turn.answer } })
  knowTurn(step, status)
  tellEndedTurn(step, status)
}

const onProblem = (step: Step, status: SessionStatus): void => {
  const key = problemKey(status)
  if (status.problem !== null && !isSameProblem(key, step.memory.problem))
    step.events.push(tell(step).problem(status.problem, step.at))
  set(step, { problem: key })
}

/** The key of the needs. A changed text is not a new need, because a CLI counts down seconds in it. */
const needsKey = (needs: Needed["now"]): string => needs.map(({ id, kind, since }) => `${kind} ${since} ${id}`).join()

/** When changed needs are to be sent; null if they were sent. That there are none any more is sent immediately. */
const needsDue = ({ needs }: SessionMemory): number | null =>
  needs === undefined || needsKey(needs.now) === needs.told
    ? null
    : needs.at + (needs.now.length === 0 ? 0 : dialogGrace)

const tellNeeds = (step: Step): void => {
  const { needs } = step.memory
  const due = needsDue(step.memory)
  if (needs === undefined || due === null || step.at < due) return
  step.events.push(tell(step).needs(needs))
  set(step, { needs: { ...needs, told: needsKey(needs.now) } })
}

const onNeeds = (step: Step, status: SessionStatus): void => {
  const { needs } = step.memory
  const now = needsOf(status).map(({ id, kind, since, text, until }) => ({ kind, since, id, until, text }))
  const at = needs !== undefined && needsKey(needs.now) === needsKey(now) ? needs.at : step.at
  set(step, { needs: { at, now, told: needs?.told ?? "" } })
  tellNeeds(step)
}

const begin = (status: SessionStatus): SessionMemory => ({
  session: sessionOf(status),
  state: "starting",
  since: Date.parse(status.startedAt),
  turn: null,
  over: null,
  dialog: null,
  asked: 0,
  problem: "",
  ended: false
})

/** The memory of a session that ran before it was watched: state and problem are not sent, dialog and needs are. */
const known = (status: SessionStatus): SessionMemory => {
  const since = Date.parse(status.since)
  const memory = { ...begin(status), state: status.state, since, problem: problemKey(status) }
  const isOver = turnOver.has(status.state) || status.state === "starting"
  return {
    ...memory,
    ended: status.state === "exited",
    turn: isOver ? null : { since, answer: answerKey(status.lastResponse) }
  }
}

const onStatus = (step: Step, status: SessionStatus): void => {
  const { memory } = step
  const since = Math.max(memory.since, Date.parse(status.since))
  const hasChanged = status.state !== memory.state
  onTurn(step, status, since)
  if (hasChanged) step.events.push(tell(step).state(status.state, memory.state, status.reason, since))
  onDialog(step, status, since)
  onProblem(step, status)
  onNeeds(step, status)
  set(step, { session: sessionOf(status), state: status.state, since })
  if (status.state !== "exited" || memory.ended) return
  tellTurn(step)
  step.events.push(tell(step).ended(status.exit, since))
  set(step, { ended: true })
}

/** The events of a status after `memory` (null: a new session; `isFirst`: the first look). Null if nothing is known. */
export const fold = (
  memory: SessionMemory | null,
  { link, status }: FeedSession,
  at: number,
  isFirst: boolean
): Folded | null => {
  if (link === "joining") return memory === null ? null : { memory, events: [] }
  if (link === "silent" || link === "foreign") {
    if (memory === null) return null
    const step = stepOf(memory, at)
    onProblem(step, status)
    onNeeds(step, status)
    return step
  }
  const isSame = memory !== null && memory.session.startedAt === status.startedAt
  // A session that ended before the first look is history.
  if (memory === null ? isFirst || link === "ended" : !isSame && memory.ended && link === "ended") {
    const step = stepOf(known(status), at)
    onDialog(step, status, step.memory.since)
    onNeeds(step, status)
    return step
  }
  if (isSame) {
    const step = stepOf(memory, at)
    // Needs of an ended session may be dismissed.
    if (memory.ended) onNeeds(step, status)
    else onStatus(step, status)
    return step
  }
  const before = memory === null ? null : stepOf(memory, at)
  if (before !== null && !before.memory.ended) {
    // Its end was not observed: the session that follows it proves that it is over.
    closeDialog(before)
    tellTurn(before)
    if (before.memory.turn !== null) before.events.push(tell(before).turn(before.memory.turn.since, at, "ended", null))
    before.events.push(tell(before).ended(null, at))
  }
  const step = stepOf(begin(status), at)
  step.events.push(...(before?.events ?? []), tell(step).started())
  onStatus(step, status)
  return step
}

export const tick = (memory: SessionMemory, at: number): Folded => {
  const step = stepOf(memory, at)
  tellEndedTurn(step, { lastTurn: null })
  tellDialog(step)
  tellNeeds(step)
  return step
}

export const wakeAt = (memory: SessionMemory): number | null => {
  const { dialog, over } = memory
  const needs = needsDue(memory)
  const times = [
    ...(over === null ? [] : [over.until + answerGrace]),
    ...(dialog === null || dialog.told ? [] : [dialog.at + dialogGrace]),
    ...(needs === null ? [] : [needs])
  ]
  return times.length === 0 ? null : Math.min(...times)
}

/** The events of a session that still hold: its dialog, and its needs. */
export const openEvents = ({ dialog, needs, session }: SessionMemory): ReadonlyArray<OutEvent> => [
  ...(dialog?.told === true ? [eventsOf(session).opened(dialog)] : []),
  ...(needs !== undefined && needs.now.length > 0 && needsKey(needs.now) === needs.told
    ? [eventsOf(session).needs(needs)]
    : [])
]

export const forgotten = (memory: SessionMemory, at: number): ReadonlyArray<OutEvent> => {
  const step = stepOf(memory, at)
  closeDialog(step)
  tellTurn(step)
  const { session } = memory
  const id = eventId("forgotten", session.tag, at)
  return [...step.events, { schema: 1, id, type: "session.forgotten", timestamp: iso(at), session, data: {} }]
}
