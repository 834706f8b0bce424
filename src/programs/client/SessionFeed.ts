import { Context, Effect, FiberMap, Latch, Layer, Option, Semaphore, Stream } from "effect"
import type { FeedEvent, FeedSession, FeedSessions } from "../../domain/words/session/Feed.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { DirectoryWatch } from "../../services/DirectoryWatch.ts"
import { Paths } from "../../services/Paths.ts"
import { writtenStatus } from "./statuses.ts"
import { followSession } from "./followSession.ts"

/** All the user's sessions, with one subscription to each host. A failing host does not delay the others. */
export class SessionFeed extends Context.Service<
  SessionFeed,
  {
    readonly sessions: Effect.Effect<FeedSessions>
    /** A snapshot, then each change. A reader that falls far behind gets a new snapshot, which bounds its memory. */
    readonly events: Stream.Stream<FeedEvent>
  }
>()("leap/programs/client/SessionFeed") {}

const lagMost = 10_000
/** A notification about the directory may get lost, so it is also read after this time. */
const lookAgain = "1 minute"
/** Hosts asked at once for the first time: to show the written statuses meanwhile needs the processor, too. */
const askedAtOnce = 8
/** A host that has said nothing within this time lets the next one be asked. */
const turnTime = "100 millis"

interface Reader {
  pending: Array<FeedEvent>
  readonly latch: Latch.Latch
}

const make = Effect.gen(function* () {
  const paths = yield* Paths
  const known = new Map<string, FeedSession>()
  const readers = new Set<Reader>()

  const snapshot = (): FeedEvent => ({ _tag: "Snapshot", sessions: [...known.values()] })
  const tell = (event: FeedEvent): void => {
    for (const reader of readers) {
      if (reader.pending.length >= lagMost) reader.pending = [snapshot()]
      else reader.pending.push(event)
      reader.latch.openUnsafe()
    }
  }
  const changed = (session: FeedSession): void => {
    known.set(session.status.tag, session)
    tell({ _tag: "Changed", session })
  }
  const gone = (tag: string): void => {
    if (known.delete(tag)) tell({ _tag: "Gone", tag })
  }

  const join = Effect.fnUntraced(function* (tag: Tag) {
    const written = yield* writtenStatus(tag)
    if (Option.isSome(written)) changed({ link: "joining", status: { ...written.value, tag } })
  })

  const turns = yield* Semaphore.make(askedAtOnce)
  /** Follows a session as soon as it is its turn. */
  const follow = Effect.fnUntraced(function* (tag: Tag) {
    const [isNext, hasSpoken] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
    yield* isNext.open.pipe(
      Effect.andThen(Effect.timeoutOption(hasSpoken.await, turnTime)),
      turns.withPermits(1),
      Effect.forkChild
    )
    yield* isNext.await
    return yield* followSession(tag, ({ link, status }) => {
      hasSpoken.openUnsafe()
      // the session is known by its directory's name, whatever its host reports
      changed({ link, status: { ...status, tag } })
    })
  })

  const fibers = yield* FiberMap.make<Tag>()
  const followed = new Set<Tag>()
  const followAll = Effect.fnUntraced(function* (tags: ReadonlyArray<Tag>) {
    const present = new Set(tags)
    for (const tag of followed) {
      if (present.has(tag)) continue
      followed.delete(tag)
      yield* FiberMap.remove(fibers, tag)
      gone(tag)
    }
    const added = tags.filter((tag) => !followed.has(tag))
    for (const tag of added) {
      followed.add(tag)
      yield* join(tag)
    }
    for (const tag of added) yield* FiberMap.run(fibers, tag, follow(tag))
  })

  // the first snapshot is complete, from the hosts' last written statuses
  const directory = yield* (yield* DirectoryWatch).watch(paths.sessions)
  yield* followAll(yield* paths.tags)
  yield* Effect.gen(function* () {
    for (;;) {
      yield* directory.changed(lookAgain)
      yield* followAll(yield* paths.tags)
    }
  }).pipe(Effect.forkScoped)

  const events = Stream.unwrap(
    Effect.gen(function* () {
      const reader = yield* Effect.acquireRelease(
        Effect.sync((): Reader => {
          const reader: Reader = { pending: [snapshot()], latch: Latch.makeUnsafe(true) }
          readers.add(reader)
          return reader
        }),
        (reader) => Effect.sync(() => void readers.delete(reader))
      )
      return Stream.fromIterableEffectRepeat(
        Effect.andThen(
          reader.latch.await,
          Effect.sync(() => {
            const { pending } = reader
            reader.pending = []
            reader.latch.closeUnsafe()
            return pending
          })
        )
      )
    })
  )
  return SessionFeed.of({ sessions: Effect.sync(() => new Map(known)), events })
})

/** Follows all sessions while the layer lives. */
export const layer = Layer.effect(SessionFeed, make)
