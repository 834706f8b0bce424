import { Clock, Context, Deferred, Effect, Exit, Layer, Result } from "effect"
import type { ApprovalEvent, HookRulesEvent } from "../../domain/engine/approvals/ApprovalEvent.ts"
import type { MachineEvent, SessionMemory } from "../../domain/engine/machine/SessionMachine.ts"
import type { BudgetEvent } from "../../domain/engine/delivery/HookGuard.ts"
import type { NightEvent } from "../../domain/engine/continuation/LimitContinuation.ts"
import type { QueueChange, QueueRefusal, QueueState } from "../../domain/engine/queue/Queue.ts"
import type { SessionEvent } from "../../domain/words/session/SessionEvent.ts"
import { RefusedError } from "../../services/HostProtocol.ts"
import { RestoredSession } from "./RestoredSession.ts"
import { SessionWork } from "./SessionWork.ts"

/** Work during which the queue does nothing: it reads the memory, and returns the events that follow. */
export type Task<E> = (memory: SessionMemory) => Effect.Effect<ReadonlyArray<MachineEvent>, E>

/** The session's machine for the rest of the host. All changes of the session pass here, one at a time. */
export class SessionRuntime extends Context.Service<
  SessionRuntime,
  {
    readonly memory: () => SessionMemory
    readonly offer: (event: SessionEvent | ApprovalEvent | HookRulesEvent | NightEvent | BudgetEvent) => void
    /** Queues an event that may wait for a moment, unless other events arrive. */
    readonly offerSoon: (event: SessionEvent) => void
    /** Offers an event; ends when it is processed and the status is published. */
    readonly tell: (event: SessionEvent | HookRulesEvent) => Effect.Effect<void>
    /**
     * Runs a task after all before it, when the queue's log is written; ends when the task's events are processed and
     * the status is published.
     */
    readonly between: <E>(task: Task<E>) => Effect.Effect<void, E>
    /** Changes the queue: the records are durable before anybody sees the change. */
    readonly changeQueue: (
      change: (queue: QueueState, at: number) => Result.Result<QueueChange, QueueRefusal>
    ) => Effect.Effect<QueueChange, RefusedError>
  }
>()("leap/programs/host/SessionRuntime") {}

interface Outcome<A> {
  readonly result: A
  readonly events: ReadonlyArray<MachineEvent>
}

const make = Effect.gen(function* () {
  const { log } = yield* RestoredSession
  const work = yield* SessionWork

  const within = <A, E>(
    task: (memory: SessionMemory) => Effect.Effect<Outcome<A>, E>,
    writes: boolean
  ): Effect.Effect<A, E> =>
    Effect.gen(function* () {
      const done = yield* Deferred.make<A, E>()
      work.offer({
        _tag: "Task",
        writes,
        run: (memory) =>
          Effect.map(Effect.exit(task(memory)), (exit) =>
            Exit.isFailure(exit)
              ? { events: [], answer: () => Effect.asVoid(Deferred.failCause(done, exit.cause)) }
              : {
                  events: exit.value.events,
                  answer: (taken) =>
                    Effect.asVoid(
                      Deferred.done(
                        done,
                        Exit.map(taken, () => exit.value.result)
                      )
                    )
                }
          )
      })
      return yield* Deferred.await(done)
    })

  const changeWith = (change: (queue: QueueState, at: number) => Result.Result<QueueChange, QueueRefusal>) =>
    Effect.fnUntraced(function* ({ delivery }: SessionMemory): Effect.fn.Return<Outcome<QueueChange>, RefusedError> {
      const at = yield* Clock.currentTimeMillis
      const changed = change(delivery.queue, at)
      if (Result.isFailure(changed)) return yield* RefusedError.because(changed.failure.reason, changed.failure.why)
      const { records, resumes } = changed.success
      const event = { _tag: "QueueChanged", at, records, ...(resumes === undefined ? {} : { resumes }) } as const
      if (records.length === 0) return { result: changed.success, events: resumes === undefined ? [] : [event] }
      const owed = delivery.unwritten
      yield* log
        .append([...owed, ...records])
        .pipe(Effect.mapError((error) => RefusedError.because("failed", `nothing was changed: ${error.message}`)))
      return {
        result: changed.success,
        events: [...(owed.length === 0 ? [] : [{ _tag: "Recorded", at, records: owed } as const]), event]
      }
    })

  return SessionRuntime.of({
    memory: work.memory,
    offer: (event) => work.offer({ _tag: "Event", event }),
    tell: (event) =>
      Effect.gen(function* () {
        const done = yield* Deferred.make<void>()
        const answer = (taken: Exit.Exit<void>) => Effect.asVoid(Deferred.done(done, taken))
        work.offer({ _tag: "Events", events: [event], answer, done: null })
        yield* Deferred.await(done)
      }),
    offerSoon: (event) => work.offerSoon({ _tag: "Event", event }),
    between: (task) => within((memory) => Effect.map(task(memory), (events) => ({ result: undefined, events })), false),
    changeQueue: (change) => within(changeWith(change), true)
  })
})

export const layer = Layer.effect(SessionRuntime, make)
