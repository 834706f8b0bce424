import { Clock, Context, Effect, Layer, Option, Queue, type Scope } from "effect"
import { detachKey } from "../../domain/terminal/DetachKey.ts"
import type { PtyHandle } from "../../services/Pty.ts"
import { Recorder } from "./Recorder.ts"
import { StatusPublisher } from "./StatusPublisher.ts"

/**
 * Continues a CLI that was stopped. Some stop themselves at Ctrl+Z, as under a shell; here no shell is there whose `fg`
 * would continue them.
 */
export class StopWatch extends Context.Service<
  StopWatch,
  {
    /** The CLI has got these keys: it may stop itself in a moment. Never blocks. */
    readonly expect: (keys: string) => void
    /** Watches this process until the scope ends. */
    readonly follow: (child: Pick<PtyHandle, "resume" | "signal">) => Effect.Effect<void, never, Scope.Scope>
  }
>()("leap/programs/host/StopWatch") {}

/** How often it is looked where nothing was pressed: a stop may come from anywhere. */
const pause = "2 seconds"
/** Looks after a key: a CLI restores the terminal first. */
const soon = ["100 millis", "200 millis", "400 millis", "800 millis"] as const
/**
 * After Ctrl+Z a CLI may wait to be continued without having been stopped: the system drops its SIGTSTP, since its group
 * has no shell above it. To a process that runs, SIGCONT says nothing.
 */
const afterSuspend = ["500 millis", "1 second"] as const
/** For how long the status tells of it, in milliseconds. */
const told = 10_000

const suspendKey = [...(detachKey("ctrl-z") ?? [])]

const make = Effect.gen(function* () {
  const recorder = yield* Recorder
  const publisher = yield* StatusPublisher
  const pressed = yield* Queue.sliding<void>(1)
  const suspended = yield* Queue.sliding<void>(1)

  const look = Effect.fnUntraced(function* (child: Pick<PtyHandle, "resume">) {
    if (!(yield* child.resume)) return false
    recorder.marker("continued")
    yield* Effect.logWarning("the CLI's process was stopped (Ctrl+Z, or a stop signal), and is continued")
    return true
  })
  const watch = Effect.fnUntraced(function* (child: Pick<PtyHandle, "resume">) {
    let foundAt: number | null = null
    for (;;) {
      const isDue = Option.isSome(yield* Effect.timeoutOption(Queue.take(pressed), pause))
      let found = isDue ? false : yield* look(child)
      for (const delay of isDue ? soon : []) {
        yield* Effect.sleep(delay)
        found = (yield* look(child)) || found
      }
      const now = yield* Clock.currentTimeMillis
      if (found) foundAt = now
      else if (foundAt === null || now - foundAt < told) continue
      else foundAt = null
      yield* publisher.update({ wasStopped: found })
    }
  })
  const wake = Effect.fnUntraced(function* (child: Pick<PtyHandle, "signal">) {
    for (;;) {
      yield* Queue.take(suspended)
      for (const delay of afterSuspend) {
        yield* Effect.sleep(delay)
        yield* child.signal("SIGCONT")
      }
    }
  })
  return StopWatch.of({
    expect: (keys) => {
      Queue.offerUnsafe(pressed, undefined)
      if (suspendKey.some((code) => keys.includes(code))) Queue.offerUnsafe(suspended, undefined)
    },
    follow: (child) => Effect.asVoid(Effect.andThen(Effect.forkScoped(watch(child)), Effect.forkScoped(wake(child))))
  })
})

export const layer = Layer.effect(StopWatch, make)
