import { Context, Effect, Layer, Queue, Stream } from "effect"
import type { MachineEvent, SessionMemory } from "../../domain/machine/SessionMachine.ts"
import { RestoredSession } from "./RestoredSession.ts"

/** An element of the session's stream: something that happened, or a task that runs between two such things. */
export type Work =
  | { readonly _tag: "Event"; readonly event: MachineEvent }
  | {
      readonly _tag: "Task"
      /**
       * Runs the task with a function that takes its events in. Its result, and its failure, go to who asked for it.
       */
      readonly run: (
        memory: SessionMemory,
        take: (events: ReadonlyArray<MachineEvent>) => Effect.Effect<void>
      ) => Effect.Effect<void>
    }

/**
 * What waits for the session's machine, and its memory: what `SessionRuntime` hands in and `SessionDriver` works off.
 */
export class SessionWork extends Context.Service<
  SessionWork,
  {
    /** Puts work behind what waits; never blocks. */
    readonly offer: (work: Work) => void
    /** What waits and what comes, for the one driver. */
    readonly waiting: Stream.Stream<Work>
    readonly memory: () => SessionMemory
    readonly setMemory: (memory: SessionMemory) => void
  }
>()("leap/programs/host/SessionWork") {}

const make = Effect.gen(function* () {
  const waiting = yield* Queue.unbounded<Work>()
  let { memory } = yield* RestoredSession
  return SessionWork.of({
    offer: (work) => {
      Queue.offerUnsafe(waiting, work)
    },
    waiting: Stream.fromQueue(waiting),
    memory: () => memory,
    setMemory: (next) => {
      memory = next
    }
  })
})

export const layer = Layer.effect(SessionWork, make)
