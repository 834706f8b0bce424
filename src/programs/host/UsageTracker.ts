import {
  Cause,
  Clock,
  Context,
  Effect,
  Latch,
  Layer,
  Option,
  Schema,
  type Scope,
  Stream,
  SubscriptionRef
} from "effect"
import { noTurnCost, spentInTurn, turnBegun } from "../../domain/usage/TurnCost.ts"
import type { PriceTable } from "../../domain/usage/Prices.ts"
import * as UsageState from "../../domain/usage/UsageState.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { FileTail } from "../../services/FileTail.ts"
import type { HookDelivery } from "../../services/HookInbox.ts"
import { Prices } from "../../services/Prices.ts"
import { CliCommand } from "./CliCommand.ts"
import { StatusPublisher } from "./StatusPublisher.ts"
import { transcriptPathOf } from "./transcriptPath.ts"
import { noUsageView, type UsageView } from "./usageView.ts"

/**
 * Adds up what a session uses, from its hooks and from its transcript: the end of a long one first, then all of it from
 * its beginning, in the background, and on as it grows. Sums are published only of the whole. Nothing waits for it.
 */
export class UsageTracker extends Context.Service<
  UsageTracker,
  {
    /** The figures that were published last. */
    readonly view: () => UsageView
    /** Takes a hook of the session itself; a nested CLI's is no concern of the session. */
    readonly onHook: (hook: Pick<HookDelivery, "event" | "nested" | "payload">) => void
    /** Publishes at once what is known: at the session's end there is no time to wait for the pace. */
    readonly flush: Effect.Effect<void>
    /** Reads the session's transcripts and publishes figures until the scope ends. */
    readonly follow: Effect.Effect<void, never, Scope.Scope>
  }
>()("leap/programs/host/UsageTracker") {}

const decodeLine = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Published figures change at most this often. */
const pace = "1 second"
/** Milliseconds after which prices, and what helps to tell a context window, are read again. */
const refreshAfter = 60_000
/** Of a long transcript this much of its end is read first: the present size of the context is written there. */
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
  let fromHooks = UsageState.start
  let fromTranscript = UsageState.start
  let isWhole = false
  let view = noUsageView
  let turn = noTurnCost
  let table: PriceTable = new Map()
  let aside: unknown = null
  let refreshedAt: number | null = null

  /** Computes the figures from what is known now, and publishes them. */
  const publish = Effect.suspend(() => {
    const known = { reported: fromHooks, transcript: fromTranscript, whole: isWhole }
    const usage = UsageState.usageOf(reader, known, table, aside)
    turn = turnBegun(turn, publisher.memory().tracker.facts.turnStartedAt, view.usage.cost?.usd ?? null)
    view = {
      usage,
      promptAt: fromTranscript.prompt?.at ?? null,
      responseAt: fromTranscript.response?.at ?? null,
      turnUsd: spentInTurn(turn, usage.cost?.usd ?? null)
    }
    return publisher.update({ usage: view })
  })
  const fold = (state: UsageState.UsageState, lines: ReadonlyArray<string>): UsageState.UsageState => {
    let next = state
    for (const line of lines) {
      const record = decodeLine(line)
      if (Option.isSome(record)) next = reader.record(record.value).reduce(UsageState.fold, next)
    }
    return next
  }
  const setTranscript = (state: UsageState.UsageState, complete: boolean): void => {
    fromTranscript = state
    isWhole = complete
    changed.openUnsafe()
  }

  /** Reads one transcript until the session has another one. */
  const readTranscript = (path: string): Effect.Effect<void> =>
    Effect.gen(function* () {
      setTranscript(UsageState.start, false)
      const end = yield* tail.last(path, tailBytes)
      if (end.length > 0) setTranscript(fold(UsageState.start, end), false)
      let state = UsageState.start
      let complete = false
      yield* Stream.runForEach(tail.read(path), (piece) =>
        Effect.sync(() => {
          state = fold(piece.restarted ? UsageState.start : state, piece.lines)
          complete = piece.atEnd || (complete && !piece.restarted)
          if (complete) setTranscript(state, true)
        })
      )
    })

  const readAside = Effect.gen(function* () {
    const text = reader.aside === null ? null : yield* tail.document(reader.aside(env), asideLimit)
    return text === null ? null : Option.getOrNull(decodeLine(text))
  })

  const publishNext = Effect.gen(function* () {
    yield* changed.await
    yield* changed.close
    const now = yield* Clock.currentTimeMillis
    if (refreshedAt === null || now - refreshedAt > refreshAfter) {
      table = (yield* prices.read).table
      // It may be large, and is of use only where no hook names the window.
      if (fromHooks.window === null) aside = yield* readAside
      refreshedAt = now
    }
    yield* publish
    yield* Effect.sleep(pace)
  })

  const follow = Effect.gen(function* () {
    yield* SubscriptionRef.changes(publisher.status).pipe(
      Stream.map((status) => transcriptPathOf(provider, env, status)),
      Stream.changes,
      Stream.switchMap((path) => (path === null ? Stream.empty : Stream.fromEffect(readTranscript(path)))),
      Stream.runDrain,
      Effect.forkScoped
    )
    yield* publishNext.pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.andThen(Effect.logWarning("what the session uses could not be shown", cause), Effect.sleep(pace))
      ),
      Effect.forever,
      Effect.forkScoped
    )
  })

  return UsageTracker.of({
    view: () => view,
    onHook: ({ event, nested, payload }) => {
      if (nested) return
      const facts = reader.hook(event, payload)
      if (facts.length === 0) return
      fromHooks = facts.reduce(UsageState.fold, fromHooks)
      changed.openUnsafe()
    },
    flush: publish,
    follow
  })
})

export const layer = Layer.effect(UsageTracker, make)
