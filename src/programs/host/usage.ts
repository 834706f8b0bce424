import { Cause, Clock, Effect, Latch, Option, Schema, Stream, SubscriptionRef } from "effect"
import type { Facts } from "../../domain/Facts.ts"
import type { SessionStatus } from "../../domain/Session.ts"
import { percentOf } from "../../domain/usage/Percent.ts"
import type { PriceTable } from "../../domain/usage/Prices.ts"
import { type Usage, unknownUsage } from "../../domain/usage/Usage.ts"
import * as UsageState from "../../domain/usage/UsageState.ts"
import type { ProviderRecord } from "../../services/CLIProvider.ts"
import { FileTail } from "../../services/FileTail.ts"
import type { HookDelivery } from "../../services/HookInbox.ts"
import { Prices } from "../../services/Prices.ts"
import type { Runtime } from "./runtime.ts"

const decodeLine = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Shown figures change at most this often. */
const pace = "1 second"
/** Prices, and what helps to tell a window, are looked at again after this. */
const lookAgain = 60_000
/** Of a long transcript this much of its end is read first: what the context is stands there. */
const tailBytes = 512 << 10
const asideLimit = 8 << 20

/** Where a session's transcript is, as far as it is known. */
export const transcriptOf = (
  provider: ProviderRecord,
  env: Readonly<Record<string, string>>,
  { sessionId, transcriptPath }: Pick<SessionStatus, "sessionId" | "transcriptPath">
): string | null => transcriptPath ?? (sessionId === null || provider.transcript === undefined ? null : provider.transcript(env, sessionId))

export interface Shown {
  readonly usage: Usage
  /** When the transcript's last prompt and last answer were written. */
  readonly promptAt: number | null
  readonly responseAt: number | null
}

export const nothingShown: Shown = { usage: unknownUsage, promptAt: null, responseAt: null }

/** A transcript tells of a prompt a little after the hook did; what is later than this is another one. */
const slack = 5_000

/** What the status says of usage. The last words are the hooks' own where those are the newer ones. */
export const usageFields = (
  { promptAt, responseAt, usage }: Shown,
  facts: Pick<Facts, "lastPrompt" | "lastResponse" | "turnEndedAt" | "turnStartedAt">
): Pick<SessionStatus, "context" | "cost" | "lastMessage" | "lastResponse"> => {
  const newer = (at: number | null, heard: number | null): boolean => at !== null && heard !== null && at > heard
  const { contextTokens, cost, lastPrompt, lastResponse, window } = usage
  return {
    context: contextTokens === null ? null : { usedTokens: contextTokens, window, percent: percentOf(contextTokens, window) },
    cost,
    lastMessage: facts.lastPrompt === null || lastPrompt !== null && facts.turnStartedAt !== null && newer(promptAt, facts.turnStartedAt + slack)
      ? lastPrompt
      : facts.lastPrompt,
    lastResponse: facts.lastResponse === null || lastResponse !== null && newer(responseAt, facts.turnEndedAt) ? lastResponse : facts.lastResponse
  }
}

/**
 * Adds up what a session uses, from its hooks and from its transcript: the end of a long one first, then all of it from its
 * beginning, in the background, and on as it grows. Sums are shown only of the whole. Nothing waits for it.
 */
export const makeUsage = Effect.fn("makeUsage")(function*(provider: ProviderRecord) {
  const reader = provider.usage
  const tail = yield* FileTail
  const prices = yield* Prices
  const changed = yield* Latch.make(false)
  let told = UsageState.start
  let written = UsageState.start
  let whole = false
  let shown = nothingShown
  let table: PriceTable = new Map()
  let aside: unknown = null
  let lookedAt: number | null = null

  /** What is known now. */
  const render = (): void => {
    const usage = UsageState.usageOf(reader, { told, written, whole }, table, aside)
    shown = { usage, promptAt: written.prompt?.at ?? null, responseAt: written.response?.at ?? null }
  }
  const take = (state: UsageState.UsageState, lines: ReadonlyArray<string>): UsageState.UsageState => {
    let next = state
    for (const line of lines) {
      const record = decodeLine(line)
      if (Option.isSome(record)) next = reader.record(record.value).reduce(UsageState.fold, next)
    }
    return next
  }
  const show = (state: UsageState.UsageState, complete: boolean): void => {
    written = state
    whole = complete
    changed.openUnsafe()
  }

  /** Follows one transcript until it is another one's turn. */
  const read = (path: string): Effect.Effect<void> =>
    Effect.gen(function*() {
      show(UsageState.start, false)
      const end = yield* tail.last(path, tailBytes)
      if (end.length > 0) show(take(UsageState.start, end), false)
      let state = UsageState.start
      let complete = false
      yield* Stream.runForEach(tail.read(path), (piece) =>
        Effect.sync(() => {
          state = take(piece.anew ? UsageState.start : state, piece.lines)
          complete = piece.atEnd || complete && !piece.anew
          if (complete) show(state, true)
        }))
    })

  const asideOf = Effect.fnUntraced(function*(env: Readonly<Record<string, string>>) {
    const text = reader.aside === null ? null : yield* tail.document(reader.aside(env), asideLimit)
    return text === null ? null : Option.getOrNull(decodeLine(text))
  })

  /** Owned by the scope. */
  const follow = Effect.fnUntraced(function*(runtime: Runtime, env: Readonly<Record<string, string>>) {
    yield* SubscriptionRef.changes(runtime.status).pipe(
      Stream.map((status) => transcriptOf(provider, env, status)),
      Stream.changes,
      Stream.switchMap((path) => path === null ? Stream.empty : Stream.fromEffect(read(path))),
      Stream.runDrain,
      Effect.forkScoped
    )
    const publish = Effect.gen(function*() {
      yield* changed.await
      yield* changed.close
      const now = yield* Clock.currentTimeMillis
      if (lookedAt === null || now - lookedAt > lookAgain) {
        table = (yield* prices.read).table
        // it need not be small, and helps only where nothing else tells
        if (told.window === null) aside = yield* asideOf(env)
        lookedAt = now
      }
      render()
      yield* runtime.refresh
      yield* Effect.sleep(pace)
    })
    yield* publish.pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.andThen(Effect.logWarning("what the session uses could not be shown", cause), Effect.sleep(pace))
      ),
      Effect.forever,
      Effect.forkScoped
    )
  })

  return {
    shown: () => shown,
    /** A hook of the session itself; a nested CLI's is none of its business. */
    hear: ({ event, nested, payload }: Pick<HookDelivery, "event" | "nested" | "payload">): void => {
      if (nested) return
      const facts = reader.hook(event, payload)
      if (facts.length === 0) return
      told = facts.reduce(UsageState.fold, told)
      changed.openUnsafe()
    },
    /** Shows at once what is known: the session's last word waits for no pace. */
    flush: Effect.sync(render),
    follow
  }
})
