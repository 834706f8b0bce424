import { Cause, Clock, Effect, Exit, Fiber, Option, Schedule, Schema } from "effect"
import { leftQueue } from "../../domain/engine/queue/Leftovers.ts"
import { unreachable, type Unreached, unreachedText } from "../../domain/words/session/hostUnreached.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { withoutHost } from "../../domain/words/session/withoutHost.ts"
import { damagedStatus, noSession } from "../../domain/words/wording/noSession.ts"
import { type ConnectOptions, ControlSocket, type HostClient, type NoHostError } from "../../services/ControlSocket.ts"
import { protocolVersion } from "../../services/HostProtocol.ts"
import { Paths } from "../../services/Paths.ts"
import { QueueStore } from "../../services/QueueStore.ts"
import { SessionLock } from "../../services/SessionLock.ts"
import { StatusStore } from "../../services/StatusStore.ts"

/** No session of this name is running. */
export class NoSessionError extends Schema.TaggedError<NoSessionError>()("NoSessionError", {
  tag: Schema.String,
  ended: Schema.Boolean,
  /** The file of its status, where that is damaged. */
  damaged: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    if (this.damaged !== undefined) return damagedStatus(this.tag, this.damaged)
    return this.ended ? `session '${this.tag}' has ended; 'leap ${this.tag}' starts it again` : noSession(this.tag)
  }
}

/** The session runs, and its host cannot be asked. */
export class UnreachedHostError extends Schema.TaggedError<UnreachedHostError>()("UnreachedHostError", {
  tag: Schema.String,
  pid: Schema.NullOr(Schema.Int),
  socket: Schema.String,
  why: Schema.String,
  /** It is there, and takes no connection. */
  hangs: Schema.Boolean,
  /** Where its host tells what keeps it from making its socket again. */
  log: Schema.String
}) {
  get unreached(): Unreached {
    const { hangs, pid, socket, why } = this
    return hangs ? { _tag: "Hangs" } : { _tag: "NoAddress", pid, socket, why }
  }
  override get message() {
    return (
      `session '${this.tag}' runs: ${unreachedText(this.unreached)} (its log: ${this.log}); ` +
      `'leap stop ${this.tag} --force' ends it`
    )
  }
}

/** The host uses another version of the control protocol. */
export class ProtocolMismatchError extends Schema.TaggedError<ProtocolMismatchError>()("ProtocolMismatchError", {
  tag: Schema.String,
  host: Schema.String
}) {
  override get message() {
    return (
      `session '${this.tag}' is run by leap ${this.host}, which this one cannot talk to: use that version, ` +
      "or stop the session"
    )
  }
}

/** Even on a machine under heavy load a host answers within this time. */
const helloPatience = "15 seconds"

/** A host that breaks off sooner than this has ended; one that is silent for longer is given up. */
const endingMs = 1_000

/**
 * Connects to a running session's host; the connection ends with the scope. A host that ends while it is greeted is
 * looked for again, for a moment: it was the last of its session, or another one follows it.
 */
export const connectTo = Effect.fn("client.connectTo")(function* (tag: Tag, options?: ConnectOptions) {
  return yield* connecting(tag, options, Effect.succeed)
})

/**
 * Connects, and asks in the same moment what takes and changes nothing: a host is woken once for both, and its waking
 * is most of what an answer takes.
 */
export const askHost = Effect.fn("client.askHost")(function* <A, E, R>(
  tag: Tag,
  ask: (client: HostClient) => Effect.Effect<A, E, R>
) {
  return yield* Effect.scoped(
    Effect.flatMap(
      // behind the greeting
      connecting(tag, undefined, (client) => Effect.forkScoped(ask(client))),
      Fiber.join
    )
  )
})

const connecting = Effect.fnUntraced(function* <A, R>(
  tag: Tag,
  options: ConnectOptions | undefined,
  begin: (client: HostClient) => Effect.Effect<A, never, R>
) {
  const since = yield* Clock.currentTimeMillis
  for (;;) {
    const client = yield* openTo(tag, options)
    const begun = yield* begin(client)
    const hello = yield* Effect.exit(Effect.timeout(client.Hello(), helloPatience))
    if (Exit.isSuccess(hello)) return yield* Effect.as(greeted(tag, hello.value), begun)
    const isOver = (yield* Clock.currentTimeMillis) - since > endingMs
    if (isOver || !hasHostLeft(hello.cause)) return yield* Effect.failCause(hello.cause)
    yield* Effect.sleep("50 millis")
  }
})

/** A killed host breaks the connection, and one that exits interrupts what it was asked. */
const hasHostLeft = <E extends { readonly _tag: string }>(cause: Cause.Cause<E>): boolean =>
  Cause.hasInterruptsOnly(cause) || Option.exists(Cause.findErrorOption(cause), ({ _tag }) => _tag === "RpcClientError")

/** A host whose socket was taken away binds it again sooner than this; one that starts binds it at first. */
const addressPatience = "2 seconds"

const openTo = (tag: Tag, options?: ConnectOptions) =>
  Effect.gen(function* () {
    const paths = (yield* Paths).session(tag)
    const sockets = yield* ControlSocket
    return yield* Effect.suspend(() => sockets.connect(paths.socket, options)).pipe(
      Effect.catchTag("NoHostError", (error) => noHost(tag, error)),
      Effect.retry({
        while: (error) => error._tag === "UnreachedHostError" && !error.hangs,
        schedule: Schedule.max([Schedule.spaced("100 millis"), Schedule.during(addressPatience)])
      })
    )
  })

/** Nobody answers at a session's address: the lock, which the kernel keeps, says whether its host lives. */
const noHost = Effect.fnUntraced(function* (tag: Tag, { alive, why }: NoHostError) {
  const { lock, log, socket, status } = (yield* Paths).session(tag)
  const last = yield* (yield* StatusStore).read(status)
  const hangs = alive === true
  // a host that has written its end down has nothing more to say
  if (Option.isNone(last) || last.value.exit === null) {
    const holder = yield* (yield* SessionLock).holder(lock)
    if (holder !== null || hangs)
      return yield* new UnreachedHostError({ tag, pid: holder?.pid ?? null, socket, why, hangs, log })
  }
  return yield* Option.isSome(last) ? Effect.fail(new NoSessionError({ tag, ended: true })) : noSessionOf(tag)
})

/** How a session's host that lives cannot be asked, where nobody answers at its address; null where it is gone. */
export const unreachedHost = (tag: Tag, error: NoHostError) =>
  noHost(tag, error).pipe(
    Effect.catchTags({
      NoSessionError: () => Effect.succeed(null),
      UnreachedHostError: ({ unreached }) => Effect.succeed(unreached)
    })
  )

const greeted = (
  tag: Tag,
  hello: Effect.Success<ReturnType<HostClient["Hello"]>>
): Effect.Effect<void, NoSessionError | ProtocolMismatchError> => {
  if (hello.protocol !== protocolVersion) return Effect.fail(new ProtocolMismatchError({ tag, host: hello.version }))
  return hello.ended ? Effect.fail(new NoSessionError({ tag, ended: true })) : Effect.void
}

/** What a call gives, or none where its host ended during it. */
export const whileHostLives = <A, E extends { readonly _tag: string }, R>(call: Effect.Effect<A, E, R>) =>
  Effect.map(call, Option.some).pipe(
    Effect.catchCause((cause) => (hasHostLeft(cause) ? Effect.succeed(Option.none<A>()) : Effect.failCause(cause)))
  )

/** Fails: there is nothing that tells of a session, or nothing that can be read. */
export const noSessionOf = Effect.fnUntraced(function* (tag: Tag) {
  const { status } = (yield* Paths).session(tag)
  const isDamaged = yield* (yield* StatusStore).isDamaged(status)
  return yield* new NoSessionError({ tag, ended: false, ...(isDamaged ? { damaged: status } : {}) })
})

/** The last stored status of a session without a host. */
export const lastStatus = Effect.fn("client.lastStatus")(function* (tag: Tag) {
  const paths = (yield* Paths).session(tag)
  const last = yield* (yield* StatusStore).read(paths.status)
  if (Option.isNone(last)) return Option.none<SessionStatus>()
  const { problem, records } = yield* (yield* QueueStore).recover(paths.queue)
  const queue = leftQueue(records, yield* Clock.currentTimeMillis)
  return Option.some(withoutHost(last.value, queue, problem))
})

/** A host's status, with what was found damaged in the log of its queue. */
export const withQueueProblem = Effect.fnUntraced(function* (tag: Tag, status: SessionStatus) {
  const { queue } = (yield* Paths).session(tag)
  return { ...status, queueProblem: yield* (yield* QueueStore).damage(queue) } satisfies SessionStatus
})

/**
 * One session's status: from its host, else the stored one. A host that does not answer in time is reported as stuck.
 */
export const statusOf = Effect.fn("client.statusOf")(function* (tag: Tag) {
  return yield* Effect.gen(function* () {
    const status = yield* askHost(tag, (client) => client.Status())
    return Option.some(yield* withQueueProblem(tag, status))
  }).pipe(
    Effect.timeout("3 seconds"),
    Effect.catch((error) =>
      error._tag === "NoSessionError"
        ? lastStatus(tag)
        : Effect.map(
            writtenStatus(tag),
            Option.map((status) =>
              unreachable(status, error._tag === "UnreachedHostError" ? error.unreached : { _tag: "Hangs" })
            )
          )
    )
  )
})

/** The status as the host last wrote it. */
export const writtenStatus = (tag: Tag) =>
  Effect.gen(function* () {
    return yield* (yield* StatusStore).read((yield* Paths).session(tag).status)
  })

/** Why these sessions are not among those that have a status: theirs is there, and cannot be read. */
export const damagedStatuses = Effect.fn("client.damagedStatuses")(function* (known: ReadonlyArray<SessionStatus>) {
  const tags = yield* (yield* Paths).tags
  const others = tags.filter((tag) => !known.some((status) => status.tag === tag))
  const found = yield* Effect.forEach(others, (tag) => Effect.flip(noSessionOf(tag)))
  return found.filter(({ damaged }) => damaged !== undefined)
})

/** All sessions that have a status, queried in parallel. */
export const allStatuses = Effect.fn("client.allStatuses")(function* () {
  const tags = yield* (yield* Paths).tags
  const statuses = yield* Effect.forEach(tags, statusOf, { concurrency: 16 })
  return statuses.flatMap((status) => Option.toArray(status))
})
