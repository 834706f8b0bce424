import { Clock, Context, Effect, Layer, Queue, type Scope, Stream, SubscriptionRef } from "effect"
import { detachKey, isPressedIn } from "../../domain/terminal/sequences/DetachKey.ts"
import type { PtyHandle } from "../../services/Pty.ts"
import * as EchoFirst from "./EchoFirst.ts"
import { Recorder } from "./Recorder.ts"
import { StatusPublisher } from "./StatusPublisher.ts"

/** Continues a stopped CLI. Some stop themselves at Ctrl+Z, but no shell is here to continue them. */
export class StopWatch extends Context.Service<
  StopWatch,
  {
    /** Reports keys that may make the CLI stop itself. Never blocks. */
    readonly expect: (keys: string) => void
    readonly follow: (child: Pick<PtyHandle, "resume" | "signal" | "stirs">) => Effect.Effect<void, never, Scope.Scope>
    /** Checks for a stopped process before the session's state is reported. */
    readonly check: Effect.Effect<void>
  }
>()("leap/programs/host/StopWatch") {}

/**
 * The interval of checks, in milliseconds. The system reports a stop of the CLI's own process, but not of a launcher's
 * child. So it is checked during a turn, and before a report if the last check is older than this.
 */
const pause = 2_000
/** Checks after a key, because a CLI first restores the terminal. */
const soon = ["100 millis", "200 millis", "400 millis", "800 millis"] as const
/**
 * After Ctrl+Z a CLI may wait for SIGCONT without having stopped, because the system drops the SIGTSTP of a process
 * group without a shell above it. SIGCONT does nothing to a running process.
 */
const afterSuspend = ["500 millis", "1 second"] as const
const shownMs = 10_000
/**
 * Where there is no /proc, a check starts a program, and its end is a stir as well. So no stir counts until this many
 * milliseconds after a check that took time: it would lead to the next check, and so on without end.
 */
const echoMs = 50

const suspendKey = detachKey("ctrl-z")

const make = Effect.gen(function* () {
  const recorder = yield* Recorder
  const publisher = yield* StatusPublisher
  const wanted = yield* Queue.sliding<void>(1)
  let pressed = false
  let child: Pick<PtyHandle, "resume"> | null = null
  let lookedAt = 0
  let deafUntil = 0
  let foundAt: number | null = null
  const suspended = yield* Queue.sliding<void>(1)
  const echoFirst = yield* EchoFirst.EchoFirst
  const want = (): void => void Queue.offerUnsafe(wanted, undefined)

  const checkNow = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    lookedAt = now
    if (child === null) return
    deafUntil = Infinity
    const hear = Effect.map(Clock.currentTimeMillis, (then) => void (deafUntil = then > now ? then + echoMs : 0))
    if (!(yield* Effect.ensuring(child.resume, hear))) return
    foundAt = now
    Queue.offerUnsafe(wanted, undefined)
    yield* publisher.update({ wasStopped: true })
    recorder.marker("continued")
    yield* Effect.logWarning("the CLI's process was stopped (Ctrl+Z, or a stop signal), and is continued")
  })
  /** Milliseconds until the next check; null until something happens. */
  const rest = Effect.gen(function* () {
    const { state } = yield* SubscriptionRef.get(publisher.status)
    const now = yield* Clock.currentTimeMillis
    const least = Math.min(
      state === "running" ? pause : Infinity,
      foundAt === null ? Infinity : foundAt + shownMs - now
    )
    return least === Infinity ? null : Math.max(0, least)
  })
  const watch = Effect.gen(function* () {
    for (;;) {
      const time = yield* rest
      yield* time === null ? Queue.take(wanted) : Effect.timeoutOption(Queue.take(wanted), time)
      const delays = pressed ? soon : []
      pressed = false
      yield* checkNow
      for (const delay of delays) {
        yield* Effect.sleep(delay)
        yield* checkNow
      }
      if (foundAt === null || (yield* Clock.currentTimeMillis) - foundAt < shownMs) continue
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
      const heard = Effect.map(Clock.currentTimeMillis, (now) => now >= deafUntil)
      yield* Effect.forkScoped(Stream.runForEach(started.stirs, () => Effect.when(stir(), heard)))
      // a turn has begun, which needs periodic checks
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
      if ((yield* Clock.currentTimeMillis) - lookedAt >= pause) yield* checkNow
    })
  })
})

export const layer = Layer.effect(StopWatch, make).pipe(Layer.provide(EchoFirst.layer))
