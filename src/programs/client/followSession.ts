import { Cause, Effect, Exit, Option, Stream } from "effect"
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

/** A host that says nothing for so long is told as silent; it is waited for all the same. */
const voicePatience = "3 seconds"
/** Between the end of a connection and the next one. */
const pause = "200 millis"
/** Before a host that lives is looked for again at its address. */
const addressPause = "1 second"
/** A notice of the directory's may have been lost: after this time a host is looked for without one. */
const lookAgain = "1 minute"

/** How one connection to a session's host came to its end. */
type Ending =
  /** There is no host. */
  | { readonly _tag: "None" }
  /** It was there, and ends, or the connection broke. */
  | { readonly _tag: "Left" }
  /** It is there and does not answer. */
  | { readonly _tag: "Silent"; readonly unreached: Unreached }
  /** It is there and is not understood. */
  | { readonly _tag: "Foreign"; readonly why: string }

const none: Ending = { _tag: "None" }
const left: Ending = { _tag: "Left" }
const silent: Ending = { _tag: "Silent", unreached: { _tag: "Hangs" } }

/** A status that a host wrote and cannot be asked for: nothing may be sent. */
const foreignStatus = (status: SessionStatus, why: string): SessionStatus => ({
  ...status,
  ...stuck(why, { message: why })
})

/**
 * Follows one session through all its hosts' lives, for as long as this runs: what is known of it is told at each
 * change. A host that hangs is waited for on one connection, a missing one by the notices of the session's directory.
 * Never fails.
 */
export const followSession = Effect.fn("followSession")(function* (tag: Tag, tell: (session: FeedSession) => void) {
  const sockets = yield* ControlSocket
  const directories = yield* DirectoryWatch
  const queues = yield* QueueStore
  const paths = (yield* Paths).session(tag)
  let told: FeedSession | null = null
  const say = (session: FeedSession): void => {
    told = session
    tell(session)
  }
  /** Tells what only repeats itself once. */
  const sayOnce = (session: FeedSession): void => {
    if (told?.link !== session.link || JSON.stringify(told) !== JSON.stringify(session)) say(session)
  }
  /** What is known of a session whose host does not tell. */
  const known = Effect.suspend(() => (told === null ? writtenStatus(tag) : Effect.succeedSome(told.status)))

  /** One connection: its host's statuses as they come. */
  const life = Effect.gen(function* () {
    const client = yield* sockets.connect(paths.socket)
    const hello = yield* Effect.timeoutOption(client.Hello(), voicePatience)
    if (Option.isNone(hello)) return silent
    const { ended, protocol, version } = hello.value
    if (protocol !== protocolVersion) {
      const why = `it is run by leap ${version}, which this one cannot talk to`
      return { _tag: "Foreign", why } satisfies Ending
    }
    if (ended) return left
    // damaged lines are set aside when a host opens its queue, and at no other time
    const queueProblem = yield* queues.damage(paths.queue)
    yield* client
      .Watch()
      .pipe(
        Stream.runForEach((status) => Effect.sync(() => say({ link: "live", status: { ...status, queueProblem } })))
      )
    return left
  }).pipe(
    Effect.scoped,
    // a connection tells of a host that is stopped some seconds later
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
      // a host that exits interrupts what it was asked
      if (Cause.hasInterruptsOnly(exit.cause)) return left
      return { _tag: "Foreign", why: "what its host says cannot be read: it may be of another version of leap" }
    })
  )

  /** Waits until there may be a host again. */
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

  /** Waits for a change in the session's directory from now on. */
  const untilChange = Effect.gen(function* () {
    const directory = yield* directories.watch(paths.dir)
    // what the first look at the directory itself reports
    yield* directory.changed("1 millis")
    yield* directory.changed(lookAgain)
  }).pipe(Effect.scoped)

  /** Waits until a hanging host answers, ends or has a successor, on one connection: the system keeps few waiting. */
  const untilVoice = Effect.gen(function* () {
    const client = yield* sockets.connect(paths.socket, { patient: true })
    const successor = Effect.gen(function* () {
      const directory = yield* directories.watch(paths.dir)
      yield* directory.changed("1 millis")
      yield* directory.changed("1 day")
    }).pipe(Effect.scoped)
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
        // nobody tells when it is bound again in a directory of its own
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
