import { Effect, Fiber, Option, Stream } from "effect"
import { unreachable } from "../../domain/words/session/hostUnreached.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import type { HostClient, NoHostError } from "../../services/ControlSocket.ts"
import { Paths } from "../../services/Paths.ts"
import { QueueStore } from "../../services/QueueStore.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { connecting, connectTo, lastStatus, noHost, NoSessionError, noSessionOf, withHost } from "./client.ts"
import { turnOver, turnToCome } from "../../domain/words/session/states.ts"

/** Connects, and calls at the same time, so that the host wakes up only once, which is most of the cost. */
export const askHost = Effect.fn("client.askHost")(function* <A, E, R>(
  tag: Tag,
  ask: (client: HostClient) => Effect.Effect<A, E, R>
) {
  return yield* Effect.scoped(
    Effect.flatMap(
      // a fork, so that the call follows the greeting
      connecting(tag, undefined, (client) => Effect.forkScoped(ask(client))),
      Fiber.join
    )
  )
})

/** Why a session's living host cannot be reached if nobody answers on its socket; null if it is gone. */
export const unreachedHost = (tag: Tag, error: NoHostError) =>
  noHost(tag, error).pipe(
    Effect.catchTags({
      NoSessionError: () => Effect.succeed(null),
      UnreachedHostError: ({ unreached }) => Effect.succeed(unreached)
    })
  )

export const withQueueProblem = Effect.fnUntraced(function* (tag: Tag, status: SessionStatus) {
  const { queue } = (yield* Paths).session(tag)
  return { ...status, queueProblem: yield* (yield* QueueStore).damage(queue) } satisfies SessionStatus
})

/** A session's status, from its host or stored; a stopped or silent host is reported as stuck. */
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

export const writtenStatus = Effect.fnUntraced(function* (tag: Tag) {
  return yield* (yield* StatusStore).read((yield* Paths).session(tag).status)
})

export const damagedStatuses = Effect.fn("client.damagedStatuses")(function* (known: ReadonlyArray<SessionStatus>) {
  const tags = yield* (yield* Paths).tags
  const others = tags.filter((tag) => !known.some((status) => status.tag === tag))
  const found = yield* Effect.forEach(others, (tag) => Effect.flip(noSessionOf(tag)))
  return found.filter(({ damaged, unseen }) => (damaged ?? unseen) !== undefined)
})

/** All sessions that have a status, queried in parallel. */
export const allStatuses = Effect.fn("client.allStatuses")(function* () {
  const tags = yield* (yield* Paths).tags
  const statuses = yield* Effect.forEach(tags, statusOf, { concurrency: 16 })
  return statuses.flatMap((status) => Option.toArray(status))
})

export const requireStatus = Effect.fn("requireStatus")(function* (tag: Tag) {
  const status = yield* statusOf(tag)
  if (Option.isNone(status)) return yield* noSessionOf(tag)
  return status.value
})

export const statusChanges = (tag: Tag) =>
  Stream.unwrap(Effect.map(connectTo(tag, { patient: true }), (client) => client.Watch())).pipe(
    Stream.mapEffect((status) => withQueueProblem(tag, status))
  )

/** The first status in one of these states. With null, the first whose turn is over and has no successor queued. */
export const awaitState = Effect.fn("awaitState")(function* (tag: Tag, states: ReadonlySet<string> | null) {
  const wanted: ReadonlySet<string> = states ?? turnOver
  const first = yield* requireStatus(tag)
  if (first.state === "exited") return wanted.has("exited") ? first : yield* new NoSessionError({ tag, ended: true })
  const reached = yield* statusChanges(tag).pipe(
    Stream.filter((status) => wanted.has(status.state) && (states !== null || !turnToCome(status))),
    Stream.runHead,
    // if the host dies meanwhile, the stored status is read below
    Effect.catchTag("RpcClientError", () => Effect.succeed(Option.none<SessionStatus>()))
  )
  if (Option.isSome(reached)) return reached.value
  const last = yield* requireStatus(tag)
  return wanted.has(last.state) ? last : yield* new NoSessionError({ tag, ended: true })
})

interface ScreenText {
  readonly text: string
  readonly cols: number | null
  readonly rows: number | null
}

/** The session's screen; for an ended session the last one, which often shows why it ended. */
export const screenOf = Effect.fn("screenOf")(function* (tag: Tag) {
  return yield* Effect.map(
    withHost(tag, (client) => client.Screen()),
    (screen): ScreenText => screen
  ).pipe(
    Effect.catchTag(
      "NoSessionError",
      Effect.fnUntraced(function* (error) {
        const last = yield* (yield* StatusStore).readScreen((yield* Paths).session(tag).screen)
        return Option.isSome(last) ? ({ text: last.value, cols: null, rows: null } satisfies ScreenText) : yield* error
      })
    )
  )
})
