import { Clock, Context, Effect, Layer, Semaphore, SubscriptionRef } from "effect"
import type { SessionMemory } from "../../domain/engine/machine/SessionMachine.ts"
import type { QueueState } from "../../domain/engine/queue/Queue.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { RestoredSession } from "./RestoredSession.ts"
import { SessionContext } from "./SessionContext.ts"
import { sessionStatus, type StatusDetails, noUsageView } from "./sessionStatus.ts"

/** The session's status, which clients see and every part of the host can follow. */
export class StatusPublisher extends Context.Service<
  StatusPublisher,
  {
    readonly status: SubscriptionRef.SubscriptionRef<SessionStatus>
    readonly memory: () => SessionMemory
    readonly publish: (memory: SessionMemory) => Effect.Effect<void>
    readonly update: (details: Partial<StatusDetails>) => Effect.Effect<void>
    /** Publishes changes that only time causes: an expired receipt. */
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
    notice: null,
    notifyProblem: null,
    recordProblem: null,
    uncounted: null,
    branch: null,
    writes: []
  }
  const statusAt = (now: number): SessionStatus =>
    sessionStatus({ ...details, spec, provider, startedAt, hostPid, memory, now })
  const status = yield* SubscriptionRef.make(statusAt(yield* Clock.currentTimeMillis))
  let last: { readonly queue: QueueState | null; readonly receipts: number; readonly rest: string } = {
    queue: null,
    receipts: 0,
    rest: ""
  }
  // Serializes publishing, so that an older status never follows a newer one.
  const mutex = yield* Semaphore.make(1)
  const refresh = mutex.withPermits(1)(
    Effect.gen(function* () {
      const next = statusAt(yield* Clock.currentTimeMillis)
      // The queue may be long, so it is compared by identity, and its receipts by number.
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
