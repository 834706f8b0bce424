import { Context, Effect, Layer, Queue, Stream } from "effect"
import type { MachineEvent, SessionMemory } from "../../domain/machine/SessionMachine.ts"
import * as AfterEcho from "./AfterEcho.ts"
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
    /**
     * The same for work that may wait for a moment ({@link soonMs}) unless other work comes: what a key means to the
     * machine must not be in the way of its echo.
     */
    readonly offerSoon: (work: Work) => void
    /** What may wait does not any longer. */
    readonly hurry: () => void
    /** What waits and what comes, for the one driver. */
    readonly waiting: Stream.Stream<Work>
    readonly memory: () => SessionMemory
    readonly setMemory: (memory: SessionMemory) => void
  }
>()("leap/programs/host/SessionWork") {}

/** Milliseconds. */
export const soonMs = AfterEcho.echoMs

const make = Effect.gen(function* () {
  const waiting = yield* Queue.unbounded<Work>()
  const soon: Array<Work> = []
  const afterEcho = yield* AfterEcho.AfterEcho
  const hurry = (): void => {
    for (const work of soon.splice(0)) Queue.offerUnsafe(waiting, work)
  }
  let { memory } = yield* RestoredSession
  return SessionWork.of({
    offer: (work) => {
      hurry()
      Queue.offerUnsafe(waiting, work)
    },
    offerSoon: (work) => {
      soon.push(work)
      if (soon.length === 1) afterEcho.run(hurry)
    },
    hurry,
    waiting: Stream.fromQueue(waiting),
    memory: () => memory,
    setMemory: (next) => {
      memory = next
    }
  })
})

export const layer = Layer.effect(SessionWork, make).pipe(Layer.provide(AfterEcho.layer))
