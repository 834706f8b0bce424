import { Clock, Context, Effect, Layer, Queue, type Scope, Stream, SubscriptionRef } from "effect"
import { detachKey, isPressedIn } from "../../domain/terminal/sequences/DetachKey.ts"
import type { PtyHandle } from "../../services/Pty.ts"
import * as EchoFirst from "./EchoFirst.ts"
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
    readonly follow: (child: Pick<PtyHandle, "resume" | "signal" | "stirs">) => Effect.Effect<void, never, Scope.Scope>
    /** Somebody is about to be told the session's state: a process that is stopped is seen before. */
    readonly check: Effect.Effect<void>
  }
>()("leap/programs/host/StopWatch") {}

/**
 * The system tells when the CLI's own process is stopped. What a launcher has started may be stopped without that: so it
 * is looked in a turn, this often, and where somebody asks and it was not looked for so long. In milliseconds.
 */
const pause = 2_000
/** Looks after a key: a CLI restores the terminal first. */
const soon = ["100 millis", "200 millis", "400 millis", "800 millis"] as const
/**
 * After Ctrl+Z a CLI may wait to be continued without having been stopped: the system drops its SIGTSTP, since its group
 * has no shell above it. To a process that runs, SIGCONT says nothing.
 */
const afterSuspend = ["500 millis", "1 second"] as const
/** For how long the status tells of it, in milliseconds. */
const told = 10_000

const suspendKey = detachKey("ctrl-z")

const make = Effect.gen(function* () {
  const recorder = yield* Recorder
  const publisher = yield* StatusPublisher
  const wanted = yield* Queue.sliding<void>(1)
  let pressed = false
  let child: Pick<PtyHandle, "resume"> | null = null
  let lookedAt = 0
  let foundAt: number | null = null
  const suspended = yield* Queue.sliding<void>(1)
  const echoFirst = yield* EchoFirst.EchoFirst
  const want = (): void => void Queue.offerUnsafe(wanted, undefined)

  const look = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    lookedAt = now
    if (child === null || !(yield* child.resume)) return
    foundAt = now
    Queue.offerUnsafe(wanted, undefined)
    yield* publisher.update({ wasStopped: true })
    recorder.marker("continued")
    yield* Effect.logWarning("the CLI's process was stopped (Ctrl+Z, or a stop signal), and is continued")
  })
  /** How long nothing needs to be looked at; null: until something happens. */
  const rest = Effect.gen(function* () {
    const { state } = yield* SubscriptionRef.get(publisher.status)
    const now = yield* Clock.currentTimeMillis
    const least = Math.min(state === "running" ? pause : Infinity, foundAt === null ? Infinity : foundAt + told - now)
    return least === Infinity ? null : Math.max(0, least)
  })
  const watch = Effect.gen(function* () {
    for (;;) {
      const time = yield* rest
      yield* time === null ? Queue.take(wanted) : Effect.timeoutOption(Queue.take(wanted), time)
      const delays = pressed ? soon : []
      pressed = false
      yield* look
      for (const delay of delays) {
        yield* Effect.sleep(delay)
        yield* look
      }
      if (foundAt === null || (yield* Clock.currentTimeMillis) - foundAt < told) continue
      foundAt = null
      yield* publisher.update({ wasStopped: false })
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
      if (!pressed) echoFirst.run(want)
      pressed = true
      if (suspendKey !== null && isPressedIn(suspendKey, keys)) Queue.offerUnsafe(suspended, undefined)
    },
    follow: Effect.fnUntraced(function* (started) {
      child = started
      const stir = () => Queue.offer(wanted, undefined)
      yield* Effect.forkScoped(Stream.runForEach(started.stirs, stir))
      // a turn begins: from now on it is looked now and then
      yield* SubscriptionRef.changes(publisher.status).pipe(
        Stream.map(({ state }) => state === "running"),
        Stream.changes,
        Stream.filter((runs) => runs),
        Stream.runForEach(stir),
        Effect.forkScoped
      )
      yield* Effect.forkScoped(watch)
      yield* Effect.forkScoped(wake(started))
    }),
    check: Effect.gen(function* () {
      if ((yield* Clock.currentTimeMillis) - lookedAt >= pause) yield* look
    })
  })
})

export const layer = Layer.effect(StopWatch, make).pipe(Layer.provide(EchoFirst.layer))
