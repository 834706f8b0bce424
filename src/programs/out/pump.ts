import { Clock, Effect, Latch, Schedule, Stream, SubscriptionRef } from "effect"
import { missed, readFrom } from "../../domain/out/missed.ts"
import type { OutEvent } from "../../domain/out/OutEvent.ts"
import * as OutFold from "../../domain/out/outFold.ts"
import type { SessionMemory } from "../../domain/out/SessionMemory.ts"
import type { FeedEvent, FeedSession } from "../../domain/session/Feed.ts"
import type { OpenOutJournal } from "../../services/OutJournal.ts"
import { RecordStore } from "../../services/RecordStore.ts"
import { SessionFeed } from "../client/SessionFeed.ts"
import { sleepUntil } from "../host/sleepUntil.ts"

/** What happens together is written together. */
const pace = "200 millis"
/** Events that are not written down yet are no more than these. */
const mostPending = 10_000
/** Between attempts to write, where the disk does not take it. */
const writeAgain = "5 seconds"
/** The record is read no further back, in milliseconds, and of each kind no more is read. */
const longest = 7 * 86_400_000
const mostMissed = 5_000

const recordLag = "500 millis"

/** What happened while no `leap out` ran, as far as the record tells, goes before what happens now. */
const catchUp = Effect.fnUntraced(function* (
  journal: OpenOutJournal,
  sessions: ReadonlyMap<string, SessionMemory>,
  seenAt: number,
  keptMs: number
) {
  const from = readFrom(sessions.values(), seenAt, longest)
  // what hosts have just seen they write a moment later
  yield* Effect.sleep(recordLag)
  const source = yield* (yield* RecordStore)
    .log({ tag: null, from, limit: mostMissed })
    .pipe(Effect.retry({ while: ({ kind }) => kind === "busy", times: 5, schedule: Schedule.spaced("1 second") }))
  const at = yield* Clock.currentTimeMillis
  yield* journal.append({ events: missed(source, seenAt), memories: new Map(), at }, keptMs)
})

/**
 * Writes what the feed of all sessions tells into the journal, after what the record has of the time before. `written`
 * is run when there is something new in it. Gives what is remembered of the sessions, as it is now.
 */
export const pump = Effect.fn("out.pump")(function* (
  journal: OpenOutJournal,
  keptMs: () => number,
  written: Effect.Effect<void>
) {
  const feed = yield* SessionFeed
  const clock = yield* Clock.Clock
  const before = yield* journal.remembered
  const memories = new Map(before.sessions)
  const isFirst = before.seenAt === null
  if (before.seenAt !== null)
    yield* Effect.catchTag(catchUp(journal, before.sessions, before.seenAt, keptMs()), "RecordStoreError", (error) =>
      Effect.logWarning(`${error.message}: what happened while no 'leap out' ran is not told`)
    )
  /** Those that were there when events were told for the first time. */
  const there = new Set<string>()

  let events: Array<OutEvent> = []
  let changed = new Map<string, SessionMemory | null>()
  const filled = yield* Latch.make(isFirst)
  const wish = yield* SubscriptionRef.make<number | null>(null)
  const put = (more: ReadonlyArray<OutEvent>): void => {
    events.push(...more)
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
        forget(event.tag)
        break
    }
  }
  const nextWake = Effect.suspend(() => {
    const times = [...memories.values()].flatMap((memory) => OutFold.wakeAt(memory) ?? [])
    return SubscriptionRef.set(wish, times.length === 0 ? null : Math.min(...times))
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
  yield* SubscriptionRef.changes(wish).pipe(
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

  let told = false
  const write = Effect.gen(function* () {
    const batch = { events, memories: changed, at: clock.currentTimeMillisUnsafe() }
    events = []
    changed = new Map()
    const added = yield* journal.append(batch, keptMs()).pipe(
      Effect.tapError(() =>
        Effect.sync(() => {
          const all = [...batch.events, ...events]
          events = all.slice(-mostPending)
          changed = new Map([...batch.memories, ...changed])
          filled.openUnsafe()
        })
      )
    )
    if (told) yield* Effect.logInfo("events are written down again")
    told = false
    if (added > 0) yield* written
  }).pipe(
    Effect.catch((error) =>
      Effect.gen(function* () {
        if (!told) yield* Effect.logWarning(`${error.message}: events wait in memory until it can be written`)
        told = true
        yield* Effect.sleep(writeAgain)
      })
    )
  )
  yield* Effect.gen(function* () {
    yield* filled.await
    yield* filled.close
    yield* Effect.sleep(pace)
    yield* write
  }).pipe(Effect.forever, Effect.forkScoped)
  yield* Effect.addFinalizer(() => write)
  const known: ReadonlyMap<string, SessionMemory> = memories
  return { memories: known }
})
