import { Clock, Effect, FiberSet, Queue, Semaphore } from "effect"
import type { MonitorEvent } from "../../domain/surfaces/monitor/Monitor.ts"
import { GitView } from "../../services/GitView.ts"

/** A directory is looked at again when its sessions have done something since, and this much time has passed. */
const restMs = 5_000
/** Directories that are looked at together. */
const together = 2

interface Looked {
  at: number
  /** The newest word of its sessions that it was looked at for. */
  after: number
}

/** Tells of the git of directories, each as seldom as will do. */
export const gitLooker = Effect.fn("gitLooker")(function* (events: Queue.Enqueue<MonitorEvent>) {
  const git = yield* GitView
  const tasks = yield* FiberSet.make<void, never>()
  const turns = yield* Semaphore.make(together)
  const looked = new Map<string, Looked>()
  const words = new Map<string, number>()
  let word = 0

  return {
    /** Something has happened in this directory. */
    stirred: (directory: string): void => void words.set(directory, ++word),
    /** Looks at those of these directories that have not been, or were a while before something happened there. */
    look: Effect.fnUntraced(function* (directories: ReadonlyArray<string>) {
      const now = yield* Clock.currentTimeMillis
      for (const directory of directories) {
        const last = looked.get(directory)
        const newest = words.get(directory) ?? 0
        if (last !== undefined && (last.after === newest || now - last.at < restMs)) continue
        looked.set(directory, { at: now, after: newest })
        yield* FiberSet.run(
          tasks,
          git.look(directory).pipe(
            turns.withPermits(1),
            Effect.flatMap((seen) => Queue.offer(events, { _tag: "GitRead", directory, git: seen })),
            Effect.asVoid
          )
        )
      }
    })
  }
})
