import { Cause, Clock, Effect, Exit, Fiber, Option, Schema } from "effect"
import { leftQueue } from "../../domain/queue/Leftovers.ts"
import type { SessionStatus } from "../../domain/session/Session.ts"
import type { Tag } from "../../domain/session/Tag.ts"
import { withoutHost } from "../../domain/session/withoutHost.ts"
import { damagedStatus, noSession } from "../../domain/wording/noSession.ts"
import { type ConnectOptions, ControlSocket, type HostClient } from "../../services/ControlSocket.ts"
import { protocolVersion } from "../../services/HostProtocol.ts"
import { Paths } from "../../services/Paths.ts"
import { QueueStore } from "../../services/QueueStore.ts"
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

const openTo = (tag: Tag, options?: ConnectOptions) =>
  Effect.gen(function* () {
    const paths = (yield* Paths).session(tag)
    return yield* (yield* ControlSocket)
      .connect(paths.socket, options)
      .pipe(
        Effect.catchTag("NoHostError", () =>
          Effect.flatMap(lastStatus(tag), (last) =>
            Option.isSome(last) ? new NoSessionError({ tag, ended: true }) : noSessionOf(tag)
          )
        )
      )
  })

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
      error._tag === "NoSessionError" ? lastStatus(tag) : Effect.map(writtenStatus(tag), Option.map(unreachable))
    )
  )
})

/** The status as the host last wrote it. */
export const writtenStatus = (tag: Tag) =>
  Effect.gen(function* () {
    return yield* (yield* StatusStore).read((yield* Paths).session(tag).status)
  })

/** The status of a host that lives but does not answer: what it wrote last, except that nothing may be sent. */
export const unreachable = (status: SessionStatus): SessionStatus => ({
  ...status,
  ready: false,
  reason: "its host does not answer",
  problem: { kind: "stuck", message: "the session's host does not answer", until: null }
})

/** All sessions that have a status, queried in parallel. */
export const allStatuses = Effect.fn("client.allStatuses")(function* () {
  const tags = yield* (yield* Paths).tags
  const statuses = yield* Effect.forEach(tags, statusOf, { concurrency: 16 })
  return statuses.flatMap((status) => Option.toArray(status))
})
