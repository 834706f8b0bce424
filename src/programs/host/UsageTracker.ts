import { Clock, Context, Effect, FiberMap, Latch, Layer, Option, type Scope, Stream, SubscriptionRef } from "effect"
import { noTurnCost, spentInTurn, turnBegun, usageOf } from "../../domain/cli/usage/usageOf.ts"
import type { PriceTable } from "../../domain/cli/usage/Prices.ts"
import { partIdOf, seeksParts } from "../../domain/cli/usage/sessionParts.ts"
import { jsonOf, parseJson } from "../../domain/words/formats/Json.ts"
import type { SessionParts } from "../../domain/cli/usage/UsageReader.ts"
import * as UsageState from "../../domain/cli/usage/UsageState.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { FileTail } from "../../services/FileTail.ts"
import type { HookDelivery } from "../../services/HookInbox.ts"
import { Prices } from "../../services/Prices.ts"
import { CliCommand, transcriptPathOf } from "./CliCommand.ts"
import { StatusPublisher } from "./StatusPublisher.ts"
import { noUsageView, type UsageView } from "./sessionStatus.ts"
import { whenever } from "./waits.ts"

/**
 * Adds up a session's usage from its hooks and its transcript. It first reads the end of a long transcript, then all of
 * it in the background, and follows its growth. Sums are published only for the whole. Nothing waits for it.
 */
export class UsageTracker extends Context.Service<
  UsageTracker,
  {
    readonly view: () => UsageView
    /** The current figures, then each change, even if the status does not show it. */
    readonly views: Stream.Stream<UsageView>
    /** Takes a hook of the session itself; those of a nested CLI are ignored. */
    readonly onHook: (hook: Pick<HookDelivery, "event" | "nested" | "payload">) => void
    /** Publishes at once, for the session's end. */
    readonly flush: Effect.Effect<void>
    readonly follow: Effect.Effect<void, never, Scope.Scope>
  }
>()("leap/programs/host/UsageTracker") {}

/** A subagent's share, from its transcript. `id`: its name in the session's own transcript. */
interface Part {
  readonly id: string
  readonly state: UsageState.UsageState
  readonly whole: boolean
}

/** The status shows changes at most this often; `views` gives each at once. */
const pace = "1 second"
/** Milliseconds after which prices, and the source of the context window, are read again. */
const refreshAfter = 60_000
/** The interval of searches for subagents' files after activity. */
const partsAgain = "2 seconds"
const unread = "the transcripts of its subagents are not read to their end yet"
/** The bytes at a long transcript's end to read first: they hold the current size of the context. */
const tailBytes = 512 << 10
const asideLimit = 8 << 20

const make = Effect.gen(function* () {
  const provider = yield* CLIProvider
  const { env } = yield* CliCommand
  const publisher = yield* StatusPublisher
  const tail = yield* FileTail
  const prices = yield* Prices
  const reader = provider.usage
  const changed = yield* Latch.make(false)
  const measured = yield* Latch.make(false)
  let fromHooks = UsageState.start
  let fromTranscript = UsageState.start
  let isWhole = false
  /** The usage of subagents, by transcript. */
  let parts = new Map<string, Part>()
  const active = yield* Latch.make(false)
  let hasJoined = false
  const published = yield* SubscriptionRef.make(noUsageView)
  let turn = noTurnCost
  let table: PriceTable = new Map()
  let aside: unknown = null
  let refreshedAt: number | null = null

  const measure = Effect.suspend(() => {
    const known = {
      reported: fromHooks,
      transcript: fromTranscript,
      whole: isWhole,
      partNames: [...parts].map(([path, { id }]) => (id === "" ? path.slice(path.lastIndexOf("/") + 1) : id)),
      parts: [...parts.values()].map(({ state, whole }) => (whole ? state : { ...state, uncounted: unread }))
    }
    const usage = usageOf(reader, known, table, aside)
    const before = SubscriptionRef.getUnsafe(published).usage.cost?.usd ?? null
    turn = turnBegun(turn, publisher.memory().tracker.facts.turnStartedAt, before)
    const view: UsageView = {
      usage,
      promptAt: fromTranscript.prompt?.at ?? null,
      responseAt: fromTranscript.response?.at ?? null,
      turnUsd: spentInTurn(turn, usage.cost?.usd ?? null)
    }
    measured.openUnsafe()
    return SubscriptionRef.set(published, view)
  })
  const show = Effect.suspend(() => publisher.update({ usage: SubscriptionRef.getUnsafe(published) }))
  const fold = (state: UsageState.UsageState, lines: ReadonlyArray<string>): UsageState.UsageState => {
    let next = state
    for (const line of lines) {
      const record = parseJson(line)
      if (Option.isSome(record)) next = reader.record(record.value).reduce(UsageState.fold, next)
    }
    return next
  }
  const setTranscript = (state: UsageState.UsageState, complete: boolean): void => {
    fromTranscript = state
    isWhole = complete
    changed.openUnsafe()
  }

  const readParts = (given: SessionParts) =>
    Effect.gen(function* () {
      const { directories, idOf, mayBe } = given
      const fibers = yield* FiberMap.make<string>()
      const seen = new Set<string>()
      const idIn = ([first]: ReadonlyArray<string>) => partIdOf(given, first === undefined ? undefined : jsonOf(first))
      const readPart = (path: string) =>
        tail.read(path).pipe(
          Stream.takeWhile((piece) => {
            const known = parts.get(path)
            const id = known?.id ?? idIn(piece.lines)
            if (id === undefined || id === null) return id === undefined
            const from = piece.restarted || known === undefined ? UsageState.start : known.state
            parts.set(path, { id, state: fold(from, piece.lines), whole: piece.atEnd })
            active.openUnsafe()
            changed.openUnsafe()
            return true
          }),
          Stream.runDrain
        )
      const isSought = (): boolean => {
        const found = new Set([...parts.values()].map(({ id }) => id))
        return seeksParts(given, [fromTranscript, ...[...parts.values()].map(({ state }) => state)], found)
      }
      const look = Effect.gen(function* () {
        if (!isSought()) return
        for (const directory of directories(yield* Clock.currentTimeMillis))
          for (const path of yield* tail.within(directory, ".jsonl"))
            if (!seen.has(path) && mayBe?.(path) !== false) {
              seen.add(path)
              if (idOf === undefined) parts.set(path, { id: "", state: UsageState.start, whole: false })
              yield* FiberMap.run(fibers, path, readPart(path))
            }
      })
      for (;;) {
        yield* look
        yield* active.await
        yield* active.close
        yield* look
        // a started subagent creates its file a moment later
        yield* Effect.sleep(partsAgain)
      }
    }).pipe(Effect.scoped)

  const readTranscript = (path: string): Effect.Effect<void> =>
    Effect.gen(function* () {
      const { startedAt } = yield* SubscriptionRef.get(publisher.status)
      const joinedAt = hasJoined ? yield* Clock.currentTimeMillis : Date.parse(startedAt)
      if (hasJoined) fromHooks = UsageState.joinedAnother(fromHooks)
      hasJoined = true
      const begun = UsageState.startAt(joinedAt)
      parts = new Map()
      setTranscript(begun, false)
      const end = yield* tail.last(path, tailBytes)
      if (end.length > 0) setTranscript(fold(begun, end), false)
      let state = begun
      let complete = false
      let found: SessionParts | null = null
      yield* Stream.runForEach(tail.read(path), (piece) =>
        Effect.gen(function* () {
          const [first] = piece.lines
          if (piece.restarted && found === null && reader.parts !== undefined) {
            const record = first === undefined ? undefined : Option.getOrUndefined(parseJson(first))
            found = reader.parts(path, record)
            if (found !== null) yield* Effect.forkScoped(readParts(found))
          }
          active.openUnsafe()
          state = fold(piece.restarted ? begun : state, piece.lines)
          complete = piece.atEnd || (complete && !piece.restarted)
          if (complete) setTranscript(state, true)
        })
      )
    }).pipe(Effect.scoped)

  const readAside = Effect.gen(function* () {
    const text = reader.aside === null ? null : yield* tail.document(reader.aside(env), asideLimit)
    return text === null ? null : jsonOf(text)
  })

  const measureNews = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (refreshedAt === null || now - refreshedAt > refreshAfter) {
      table = (yield* prices.read).table
      // The file may be large, and is needed only if no hook names the window.
      if (fromHooks.window === null) aside = yield* readAside
      refreshedAt = now
    }
    yield* measure
  })
  /** The next attempt is at the next news. */
  const attempted = Effect.catchDefect((defect) =>
    Effect.andThen(Effect.logWarning("what the session uses could not be read or shown", defect), Effect.sleep(pace))
  )
  const follow = Effect.gen(function* () {
    yield* SubscriptionRef.changes(publisher.status).pipe(
      Stream.map((status) => transcriptPathOf(provider, env, status)),
      Stream.changes,
      Stream.switchMap((path) => (path === null ? Stream.empty : Stream.fromEffect(attempted(readTranscript(path))))),
      Stream.runDrain,
      Effect.forkScoped
    )
    yield* whenever(changed, attempted(measureNews))
    yield* whenever(measured, attempted(Effect.andThen(show, Effect.sleep(pace))))
  })

  return UsageTracker.of({
    view: () => SubscriptionRef.getUnsafe(published),
    views: SubscriptionRef.changes(published),
    onHook: ({ event, nested, payload }) => {
      if (nested) return
      active.openUnsafe()
      const facts = reader.hook(event, payload)
      if (facts.length === 0) return
      fromHooks = facts.reduce(UsageState.fold, fromHooks)
      changed.openUnsafe()
    },
    flush: Effect.andThen(measure, show),
    follow
  })
})

export const layer = Layer.effect(UsageTracker, make)
