import { Effect, Option, Stream } from "effect"
import { oneLine } from "../domain/StateLine.ts"
import type { SessionStatus } from "../domain/Session.ts"
import type { Tag } from "../domain/Tag.ts"
import { Paths } from "../services/Paths.ts"
import { StatusStore } from "../services/StatusStore.ts"
import { attach } from "./attach.ts"
import { connectTo, lastStatus, statusOf } from "./client.ts"
import { fail } from "./exit.ts"

/** A CLI that has neither come up nor ended by then is left to itself. */
const patience = "30 seconds"

/** Waits until a resumed session's CLI is up. Fails with what it showed last when it ended instead: it would not resume. */
export const awaitStart = Effect.fn("awaitStart")(function*(tag: Tag) {
  const up = Effect.gen(function*() {
    const client = yield* connectTo(tag, { patient: true })
    return yield* client.Watch().pipe(Stream.filter(({ state }) => state !== "starting"), Stream.runHead)
  }).pipe(Effect.scoped, Effect.catch(() => Effect.succeedNone), Effect.timeoutOption(patience))
  const seen = yield* up
  if (Option.isNone(seen)) return
  const status = Option.isSome(seen.value) ? seen.value : yield* lastStatus(tag)
  if (Option.isNone(status) || status.value.state !== "exited") return
  return yield* unresumed(tag, status.value)
})

const unresumed = Effect.fnUntraced(function*(tag: Tag, { displayName }: SessionStatus) {
  const screen = yield* (yield* StatusStore).readScreen((yield* Paths).session(tag).screen)
  const words = Option.getOrElse(screen, () => "").split("\n").map((line) => line.trim()).filter((line) => line !== "").at(-1)
  return yield* fail("refused", `${displayName} did not resume the session: ${words === undefined ? "it ended without a word" : oneLine(words, 200)}`)
})

/** Attaches to a resumed session. One whose CLI ended before it was up fails as {@link awaitStart} does, whatever code it ended with. */
export const attachResumed = Effect.fn("attachResumed")(function*(tag: Tag) {
  let up = false
  const client = yield* connectTo(tag, { patient: true })
  yield* client.Watch().pipe(
    Stream.runForEach(({ state }) => Effect.sync(() => {
      if (state !== "starting" && state !== "exited") up = true
    })),
    Effect.exit,
    Effect.forkScoped
  )
  const attached = yield* Effect.result(attach({ tag, readOnly: false }))
  const status = up ? Option.none() : yield* statusOf(tag)
  if (Option.isSome(status) && status.value.state === "exited") return yield* unresumed(tag, status.value)
  return yield* Effect.fromResult(attached)
}, Effect.scoped)
