import { Effect, Option, Stream } from "effect"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { turnOver, turnToCome } from "../../domain/words/session/states.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { connectTo, NoSessionError, noSessionOf } from "./client.ts"
import { statusOf, withQueueProblem } from "./statuses.ts"

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
