import { Context, Effect, type Exit, Layer, MutableRef, Queue, Stream } from "effect"
import type { MachineEvent, SessionMemory } from "../../domain/engine/machine/SessionMachine.ts"
import * as EchoFirst from "./EchoFirst.ts"
import { RestoredSession } from "./RestoredSession.ts"

/**
 * An event, events whose end is awaited, or a task, during which the queue does nothing. `writes`: the task writes
 * the queue's log. `done`: whether the task that gave the events wrote it; null for events of no task.
 */
export type Work =
  | { readonly _tag: "Event"; readonly event: MachineEvent }
  | ({ readonly _tag: "Events"; readonly done: "wrote" | "read" | null } & Taken)
  | { readonly _tag: "Task"; readonly run: (memory: SessionMemory) => Effect.Effect<Taken>; readonly writes: boolean }

export interface Taken {
  readonly events: ReadonlyArray<MachineEvent>
  readonly answer: (taken: Exit.Exit<void>) => Effect.Effect<void>
}

/** The work for the session's machine, and its latest memory, between `SessionRuntime` and `SessionDriver`. */
export class SessionWork extends Context.Service<
  SessionWork,
  {
    readonly offer: (work: Work) => void
    /** Queues work that may wait for {@link soonMs}, so that a key's event does not delay its echo. */
    readonly offerSoon: (work: Work) => void
    readonly hurry: () => void
    readonly waiting: Stream.Stream<Work>
    /** The memory that the driver has published last; its own is in its stream. */
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
