import { Clock, Context, Effect, Layer, Semaphore, SubscriptionRef } from "effect"
import { lastTurn } from "../../domain/engine/delivery/lastTurn.ts"
import { queueWait, unwiredOf } from "../../domain/engine/machine/queueWait.ts"
import { type SessionMemory, viewOf } from "../../domain/engine/machine/SessionMachine.ts"
import type { QueueState } from "../../domain/engine/queue/Queue.ts"
import type { NotedWrite } from "../../domain/words/session/RecentWrites.ts"
import type { NeedName, SessionStatus } from "../../domain/words/session/Session.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { RestoredSession } from "./RestoredSession.ts"
import { SessionContext } from "./SessionContext.ts"
import { sessionStatus } from "./sessionStatus.ts"
import { noUsageView, type UsageView } from "./usageView.ts"

/** What the status says that the session's memory does not hold; each is reported by the part that knows it. */
export interface StatusDetails {
  /** The CLI's process; null before it was started. */
  readonly pid: number | null
  /** The number of viewers. */
  readonly attached: number
  readonly usage: UsageView
  /** Its process was stopped a moment ago, and is continued. */
  readonly wasStopped: boolean
  /** Its CLI ended otherwise than well, and nobody had meant it to. */
  readonly unexpectedEnd: boolean
  readonly cutOff: boolean
  /** See `SessionStatus.dismissed`. */
  readonly dismissed: ReadonlyArray<NeedName>
  /** Why notices do not get out; null where they do. */
  readonly notifyProblem: string | null
  /** Why what the session does is not recorded; null where it is. */
  readonly recordProblem: string | null
  /** What its directory's repository has checked out; null without one. */
  readonly branch: string | null
  /** What the CLI was about to write lately. */
  readonly writes: ReadonlyArray<NotedWrite>
}

/** Holds the session's status, the one that clients see and that everything in the host may follow. */
export class StatusPublisher extends Context.Service<
  StatusPublisher,
  {
    readonly status: SubscriptionRef.SubscriptionRef<SessionStatus>
    /** The memory that was published last. */
    readonly memory: () => SessionMemory
    /** Publishes what follows from this memory, if it differs from what is published. */
    readonly publish: (memory: SessionMemory) => Effect.Effect<void>
    /** Takes details in and publishes them. */
    readonly update: (details: Partial<StatusDetails>) => Effect.Effect<void>
    /** Publishes what only time has changed: a receipt that was shown long enough. */
    readonly refresh: Effect.Effect<void>
  }
>()("leap/programs/host/StatusPublisher") {}

const make = Effect.gen(function* () {
  const { hostPid, spec, startedAt } = yield* SessionContext
  const provider = yield* CLIProvider
  let { memory } = yield* RestoredSession
  let details: StatusDetails = {
    pid: null,
    attached: 0,
    usage: noUsageView,
    wasStopped: false,
    unexpectedEnd: false,
    cutOff: false,
    dismissed: [],
    notifyProblem: null,
    recordProblem: null,
    branch: null,
    writes: []
  }
  const statusAt = (now: number): SessionStatus =>
    sessionStatus({
      ...details,
      spec,
      provider,
      startedAt,
      hostPid,
      view: viewOf(memory),
      facts: memory.tracker.facts,
      queue: memory.delivery.queue,
      lastTurn: lastTurn(memory.delivery.evidence),
      night: memory.night.plan,
      pause: queueWait(memory, now),
      unwired: unwiredOf(memory),
      now
    })
  const status = yield* SubscriptionRef.make(statusAt(yield* Clock.currentTimeMillis))
  let last: { readonly queue: QueueState | null; readonly receipts: number; readonly rest: string } = {
    queue: null,
    receipts: 0,
    rest: ""
  }
  // What is published is never older than what was published before it.
  const turn = yield* Semaphore.make(1)
  const refresh = turn.withPermits(1)(
    Effect.gen(function* () {
      const next = statusAt(yield* Clock.currentTimeMillis)
      // The queue may be long: it is compared by identity, and the receipts beside it by number.
      const now = {
        queue: memory.delivery.queue,
        receipts: next.queue.length,
        rest: JSON.stringify({ ...next, queue: [] })
      }
      if (now.queue === last.queue && now.receipts === last.receipts && now.rest === last.rest) return
      last = now
      yield* SubscriptionRef.set(status, next)
    })
  )
  return StatusPublisher.of({
    status,
    memory: () => memory,
    publish: (next) =>
      Effect.suspend(() => {
        memory = next
        return refresh
      }),
    update: (known) =>
      Effect.suspend(() => {
        details = { ...details, ...known }
        return refresh
      }),
    refresh
  })
})

export const layer = Layer.effect(StatusPublisher, make)
