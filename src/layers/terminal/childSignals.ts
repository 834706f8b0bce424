import { Effect, Queue, Stream } from "effect"

const listeners = new Set<() => void>()
const tellAll = (): void => {
  for (const listener of listeners) listener()
}

const listen = (listener: () => void): (() => void) => {
  // one for all: Node warns of a program that has many
  if (listeners.size === 0) process.on("SIGCHLD", tellAll)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) process.off("SIGCHLD", tellAll)
  }
}

/** The system tells of a child of this process: it was stopped, was continued, or has ended. */
export const childSignals: Stream.Stream<void> = Stream.callback<void>(
  (queue) =>
    Effect.acquireRelease(
      Effect.sync(() => listen(() => void Queue.offerUnsafe(queue, undefined))),
      (off) => Effect.sync(off)
    ),
  { bufferSize: 1, strategy: "sliding" }
)
