import { Context, Effect, type Exit, Layer, MutableRef, Queue, Stream } from "effect"
import type { MachineEvent, SessionMemory } from "../../domain/engine/machine/SessionMachine.ts"
import * as EchoFirst from "./EchoFirst.ts"
import { RestoredSession } from "./RestoredSession.ts"

/**
 * An element of the session's stream: something that happened, or a task that runs between two such things. `writes`:
 * it waits for the queue's log.
 */
export type Work =
  | { readonly _tag: "Event"; readonly event: MachineEvent }
  | { readonly _tag: "Task"; readonly run: (memory: SessionMemory) => Effect.Effect<Taken>; readonly writes: boolean }

/** What a task gives: events for the machine, and who is to hear when they have been taken in. */
export interface Taken {
  readonly events: ReadonlyArray<MachineEvent>
  readonly answer: (taken: Exit.Exit<void>) => Effect.Effect<void>
}

/**
 * What waits for the session's machine, and what it shows of its memory: what `SessionRuntime` hands in and
 * `SessionDriver` works off.
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
    /** The memory that the driver has shown last. Its own is what its stream accumulates. */
    readonly memory: () => SessionMemory
    readonly show: (memory: SessionMemory) => void
  }
>()("leap/programs/host/SessionWork") {}

/** Milliseconds. */
export const soonMs = EchoFirst.echoMs

const make = Effect.gen(function* () {
  const waiting = yield* Queue.unbounded<Work>()
  const soon: Array<Work> = []
  const echoFirst = yield* EchoFirst.EchoFirst
  const hurry = (): void => {
    for (const work of soon.splice(0)) Queue.offerUnsafe(waiting, work)
  }
  const memory = MutableRef.make((yield* RestoredSession).memory)
  return SessionWork.of({
    offer: (work) => {
      hurry()
      Queue.offerUnsafe(waiting, work)
    },
    offerSoon: (work) => {
      soon.push(work)
      if (soon.length === 1) echoFirst.run(hurry)
    },
    hurry,
    waiting: Stream.fromQueue(waiting),
    memory: () => MutableRef.get(memory),
    show: (next) => void MutableRef.set(memory, next)
  })
})

export const layer = Layer.effect(SessionWork, make).pipe(Layer.provide(EchoFirst.layer))
