import { Cause, Clock, Deferred, Effect, FiberHandle, Queue, Result, SubscriptionRef } from "effect"
import type { Command } from "../../domain/Command.ts"
import type { QueueChange, QueueRefusal, QueueState } from "../../domain/Queue.ts"
import type { SessionStatus } from "../../domain/Session.ts"
import type { SessionEvent } from "../../domain/SessionEvent.ts"
import * as SessionMachine from "../../domain/SessionMachine.ts"
import { RefusedError } from "../../services/HostRpc.ts"
import type { QueueLog } from "../../services/QueueStore.ts"

type Work = { readonly _tag: "Event"; readonly event: SessionEvent } | { readonly _tag: "Task"; readonly run: Effect.Effect<void> }

export interface RuntimeOptions {
  readonly profile: SessionMachine.SessionProfile
  readonly memory: SessionMachine.SessionMemory
  readonly log: QueueLog
  /** Types for leap: one write to the CLI (UTF-8 text). */
  readonly write: (command: Extract<Command, { readonly _tag: "Write" }>) => Effect.Effect<void>
  /** Whether the user's keys wait while leap types. */
  readonly holdKeys: (held: boolean) => Effect.Effect<void>
  readonly status: (memory: SessionMachine.SessionMemory, now: number) => SessionStatus
}

/**
 * Runs the session's machine: events one by one, its commands in order and each awaited, its next wake-up scheduled. All
 * that changes the session passes here, so no two things ever decide at the same time.
 */
export const makeRuntime = Effect.fn("makeRuntime")(function*(options: RuntimeOptions) {
  const work = yield* Queue.unbounded<Work>()
  const timer = yield* FiberHandle.make()
  const step = SessionMachine.step(options.profile)
  const started = yield* Clock.currentTimeMillis
  let memory = options.memory
  const status = yield* SubscriptionRef.make(options.status(memory, started))
  let wakeAt: number | null = null
  let last: { readonly queue: QueueState | null; readonly receipts: number; readonly rest: string } = { queue: null, receipts: 0, rest: "" }

  const publish = Effect.fnUntraced(function*() {
    const now = yield* Clock.currentTimeMillis
    const next = options.status(memory, now)
    // the queue may be long: it is compared by identity, and the receipts beside it by number
    const shown = { queue: memory.delivery.queue, receipts: next.queue.length, rest: JSON.stringify({ ...next, queue: [] }) }
    if (shown.queue === last.queue && shown.receipts === last.receipts && shown.rest === last.rest) return
    last = shown
    yield* SubscriptionRef.set(status, next)
  })

  const schedule = Effect.fnUntraced(function*() {
    const wanted = SessionMachine.wakeAt(memory)
    if (wanted === wakeAt) return
    wakeAt = wanted
    if (wanted === null) return yield* FiberHandle.clear(timer)
    const now = yield* Clock.currentTimeMillis
    yield* FiberHandle.run(
      timer,
      Effect.sleep(Math.max(1, wanted - now)).pipe(
        Effect.andThen(Clock.currentTimeMillis),
        Effect.flatMap((at) =>
          Effect.sync(() => {
            wakeAt = null
            Queue.offerUnsafe(work, { _tag: "Event", event: { _tag: "Tick", at } })
          })
        )
      )
    )
  })

  /** Carries one command out; what became of a record is the machine's next event. */
  const execute = (command: Command): Effect.Effect<SessionMachine.MachineEvent | null> => {
    switch (command._tag) {
      case "Write":
        return Effect.as(options.write(command), null)
      case "HoldKeys":
        return Effect.as(options.holdKeys(command.on), null)
      case "Announce":
        return Effect.as(Effect.logInfo(command.message), null)
      case "Append":
        return Effect.gen(function*() {
          const failure = yield* options.log.append(command.records).pipe(
            Effect.as(null),
            Effect.catch((error) => Effect.as(Effect.logError(error.message), error.message))
          )
          const at = yield* Clock.currentTimeMillis
          return failure === null
            ? { _tag: "Recorded", at, records: command.records } as const
            : { _tag: "NotRecorded", at, records: command.records, why: failure } as const
        })
    }
  }

  const apply = Effect.fnUntraced(function*(event: SessionMachine.MachineEvent) {
    const commands: Array<Command> = []
    const take = (event: SessionMachine.MachineEvent): void => {
      const [next, more] = step(memory, event)
      memory = next
      commands.push(...more)
    }
    take(event)
    // commands that answer a record come behind those of the same step
    for (let i = 0; i < commands.length; i++) {
      const result = yield* execute(commands[i]!)
      if (result !== null) take(result)
    }
    yield* schedule()
    yield* publish()
  })

  const loop = Effect.gen(function*() {
    const item = yield* Queue.take(work)
    yield* (item._tag === "Event" ? apply(item.event) : item.run)
  }).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.logError("the session's machine failed", cause)
    ),
    Effect.forever
  )
  yield* Effect.forkScoped(loop)
  yield* schedule()

  /** Runs a task between two events and gives back its result. */
  const between = <A, E>(task: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.gen(function*() {
      const done = yield* Deferred.make<A, E>()
      Queue.offerUnsafe(work, { _tag: "Task", run: Effect.asVoid(Deferred.into(task, done)) })
      return yield* Deferred.await(done)
    })

  const append = (records: QueueChange["records"]) =>
    options.log.append(records).pipe(
      Effect.mapError((error) => new RefusedError({ why: `nothing was changed: ${error.message}`, exitCode: 1 }))
    )

  return {
    status,
    offer: (event: SessionEvent): void => {
      Queue.offerUnsafe(work, { _tag: "Event", event })
    },
    /** Shows the present status again (the number of viewers, a receipt that has been shown long enough). */
    refresh: between(publish()),
    memory: () => memory,
    between,
    apply,
    /** Changes the queue: the records are durable before anybody sees the change. */
    changeQueue: (change: (queue: QueueState, at: number) => Result.Result<QueueChange, QueueRefusal>) =>
      between(Effect.gen(function*() {
        const at = yield* Clock.currentTimeMillis
        const changed = change(memory.delivery.queue, at)
        if (Result.isFailure(changed)) return yield* new RefusedError(changed.failure)
        const { records } = changed.success
        if (records.length > 0) {
          yield* append(records)
          yield* apply({ _tag: "QueueChanged", at, records })
        }
        return changed.success
      }))
  }
})

export type Runtime = Effect.Success<ReturnType<typeof makeRuntime>>
