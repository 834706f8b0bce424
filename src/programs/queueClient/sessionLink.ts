import { Cause, Clock, Effect, Exit, Option, Queue, Ref, Stream } from "effect"
import type { ClientEvent } from "../../domain/surfaces/queueClient/QueueClient.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { exitText } from "../../domain/words/session/exitText.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import { connectTo } from "../client/client.ts"
import { withQueueProblem } from "../client/statuses.ts"
import { goOnAdvice } from "../client/goOn.ts"
import { describe } from "../exit.ts"

/** How often a session that does not run is looked for. */
const lookAgain = "500 millis"

/**
 * Tells of a session's status as it changes, and holds its host's client in `current` while there is one. It outlives
 * the session: a restart, a move and another host of the tag are joined as they come.
 */
export const sessionLink = Effect.fn("sessionLink")(function* (
  tag: Tag,
  current: Ref.Ref<Option.Option<HostClient>>,
  events: Queue.Enqueue<ClientEvent>
) {
  /** How the session ended, where it told. */
  let ending: string | null = null
  /** One host's life. */
  const life = Effect.gen(function* () {
    const client = yield* connectTo(tag)
    ending = null
    yield* Ref.set(current, Option.some(client))
    yield* client.Watch().pipe(
      Stream.runForEach(
        Effect.fnUntraced(function* (status) {
          if (status.exit !== null) ending = `session '${tag}' ended: ${exitText(status.exit)}`
          const seen = yield* withQueueProblem(tag, status)
          yield* Queue.offer(events, { _tag: "Came", status: seen, at: yield* Clock.currentTimeMillis })
        })
      )
    )
  }).pipe(Effect.scoped, Effect.ensuring(Ref.set(current, Option.none())))
  for (let told = false; ; told = true) {
    // a host that exits interrupts what it was asked
    const end = yield* Effect.exit(life)
    const error = Exit.isFailure(end) ? Option.getOrNull(Cause.findErrorOption(end.cause)) : null
    // what is tried again each moment is told once
    if ((error?._tag !== "NoSessionError" && error?._tag !== "UnreachedHostError") || !told) {
      const lost = error === null || error._tag === "RpcClientError"
      const said = ending ?? (lost ? `the host of session '${tag}' ended without a word` : describe(error).message)
      const advice = lost || ending !== null ? ` (${yield* goOnAdvice(tag)})` : ""
      yield* Queue.offer(events, { _tag: "Left", why: said + advice })
    }
    yield* Effect.sleep(lookAgain)
  }
})
