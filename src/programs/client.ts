import { Clock, Effect, Option, Schema } from "effect"
import { messages, recover, replayLog } from "../domain/Queue.ts"
import type { SessionStatus } from "../domain/Session.ts"
import type { Tag } from "../domain/Tag.ts"
import { type ConnectOptions, ControlSocket, type HostClient } from "../services/ControlSocket.ts"
import { protocolVersion } from "../services/HostRpc.ts"
import { Paths } from "../services/Paths.ts"
import { QueueStore } from "../services/QueueStore.ts"
import { StatusStore } from "../services/StatusStore.ts"

/** There is no running session of this name. */
export class NoSessionError extends Schema.TaggedError<NoSessionError>()("NoSessionError", {
  tag: Schema.String,
  ended: Schema.Boolean
}) {
  override get message() {
    return this.ended
      ? `session '${this.tag}' has ended; 'leap ${this.tag}' starts it again`
      : `there is no session '${this.tag}'; 'leap ${this.tag}' starts one`
  }
}

/** The host speaks another version of the control protocol. */
export class ProtocolMismatchError extends Schema.TaggedError<ProtocolMismatchError>()("ProtocolMismatchError", {
  tag: Schema.String,
  host: Schema.String
}) {
  override get message() {
    return `session '${this.tag}' is run by leap ${this.host}, which this one cannot talk to: use that version, or stop the session`
  }
}

/** A host on a machine that hardly moves answers within this. */
const helloPatience = "15 seconds"

/** Connects to a running session's host; the connection ends with the scope. */
export const connectTo = Effect.fn("client.connectTo")(function*(tag: Tag, options?: ConnectOptions) {
  const paths = (yield* Paths).session(tag)
  const client: HostClient = yield* (yield* ControlSocket).connect(paths.socket, options).pipe(
    Effect.catchTag("NoHostError", () =>
      Effect.flatMap(lastStatus(tag), (last) => new NoSessionError({ tag, ended: Option.isSome(last) })))
  )
  const hello = yield* Effect.timeout(client.Hello(), helloPatience)
  if (hello.protocol !== protocolVersion) return yield* new ProtocolMismatchError({ tag, host: hello.version })
  if (hello.ended) return yield* new NoSessionError({ tag, ended: true })
  return client
})

/** What a session that no host answers for left behind. One that never said how it ended has crashed; its queue is held. */
export const lastStatus = Effect.fn("client.lastStatus")(function*(tag: Tag) {
  const paths = (yield* Paths).session(tag)
  const last = yield* (yield* StatusStore).read(paths.status)
  if (Option.isNone(last)) return Option.none<SessionStatus>()
  const records = yield* (yield* QueueStore).read(paths.queue).pipe(Effect.orElseSucceed(() => []))
  const left = replayLog(records)
  // as the next host will find it
  const queue = messages(replayLog(recover(left, yield* Clock.currentTimeMillis), left))
  return Option.some<SessionStatus>({
    ...last.value,
    attached: 0,
    hostPid: null,
    pid: null,
    queue,
    ...(last.value.exit === null
      ? {
        state: "exited" as const,
        ready: false,
        dialog: false,
        reason: "its host died without a word",
        problem: { kind: "crashed" as const, message: "the session's host died without a word; its queue is kept", until: null }
      }
      : {})
  })
})

/** One session's status: from its host, else what it left behind. A host that does not answer in time is said to be stuck. */
export const statusOf = Effect.fn("client.statusOf")(function*(tag: Tag) {
  return yield* Effect.gen(function*() {
    const client = yield* connectTo(tag)
    return Option.some(yield* client.Status())
  }).pipe(
    Effect.scoped,
    Effect.timeout("3 seconds"),
    Effect.catch((error) =>
      error._tag === "NoSessionError" ? lastStatus(tag) : Effect.map(writtenStatus(tag), Option.map(unreachable))
    )
  )
})

/** The status as the host wrote it last. */
const writtenStatus = (tag: Tag) =>
  Effect.gen(function*() {
    return yield* (yield* StatusStore).read((yield* Paths).session(tag).status)
  })

/** A host that lives and does not answer: what it wrote last stands, but nothing may be sent. */
const unreachable = (status: SessionStatus): SessionStatus => ({
  ...status,
  ready: false,
  reason: "its host does not answer",
  problem: { kind: "stuck", message: "the session's host does not answer", until: null }
})

/** All sessions that have a status, asked in parallel. */
export const allStatuses = Effect.fn("client.allStatuses")(function*() {
  const tags = yield* (yield* Paths).tags
  const statuses = yield* Effect.forEach(tags, statusOf, { concurrency: 16 })
  return statuses.flatMap((status) => Option.toArray(status))
})
