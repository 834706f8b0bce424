import { Cause, type Duration, Effect, Exit, Option, Stream } from "effect"
import type { FeedSession } from "../../domain/words/session/Feed.ts"
import { stuck, unreachable, type Unreached } from "../../domain/words/session/hostUnreached.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { ControlSocket } from "../../services/ControlSocket.ts"
import { DirectoryWatch } from "../../services/DirectoryWatch.ts"
import { protocolVersion } from "../../services/HostProtocol.ts"
import { Paths } from "../../services/Paths.ts"
import { QueueStore } from "../../services/QueueStore.ts"
import { lastStatus, unlessStopped } from "./client.ts"
import { unreachedHost, writtenStatus } from "./statuses.ts"

/** A host that is silent for this long is shown as silent; the wait for it continues. */
const voiceTimeout = "3 seconds"
const pause = "200 millis"
const addressPause = "1 second"
/** A notification about the directory may get lost, so the host is also looked for after this time. */
const lookAgain = "1 minute"

type Ending =
  | { readonly _tag: "None" }
  | { readonly _tag: "Left" }
  | { readonly _tag: "Silent"; readonly unreached: Unreached }
  /** The host's protocol or its status is unknown. */
  | { readonly _tag: "Foreign"; readonly why: string }

const none: Ending = { _tag: "None" }
const left: Ending = { _tag: "Left" }
const silent: Ending = { _tag: "Silent", unreached: { _tag: "Hangs" } }

/** The written status of a host that cannot be called; messages cannot be sent to it. */
const foreignStatus = (status: SessionStatus, why: string): SessionStatus => ({
  ...status,
  ...stuck(why, { message: why })
})

/**
 * Follows one session across all its hosts, and reports each change. It waits for a hanging host on one connection, and
 * for a missing one by notifications about the session's directory. Never ends or fails.
 */
export const followSession = Effect.fn("followSession")(function* (tag: Tag, tell: (session: FeedSession) => void) {
  const sockets = yield* ControlSocket
  const directories = yield* DirectoryWatch
  const queues = yield* QueueStore
  const paths = (yield* Paths).session(tag)
  let reported: FeedSession | null = null
  const say = (session: FeedSession): void => {
    reported = session
    tell(session)
  }
  /** Skips repeated reports. */
  const sayOnce = (session: FeedSession): void => {
    if (reported?.link !== session.link || JSON.stringify(reported) !== JSON.stringify(session)) say(session)
  }
  const known = Effect.suspend(() => (reported === null ? writtenStatus(tag) : Effect.succeedSome(reported.status)))

  /** One connection: the host's statuses as they arrive. */
  const life = Effect.gen(function* () {
    const client = yield* sockets.connect(paths.socket)
    const hello = yield* Effect.timeoutOption(client.Hello(), voiceTimeout)
    if (Option.isNone(hello)) return silent
    const { ended, protocol, version } = hello.value
    if (protocol !== protocolVersion) {
      const why = `it is run by leap ${version}, which this one cannot talk to`
      return { _tag: "Foreign", why } satisfies Ending
    }
    if (ended) return left
    // a host sets damaged lines aside only when it opens its queue
    const queueProblem = yield* queues.damage(paths.queue)
    yield* client
      .Watch()
      .pipe(
        Stream.runForEach((status) => Effect.sync(() => say({ link: "live", status: { ...status, queueProblem } })))
      )
    return left
  }).pipe(
    Effect.scoped,
    // a connection reports a stopped host only after some seconds
    (living) =>
      Effect.flatMap(known, (status) => unlessStopped(tag, living, Option.getOrNull(status)?.hostPid ?? null)),
    Effect.catchTag("UnreachedHostError", ({ unreached }) => Effect.succeed<Ending>({ _tag: "Silent", unreached })),
    Effect.catchTag("NoHostError", (error) =>
      error.alive === true
        ? Effect.succeed(silent)
        : Effect.map(unreachedHost(tag, error), (unreached): Ending =>
            unreached === null ? none : { _tag: "Silent", unreached }
          )
    ),
    Effect.catchTag("RpcClientError", () => Effect.succeed(left)),
    Effect.exit,
    Effect.map((exit): Ending => {
      if (Exit.isSuccess(exit)) return exit.value
      // an exiting host interrupts its calls
      if (Cause.hasInterruptsOnly(exit.cause)) return left
      return { _tag: "Foreign", why: "what its host says cannot be read: it may be of another version of leap" }
    })
  )

  const untilHost = Effect.gen(function* () {
    const directory = yield* directories.watch(paths.dir)
    for (;;) {
      const found = yield* sockets.connect(paths.socket).pipe(
        Effect.as(true),
        Effect.scoped,
        Effect.catch(({ alive }) => Effect.succeed(alive === true))
      )
      if (found) return
      const last = yield* lastStatus(tag)
      if (Option.isSome(last)) sayOnce({ link: "ended", status: last.value })
      yield* directory.changed(lookAgain)
    }
  }).pipe(Effect.scoped)

  const changedWithin = Effect.fnUntraced(function* (most: Duration.Input) {
    const directory = yield* directories.watch(paths.dir)
    // skips the report of the first look at the directory
    yield* directory.changed("1 millis")
    yield* directory.changed(most)
  }, Effect.scoped)
  const untilChange = changedWithin(lookAgain)

  /** Waits on one connection until a hanging host answers, ends or is replaced: the system queues few connections. */
  const untilVoice = Effect.gen(function* () {
    const client = yield* sockets.connect(paths.socket, { patient: true })
    const successor = changedWithin("1 day")
    yield* Effect.raceFirst(Effect.ignore(client.Hello()), successor)
  }).pipe(
    Effect.scoped,
    Effect.catchTag("NoHostError", ({ alive }) => (alive === true ? untilChange : Effect.void)),
    Effect.exit
  )

  for (;;) {
    const ending = yield* life
    switch (ending._tag) {
      case "None":
        yield* untilHost
        break
      case "Left":
        yield* Effect.sleep(pause)
        break
      case "Silent": {
        const status = yield* known
        const { unreached } = ending
        if (Option.isSome(status)) sayOnce({ link: "silent", status: unreachable(status.value, unreached) })
        // no notification reports a new socket in another directory
        yield* unreached._tag === "Hangs" ? untilVoice : Effect.sleep(addressPause)
        break
      }
      case "Foreign": {
        const status = yield* known
        if (Option.isSome(status)) sayOnce({ link: "foreign", status: foreignStatus(status.value, ending.why) })
        yield* untilChange
        break
      }
    }
  }
})
