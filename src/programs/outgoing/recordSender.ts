import { Clock, Effect } from "effect"
import type { OutEvent } from "../../domain/surfaces/outgoing/OutEvent.ts"
import * as Recorded from "../../domain/surfaces/outgoing/recorded.ts"
import { lifeKey, type RecordedLife, type RowsKnown } from "../../domain/engine/history/RecordedLife.ts"
import type { FeedSession } from "../../domain/words/session/Feed.ts"
import { RecordStore } from "../../services/RecordStore.ts"
import type { StoreError } from "../../services/StoreError.ts"

/** Milliseconds: older rows are not sent. */
const maxAge = 7 * 86_400_000
/** The end of a life is remembered for a day longer than its rows may be sent. */
const remembered = maxAge + 86_400_000
/** How long a session's event waits for its row in the record, in milliseconds. */
const recordTimeout = 3_000
/** A shorter wait, because the record has no needs and they must be known within a second. */
const needsTimeout = 500
/** How long a host that is gone may take to write its end, in milliseconds. */
const goneGrace = 2_000
/** The most events that are kept until their rows confirm them, and for how long. */
const mostSeen = 2_000
const seenFor = 60_000
/** Rows of a session's event arrive within this time. */
const soon = 5_000
/** The most events that wait for the record, which has them anyway. */
const mostWaiting = 10_000
/** A life written within this time, in milliseconds, may get more rows with the same time. */
const settled = 2_000

interface Life extends Pick<RecordedLife, "tag" | "since" | "seen" | "until"> {
  readonly wakeAt: number | null
}

interface Waiting {
  readonly event: OutEvent
  readonly key: string
  readonly at: number
}

export interface Looked {
  readonly events: ReadonlyArray<OutEvent>
  readonly cursors: ReadonlyMap<string, Recorded.Cursor | null>
}

const keyOf = ({ session }: OutEvent): string | null =>
  session === null ? null : lifeKey({ tag: session.tag, since: Date.parse(session.startedAt) })

/** Events that come only from rows, if the session has rows. */
const ofRows: ReadonlySet<OutEvent["type"]> = new Set([
  "session.started",
  "session.state",
  "turn.ended",
  "session.problem",
  "session.ended"
])

/** Sends the record's events from durable cursors on, and the events that only running sessions report. */
export const makeRecordSender = Effect.fnUntraced(function* (
  from: number,
  before: ReadonlyMap<string, Recorded.Cursor>,
  sessions: () => ReadonlyMap<string, FeedSession> | null,
  records: () => boolean
) {
  const store = yield* RecordStore
  const cursors = new Map(before)
  const lives = new Map<string, Life>()
  const gone = new Map<string, number>()
  let waiting: Array<Waiting> = []
  /** Sessions' events that their rows must confirm. */
  const seen = new Map<string, Waiting>()

  /** Whether rows for this event are expected. */
  const isRecorded = ({ session, type }: OutEvent): boolean => {
    if (session === null || !records()) return false
    const now = sessions()?.get(session.tag)
    if (now === undefined) return true
    // a host that does not answer cannot record its own problem
    const isOthers = type === "session.problem" && now.link !== "live"
    return now.status.recordProblem == null && now.link !== "foreign" && !isOthers
  }

  /** Whether the life's host is gone, by the feed. */
  const isGone = ({ since, tag, until }: Pick<Life, "since" | "tag" | "until">, at: number): boolean => {
    const all = sessions()
    if (all === null || until !== null) return false
    const session = all.get(tag)
    const key = lifeKey({ since, tag })
    const startedAt = session === undefined ? -Infinity : Date.parse(session.status.startedAt)
    if (!(startedAt > since || (startedAt === since && session?.link === "ended"))) {
      gone.delete(key)
      return false
    }
    const first = gone.get(key) ?? at
    gone.set(key, first)
    return at >= first + goneGrace
  }

  const knownRows = (at: number): ReadonlyMap<string, RowsKnown> => {
    const known = new Map<string, RowsKnown>()
    for (const [key, { dialog, ended, interval, note, turn }] of cursors) {
      const life = lives.get(key)
      const isStill =
        life !== undefined &&
        (ended || (life.wakeAt === null && !gone.has(key) && !isGone(life, at) && at - life.seen > settled))
      const rows = { interval: Math.min(interval, dialog), turn, note }
      known.set(key, { ...rows, seen: isStill ? life.seen : null })
    }
    return known
  }

  /** The sessions' events that no longer wait, after a read of the record. */
  const release = (at: number): Array<OutEvent> => {
    const out: Array<OutEvent> = []
    const rest: Array<Waiting> = []
    for (const one of waiting) {
      const life = lives.get(one.key)
      const timeout = one.event.type === "session.needs" ? needsTimeout : recordTimeout
      const isOld = at - one.at >= timeout || !isRecorded(one.event)
      if (ofRows.has(one.event.type)) {
        if (life !== undefined && isRecorded(one.event)) seen.set(one.event.id, one)
        else if (isOld) out.push(one.event)
        else rest.push(one)
      } else if (isOld || (life !== undefined && life.seen >= Date.parse(one.event.timestamp))) out.push(one.event)
      else rest.push(one)
    }
    waiting = rest
    for (const [id, one] of seen) {
      const cursor = cursors.get(one.key)
      // the rows before the cursor have been sent
      if (cursor?.ended === true || isRecorded(one.event)) {
        if (at - one.at > seenFor || seen.size > mostSeen) seen.delete(id)
      } else {
        seen.delete(id)
        out.push(one.event)
      }
    }
    return out
  }

  const tell = (
    life: RecordedLife,
    now: number
  ): { readonly events: ReadonlyArray<OutEvent>; readonly key: string } => {
    const key = lifeKey(life)
    const known = cursors.get(key)
    const isOver = known?.ended === true
    const details = new Map([...seen.values(), ...waiting].map(({ event }) => [event.id, event]))
    const told = Recorded.eventsFrom(life, known ?? Recorded.atStart, {
      now,
      from: Math.max(from, now - maxAge),
      gone: isGone(life, now),
      seen: details
    })
    cursors.set(key, told.cursor)
    const { seen: written, since, tag, until } = life
    lives.set(key, { tag, since, seen: written, until, wakeAt: life.horizon === null ? told.wakeAt : now })
    for (const { id } of told.events) seen.delete(id)
    if (told.cursor.ended) gone.delete(key)
    return { events: isOver ? [] : told.events, key }
  }

  const look: Effect.Effect<Looked, StoreError> = Effect.gen(function* () {
    const changed = new Map<string, Recorded.Cursor | null>()
    const events: Array<OutEvent> = []
    for (let again = true; again;) {
      const now = yield* Clock.currentTimeMillis
      again = false
      for (const life of yield* store.after(Math.max(from, now - maxAge), knownRows(now))) {
        const was = JSON.stringify(cursors.get(lifeKey(life)))
        const { events: more, key } = tell(life, now)
        events.push(...more)
        const cursor = cursors.get(key) ?? null
        if (JSON.stringify(cursor) === was) continue
        changed.set(key, cursor)
        again ||= life.horizon !== null
      }
    }
    const now = yield* Clock.currentTimeMillis
    for (const [key, { ended }] of cursors) {
      const since = Number(key.slice(key.lastIndexOf(" ") + 1))
      const last = lives.get(key)?.seen ?? since
      if (!ended || now - last < remembered) continue
      cursors.delete(key)
      lives.delete(key)
      changed.set(key, null)
    }
    events.push(...release(now))
    return { events: events.sort((a, b) => a.timestamp.localeCompare(b.timestamp)), cursors: changed }
  })

  return {
    look,
    lookAside: Effect.map(Clock.currentTimeMillis, (now) => release(now)),
    /** Takes a running session's events, and returns those to send immediately. */
    take: (events: ReadonlyArray<OutEvent>, at: number): ReadonlyArray<OutEvent> =>
      events.filter((event) => {
        const key = keyOf(event)
        if (key === null || !isRecorded(event)) return true
        waiting = [...waiting.slice(1 - mostWaiting), { event, key, at }]
        return false
      }),
    isWaiting: (at: number): boolean =>
      waiting.length > 0 ||
      gone.size > 0 ||
      [...seen.values()].some((one) => at - one.at < soon) ||
      [...lives.values()].some(({ wakeAt }) => wakeAt !== null)
  }
})
