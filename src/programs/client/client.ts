import { Cause, Clock, Effect, Exit, Option, Schedule, Schema } from "effect"
import { leftQueue } from "../../domain/engine/queue/Leftovers.ts"
import { type Unreached, unreachedText } from "../../domain/words/session/hostUnreached.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { withoutHost } from "../../domain/words/session/withoutHost.ts"
import { damagedStatus, noSession, unseenStatus } from "../../domain/words/wording/noSession.ts"
import { type ConnectOptions, ControlSocket, type HostClient, type NoHostError } from "../../services/ControlSocket.ts"
import { protocolVersion } from "../../services/HostProtocol.ts"
import { Paths } from "../../services/Paths.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { QueueStore } from "../../services/QueueStore.ts"
import { SessionLock } from "../../services/SessionLock.ts"
import { StatusStore } from "../../services/StatusStore.ts"

/** No session with this tag is running. */
export class NoSessionError extends Schema.TaggedError<NoSessionError>()("NoSessionError", {
  tag: Schema.String,
  ended: Schema.Boolean,
  /** The file of its status, if that is damaged, or cannot be looked at. */
  damaged: Schema.optionalKey(Schema.String),
  unseen: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    if (this.damaged !== undefined) return damagedStatus(this.tag, this.damaged)
    if (this.unseen !== undefined) return unseenStatus(this.tag, this.unseen)
    return this.ended ? `session '${this.tag}' has ended; 'leap ${this.tag}' starts it again` : noSession(this.tag)
  }
}

/** The session runs, but its host cannot be reached. */
export class UnreachedHostError extends Schema.TaggedError<UnreachedHostError>()("UnreachedHostError", {
  tag: Schema.String,
  pid: Schema.NullOr(Schema.Int),
  socket: Schema.String,
  why: Schema.String,
  hangs: Schema.Boolean,
  stopped: Schema.Boolean,
  /** A request was sent; the host may read it when it continues. */
  asked: Schema.Boolean,
  /** The log in which the host reports why it cannot bind its socket again. */
  log: Schema.String
}) {
  get unreached(): Unreached {
    const { hangs, pid, socket, stopped, why } = this
    if (!hangs) return { _tag: "NoAddress", pid, socket, why }
    return stopped && pid !== null ? { _tag: "Hangs", stopped: pid } : { _tag: "Hangs" }
  }
  override get message() {
    return (
      `session '${this.tag}' runs: ${unreachedText(this.unreached)}` +
      `${this.asked ? ", and what was asked may be done then" : ""} (its log: ${this.log}); ` +
      `'leap stop ${this.tag} --force' ends it`
    )
  }
}

/** The host speaks another version of the control protocol. */
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

/** A host answers within this time even on a heavily loaded machine. */
const helloTimeout = "15 seconds"

/** How long (milliseconds) to try again after a host that ended before its greeting. */
const endingMs = 1_000

/** Connects to a session's host for the scope. If the host ends meanwhile it tries again, since another may follow. */
export const connectTo = Effect.fn("client.connectTo")(function* (tag: Tag, options?: ConnectOptions) {
  return yield* connecting(tag, options, Effect.succeed)
})

/** Calls a session's host on a connection of its own. */
export const withHost = <A, E, R>(tag: Tag, call: (client: HostClient) => Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.flatMap(connectTo(tag), call))

/** Time before the first check whether a silent host is stopped, and between further checks. */
const firstLook = "200 millis"
const lookPause = "1 second"

/** The host's pid if it is stopped; else null. Null also if its socket is gone: nobody waits for such a host. */
const stoppedHost = Effect.fnUntraced(function* (tag: Tag) {
  const { lock, socket } = (yield* Paths).session(tag)
  const pid = (yield* (yield* SessionLock).holder(lock))?.pid ?? null
  if (pid === null || !(yield* (yield* ProcessTable).isStopped(pid))) return null
  const hasAddress = (yield* ControlSocket).connect(socket).pipe(
    Effect.as(true),
    Effect.scoped,
    Effect.catch(({ alive }) => Effect.succeed(alive === true))
  )
  return (yield* hasAddress) ? pid : null
})

const untilStopped = Effect.fnUntraced(function* (tag: Tag, asked: boolean, known: number | null = null) {
  const { lock, log, socket } = (yield* Paths).session(tag)
  const processes = yield* ProcessTable
  if (known === null || !(yield* processes.isStopped(known))) yield* Effect.sleep(firstLook)
  // checking the lock costs more than checking a process; without a holder there is no host to wait for
  const first = (yield* (yield* SessionLock).holder(lock))?.pid ?? null
  if (first === null) return yield* Effect.never
  for (;;) {
    const pid = (yield* processes.isStopped(first)) ? yield* stoppedHost(tag) : null
    if (pid !== null)
      return yield* new UnreachedHostError({ tag, pid, socket, why: "", hangs: true, stopped: true, asked, log })
    yield* Effect.sleep(lookPause)
  }
})

/** Waits for a host's answer, but fails once its process is stopped. A `known` process is checked immediately. */
export const unlessStopped = <A, E, R>(tag: Tag, waiting: Effect.Effect<A, E, R>, known: number | null = null) =>
  Effect.raceFirst(waiting, untilStopped(tag, true, known))

/** Connects, runs `begin`, and then greets. What `begin` forks is sent right behind the greeting. */
export const connecting = Effect.fnUntraced(function* <A, R>(
  tag: Tag,
  options: ConnectOptions | undefined,
  begin: (client: HostClient) => Effect.Effect<A, never, R>
) {
  const since = yield* Clock.currentTimeMillis
  for (;;) {
    const client = yield* openTo(tag, options)
    const begun = yield* begin(client)
    const hello = yield* Effect.exit(
      Effect.raceFirst(Effect.timeout(client.Hello(), helloTimeout), untilStopped(tag, false))
    )
    if (Exit.isSuccess(hello)) return yield* Effect.as(greeted(tag, hello.value), begun)
    const isOver = (yield* Clock.currentTimeMillis) - since > endingMs
    if (isOver || !hasHostLeft(hello.cause)) return yield* Effect.failCause(hello.cause)
    yield* Effect.sleep("50 millis")
  }
})

/** A killed host breaks the connection, and an exiting host interrupts its calls. */
const hasHostLeft = <E extends { readonly _tag: string }>(cause: Cause.Cause<E>): boolean =>
  Cause.hasInterruptsOnly(cause) || Option.exists(Cause.findErrorOption(cause), ({ _tag }) => _tag === "RpcClientError")

/** A host binds its socket again within this time if it was removed, and at its start. */
const addressTimeout = "2 seconds"

const openTo = Effect.fnUntraced(function* (tag: Tag, options?: ConnectOptions) {
  const paths = (yield* Paths).session(tag)
  const sockets = yield* ControlSocket
  return yield* Effect.suspend(() => sockets.connect(paths.socket, options)).pipe(
    Effect.catchTag("NoHostError", (error) => noHost(tag, error)),
    Effect.retry({
      while: (error) => error._tag === "UnreachedHostError" && !error.hangs,
      schedule: Schedule.max([Schedule.spaced("100 millis"), Schedule.during(addressTimeout)])
    })
  )
})

/** Fails because nobody answers on the socket. The lock, which the kernel keeps, shows whether its host lives. */
export const noHost = Effect.fnUntraced(function* (tag: Tag, { alive, why }: NoHostError) {
  const { lock, log, socket, status } = (yield* Paths).session(tag)
  const last = yield* (yield* StatusStore).read(status)
  const hangs = alive === true
  // a host that has stored its end has nothing more to report
  if (Option.isNone(last) || last.value.exit === null) {
    const holder = yield* (yield* SessionLock).holder(lock)
    const pid = holder?.pid ?? null
    const found = { socket, why, hangs, asked: false, log }
    const stopped = hangs && pid !== null && (yield* (yield* ProcessTable).isStopped(pid))
    if (holder !== null || hangs) return yield* new UnreachedHostError({ ...found, tag, pid, stopped })
  }
  return yield* Option.isSome(last) ? Effect.fail(new NoSessionError({ tag, ended: true })) : noSessionOf(tag)
})

const greeted = (
  tag: Tag,
  hello: Effect.Success<ReturnType<HostClient["Hello"]>>
): Effect.Effect<void, NoSessionError | ProtocolMismatchError> => {
  if (hello.protocol !== protocolVersion) return Effect.fail(new ProtocolMismatchError({ tag, host: hello.version }))
  return hello.ended ? Effect.fail(new NoSessionError({ tag, ended: true })) : Effect.void
}

/** The result of a call, or none if its host ended meanwhile. */
export const whileHostLives = <A, E extends { readonly _tag: string }, R>(call: Effect.Effect<A, E, R>) =>
  Effect.map(call, Option.some).pipe(
    Effect.catchCause((cause) => (hasHostLeft(cause) ? Effect.succeed(Option.none<A>()) : Effect.failCause(cause)))
  )

/** Fails because a session's status does not exist or cannot be read. */
export const noSessionOf = Effect.fnUntraced(function* (tag: Tag) {
  const { status } = (yield* Paths).session(tag)
  const trouble = yield* (yield* StatusStore).trouble(status)
  return yield* new NoSessionError({ tag, ended: false, ...(trouble === null ? {} : { [trouble]: status }) })
})

/** The last stored status of a session without a host. */
export const lastStatus = Effect.fn("client.lastStatus")(function* (tag: Tag) {
  const paths = (yield* Paths).session(tag)
  const last = yield* (yield* StatusStore).read(paths.status)
  if (Option.isNone(last)) return Option.none<SessionStatus>()
  const { problem, records } = yield* (yield* QueueStore).recover(paths.queue)
  const queue = leftQueue(records, yield* Clock.currentTimeMillis)
  return Option.some(withoutHost(last.value, queue, problem, tag))
})
