import { Clock, Effect, Latch, Option, Ref, Stream, SubscriptionRef, DateTime, Random } from "effect"
import { type OutEvent, droppedEvent, type OutEntry } from "../../domain/surfaces/outgoing/OutEvent.ts"
import * as OutFold from "../../domain/surfaces/outgoing/outFold.ts"
import type { Cursor } from "../../domain/surfaces/outgoing/recorded.ts"
import type { SessionMemory } from "../../domain/surfaces/outgoing/SessionMemory.ts"
import type { FeedEvent, FeedSession } from "../../domain/words/session/Feed.ts"
import type { OpenOutJournal } from "../../services/OutJournal.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { SessionFeed } from "../client/SessionFeed.ts"
import { sleepUntil } from "../host/waits.ts"
import { makeRecordSender } from "./recordSender.ts"
import { delayAfter, type DeliveryResult } from "../../domain/surfaces/outgoing/deliveryResult.ts"

/** Events within this time are written together; hosts write to the record a moment later. */
const pace = "200 millis"
/** Between reads of the record while events wait for it. */
const lookAgain = "500 millis"
/** The record is read after this time without any event of a session. */
const lookAnyway = "15 seconds"
/** The most events that are not written yet. */
const mostPending = 10_000
const writeAgain = "5 seconds"

/**
 * Writes the events of all sessions into the journal: each row of the record once, and the events that only the feed
 * reports. The cursors into the record are written in the same transaction as the events, so that a kill at any moment
 * neither loses nor repeats any. `written` runs after new events. Returns the current memory of the sessions.
 */
export const pump = Effect.fn("out.pump")(function* (
  journal: OpenOutJournal,
  keptMs: () => number,
  written: Effect.Effect<void>
) {
  const feed = yield* SessionFeed
  const clock = yield* Clock.Clock
  const settings = yield* UserSettings
  const records = yield* Ref.make((yield* settings.read).settings.record !== "off")
  yield* (yield* settings.changes).pipe(
    Stream.runForEach((now) => Ref.set(records, now.settings.record !== "off")),
    Effect.forkScoped
  )
  const before = yield* journal.remembered(clock.currentTimeMillisUnsafe())
  const memories = new Map(before.sessions)
  const isFirst = before.isNew
  let sessions: Map<string, FeedSession> | null = null
  const teller = yield* makeRecordSender(
    before.from,
    before.cursors,
    () => sessions,
    () => Ref.getUnsafe(records)
  )
  /** The sessions that existed when the journal was created. */
  const there = new Set<string>()

  let events: Array<OutEvent> = []
  let changed = new Map<string, SessionMemory | null>()
  let cursors = new Map<string, Cursor | null>()
  const filled = yield* Latch.make(isFirst)
  const wakeUp = yield* SubscriptionRef.make<number | null>(null)
  const put = (more: ReadonlyArray<OutEvent>): void => {
    events.push(...teller.take(more, clock.currentTimeMillisUnsafe()))
    filled.openUnsafe()
  }
  const remember = (tag: string, folded: OutFold.Folded): void => {
    const known = memories.get(tag)
    if (folded.events.length === 0 && JSON.stringify(known) === JSON.stringify(folded.memory)) return
    memories.set(tag, folded.memory)
    changed.set(tag, folded.memory)
    put(folded.events)
  }
  const onSession = (session: FeedSession): void => {
    const { tag } = session.status
    sessions?.set(tag, session)
    // the record may have new rows in any case
    filled.openUnsafe()
    const folded = OutFold.fold(memories.get(tag) ?? null, session, clock.currentTimeMillisUnsafe(), there.has(tag))
    if (folded !== null) remember(tag, folded)
  }
  const forget = (tag: string): void => {
    const known = memories.get(tag)
    if (known === undefined) return
    memories.delete(tag)
    changed.set(tag, null)
    put(OutFold.forgotten(known, clock.currentTimeMillisUnsafe()))
  }
  const onEvent = (event: FeedEvent): void => {
    switch (event._tag) {
      case "Snapshot": {
        sessions = new Map(event.sessions.map((session) => [session.status.tag, session]))
        const tags = new Set(event.sessions.map(({ status }) => status.tag))
        if (isFirst && memories.size === 0) for (const tag of tags) there.add(tag)
        for (const tag of memories.keys()) if (!tags.has(tag)) forget(tag)
        for (const session of event.sessions) onSession(session)
        break
      }
      case "Changed":
        onSession(event.session)
        break
      case "Gone":
        there.delete(event.tag)
        sessions?.delete(event.tag)
        forget(event.tag)
        break
    }
  }
  const nextWake = Effect.suspend(() => {
    const times = [...memories.values()].flatMap((memory) => OutFold.wakeAt(memory) ?? [])
    return SubscriptionRef.set(wakeUp, times.length === 0 ? null : Math.min(...times))
  })

  yield* feed.events.pipe(
    Stream.runForEach((event) =>
      Effect.andThen(
        Effect.sync(() => onEvent(event)),
        nextWake
      )
    ),
    Effect.forkScoped
  )
  yield* SubscriptionRef.changes(wakeUp).pipe(
    Stream.changes,
    Stream.switchMap((at) => (at === null ? Stream.empty : Stream.fromEffect(sleepUntil(at)))),
    Stream.runForEach(() =>
      Effect.suspend(() => {
        const at = clock.currentTimeMillisUnsafe()
        for (const [tag, memory] of memories) {
          const wakeAt = OutFold.wakeAt(memory)
          if (wakeAt !== null && wakeAt <= at) remember(tag, OutFold.tick(memory, at))
        }
        return nextWake
      })
    ),
    Effect.forkScoped
  )

  let isFailing = false
  let unread = false
  let begins = isFirst
  /** Reads new rows of the record; a failed read is repeated later. */
  const look = Effect.gen(function* () {
    const looked = yield* teller.look
    if (unread) yield* Effect.logInfo("the recorded events are sent again")
    unread = false
    events.push(...looked.events)
    for (const [life, cursor] of looked.cursors) cursors.set(life, cursor)
  }).pipe(
    Effect.catchTag("StoreError", (error) =>
      Effect.gen(function* () {
        if (!unread && error.reason !== "busy") {
          unread = true
          yield* Effect.logWarning(`${error.message}: what is recorded is told when it can be read`)
        }
        events.push(...(yield* teller.lookAside))
      })
    )
  )
  const write = Effect.gen(function* () {
    // while the journal cannot be written, the rows stay in the record
    if (!isFailing) yield* look
    if (!begins && events.length === 0 && changed.size === 0 && cursors.size === 0) return
    begins = false
    const batch = { events, memories: changed, cursors, at: clock.currentTimeMillisUnsafe() }
    events = []
    changed = new Map()
    cursors = new Map()
    const added = yield* journal.append(batch, keptMs()).pipe(
      Effect.tapError(() =>
        Effect.sync(() => {
          const all = [...batch.events, ...events]
          events = all.slice(-mostPending)
          changed = new Map([...batch.memories, ...changed])
          cursors = new Map([...batch.cursors, ...cursors])
          filled.openUnsafe()
        })
      )
    )
    if (isFailing) yield* Effect.logInfo("events are written down again")
    isFailing = false
    if (added > 0) yield* written
  }).pipe(
    Effect.catch((error) =>
      Effect.gen(function* () {
        if (!isFailing) yield* Effect.logWarning(`${error.message}: events wait in memory until it can be written`)
        isFailing = true
        yield* Effect.sleep(writeAgain)
      })
    )
  )
  yield* Effect.gen(function* () {
    const noticed = yield* Effect.timeoutOption(
      filled.await,
      teller.isWaiting(clock.currentTimeMillisUnsafe()) ? lookAgain : lookAnyway
    )
    yield* filled.close
    if (Option.isSome(noticed)) yield* Effect.sleep(pace)
    yield* write
  }).pipe(Effect.forever, Effect.forkScoped)
  yield* Effect.addFinalizer(() => write)
  const known: ReadonlyMap<string, SessionMemory> = memories
  return { memories: known }
})

export interface Receiver {
  readonly name: string
  readonly title: string
  /** One attempt, which ends within seconds. */
  readonly deliver: (entry: OutEntry) => Effect.Effect<DeliveryResult>
}

const journalAgain = "5 seconds"

/**
 * Delivers the journal's events to one receiver in order. Each waits until the previous one has arrived, was refused
 * for ever, or was given up. Ends when the receiver wants no more. `filled` completes when there may be new events;
 * `say` prints to the user.
 */
export const deliverEvents = Effect.fn("out.deliverEvents")(function* (
  journal: OpenOutJournal,
  { deliver, name, title }: Receiver,
  filled: Effect.Effect<void>,
  say: (line: string) => Effect.Effect<void>
) {
  let failures = 0
  let reported: string | null = null
  const once = Effect.gen(function* () {
    const next = yield* journal.next(name)
    if (next === null) {
      yield* filled
      return true
    }
    const { dropped, entry } = next
    const now = yield* Clock.currentTimeMillis
    const gap = entry.sequence - 1
    const sent: OutEntry =
      dropped === 0
        ? entry
        : { sequence: gap, event: droppedEvent(name, gap, dropped, DateTime.formatIso(DateTime.makeUnsafe(now))) }
    const verdict = yield* deliver(sent)
    switch (verdict._tag) {
      case "Delivered":
        if (dropped > 0) yield* say(`${title}: ${dropped} events were given up: it took none for too long`)
        yield* journal.passed(name, sent.sequence, dropped)
        if (reported !== null) yield* say(`${title}: it takes events again`)
        if (reported !== null || failures > 0) yield* journal.failing(name, null, now)
        reported = null
        failures = 0
        return true
      case "Refused":
        yield* say(`${title}: ${verdict.why}: event ${sent.event.id} was given up`)
        yield* journal.passed(name, sent.sequence, Math.max(1, dropped))
        return true
      case "Gone":
        yield* say(`${title}: ${verdict.why}: it is sent nothing more until 'leap out' is started again`)
        yield* journal.failing(name, `${verdict.why}: it wants no more events`, now)
        return false
      case "Again":
        failures++
        if (verdict.why !== reported) {
          reported = verdict.why
          yield* say(`${title}: ${verdict.why}; events wait until it takes them`)
          yield* journal.failing(name, verdict.why, now)
        }
        yield* Effect.sleep(delayAfter(failures, verdict.afterMs, yield* Random.next))
        return true
    }
  }).pipe(
    Effect.catchTag("StoreError", (error) =>
      Effect.as(Effect.andThen(say(`${title}: ${error.message}`), Effect.sleep(journalAgain)), true)
    )
  )
  // clears an earlier problem, which may be gone
  yield* Effect.ignore(journal.failing(name, null, 0))
  while (yield* once);
})
