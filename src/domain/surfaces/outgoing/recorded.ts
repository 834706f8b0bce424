import { asks } from "../../words/session/states.ts"
import { Schema } from "effect"
import { problemNoted } from "../../engine/history/keptText.ts"
import type { RecordedLife } from "../../engine/history/RecordedLife.ts"
import { ProblemKind, SessionState } from "../../words/session/Session.ts"
import { answerGrace, dialogGrace, eventId, eventsOf, iso } from "./outFold.ts"
import type { OutEvent, OutSession } from "./OutEvent.ts"

/** The first row of each kind that was not sent yet. It is saved together with the events of earlier rows. */
export const Cursor = Schema.Struct({
  interval: Schema.Int,
  /** The first interval whose dialog was not sent completely. */
  dialog: Schema.Int,
  turn: Schema.Int,
  note: Schema.Int,
  state: SessionState,
  started: Schema.Boolean,
  ended: Schema.Boolean
})
export type Cursor = typeof Cursor.Type

export const atStart: Cursor = {
  interval: 0,
  dialog: 0,
  turn: 0,
  note: 0,
  state: "starting",
  started: false,
  ended: false
}

export interface Beside {
  readonly now: number
  /** Nothing before this time is sent. */
  readonly from: number
  /** Its host has ended without a recorded end. */
  readonly gone: boolean
  /** The events of the running session, by their ids: they have texts that the record may omit. */
  readonly seen: ReadonlyMap<string, OutEvent>
}

/** The events of rows, the cursor after them, and when time alone brings more; null: never. */
export interface EventBatch {
  readonly events: ReadonlyArray<OutEvent>
  readonly cursor: Cursor
  readonly wakeAt: number | null
}

/** One step: at a time it moves the cursor, and may send events. */
interface Item {
  readonly at: number
  readonly order: number
  readonly moves: Partial<Cursor>
  readonly tells: ReadonlyArray<OutEvent>
  /** It is sent at this time, and nothing after it is sent earlier. */
  readonly due?: number
}

const outcomes = ["completed", "interrupted", "failed", "ended"] as const
const isProblemKind = Schema.is(ProblemKind)

export const sessionOf = ({ cli, cwd, since, tag }: RecordedLife): OutSession => ({
  tag,
  cli,
  cwd,
  startedAt: iso(since)
})

const problemItem = (
  session: OutSession,
  { at, n, problem, text }: RecordedLife["problems"][number],
  tells: boolean
): Item => {
  const event: OutEvent = {
    schema: 1,
    id: eventId("problem", session.tag, at),
    type: "session.problem",
    timestamp: iso(at),
    session,
    data: { kind: isProblemKind(problem) ? problem : null, ...problemNoted(text) }
  }
  return { at, order: 1, moves: { note: n + 1 }, tells: tells ? [event] : [] }
}

const turnItems = (life: RecordedLife, { now, seen, from }: Beside, over: number | null): ReadonlyArray<Item> => {
  const session = sessionOf(life)
  const tell = eventsOf(session)
  return life.turns.flatMap(({ answer, n, outcome, since, until }, index): ReadonlyArray<Item> => {
    const next = life.turns[index + 1]
    // A turn without an end ended before the next one, or with its life, or with the life's last record.
    const at = until ?? next?.since ?? over
    if (at === null) return []
    const how = until === null ? "ended" : (outcomes.find((one) => one === outcome) ?? "completed")
    const event = tell.turn(since, at, how, answer)
    const live = seen.get(event.id)
    const own = live?.type === "turn.ended" ? live : null
    const whole: OutEvent =
      own === null || event.type !== "turn.ended"
        ? event
        : {
            ...event,
            data: {
              ...event.data,
              outcome: until === null ? own.data.outcome : event.data.outcome,
              response: answer === null ? own.data.response : event.data.response
            }
          }
    const isWhole = next !== undefined || over !== null || (own !== null && (answer ?? own.data.response) !== null)
    const due = isWhole ? now : at + answerGrace
    return [{ at, order: 4, moves: { turn: n + 1 }, tells: at > from ? [whole] : [], due }]
  })
}

const intervalItems = (
  life: RecordedLife,
  cursor: Cursor,
  { from, seen }: Beside,
  over: number | null
): ReadonlyArray<Item> => {
  const session = sessionOf(life)
  const tell = eventsOf(session)
  let before = cursor.state
  return life.intervals.flatMap(({ asked, n, reason, since, state, until }, index): ReadonlyArray<Item> => {
    const items: Array<Item> = []
    if (n >= cursor.interval) {
      const event = tell.state(state, before, reason, since)
      const own = reason === null ? (seen.get(event.id) ?? event) : event
      const isNews = state !== before && since > from
      items.push({ at: since, order: 2, moves: { interval: n + 1, state }, tells: isNews ? [own] : [] })
      before = state
    }
    const end = until ?? life.intervals[index + 1]?.since ?? over
    if (n < cursor.dialog || end === null) return items
    if (!asks(state) || end < since + dialogGrace || end <= from)
      return [...items, { at: end, order: 3, moves: { dialog: n + 1 }, tells: [] }]
    const id = eventId("dialog", session.tag, since)
    const opened = tell.opened({ id, since, at: since, title: asked ?? "", question: null, told: true })
    // The session itself reports a dialog that was open before.
    if (since > from) items.push({ at: since, order: 3, moves: {}, tells: [seen.get(id) ?? opened] })
    return [...items, { at: end, order: 3, moves: { dialog: n + 1 }, tells: [tell.closed(id, end)] }]
  })
}

/** A life's events from the cursor on, always the same ones: rows that may still change are not read yet. */
export const eventsFrom = (life: RecordedLife, cursor: Cursor, beside: Beside): EventBatch => {
  const { from, gone, now, seen } = beside
  const session = sessionOf(life)
  const tell = eventsOf(session)
  const over = life.horizon !== null ? null : (life.until ?? (gone ? life.seen : null))
  const items: Array<Item> = [
    ...intervalItems(life, cursor, beside, over),
    ...turnItems(life, beside, over),
    ...life.problems.map((row) => problemItem(session, row, row.at > from))
  ]
  if (!cursor.started) {
    const tells = life.since > from ? [tell.started()] : []
    items.push({ at: life.since, order: 0, moves: { started: true }, tells })
  }
  if (over !== null && !cursor.ended) {
    const last = life.intervals.at(-1)?.state ?? cursor.state
    const exit = life.until === null ? null : { code: life.code, signal: life.signal }
    const ended = tell.ended(exit, over)
    const exited = tell.state("exited", last, null, over)
    if (over > from) {
      items.push({ at: over, order: 2, moves: { state: "exited" }, tells: [seen.get(exited.id) ?? exited] })
      items.push({ at: over, order: 5, moves: { ended: true }, tells: [seen.get(ended.id) ?? ended] })
    } else items.push({ at: over, order: 5, moves: { ended: true }, tells: [] })
  }
  const ordered = items
    .map((item, place) => ({ item, place }))
    .sort((a, b) => a.item.at - b.item.at || a.item.order - b.item.order || a.place - b.place)
  const events: Array<OutEvent> = []
  let reached = cursor
  for (const { item } of ordered) {
    if (life.horizon !== null && item.at > life.horizon) break
    if (item.due !== undefined && item.due > now) return { events, cursor: reached, wakeAt: item.due }
    events.push(...item.tells)
    reached = { ...reached, ...item.moves }
  }
  return { events, cursor: reached, wakeAt: null }
}
