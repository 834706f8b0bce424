import { Deferred, Effect, Scope } from "effect"
import { detachKey, isPressedIn } from "../../domain/terminal/sequences/DetachKey.ts"
import { toLatin1 } from "../../domain/words/text/Bytes.ts"
import { unreachedText } from "../../domain/words/session/hostUnreached.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { Output } from "../../services/Output.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { System } from "../../services/System.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { unlessStopped } from "../client/client.ts"
import { type CommandError, fail } from "../exit.ts"

/** Most hosts answer within milliseconds; after this time a note says that the host is silent. */
const silence = "700 millis"

const interrupt = detachKey("ctrl-c")!

/**
 * Waits for a session's host at the user's terminal. The terminal is raw from the start, so that no key is a signal or
 * goes to the shell. Returns the answer and the keys typed meanwhile; fails if the user leaves. Esc leaves only after
 * the note; before, it may be meant for the CLI.
 */
export const awaitHost = Effect.fn("awaitHost")(function* <A, E, R>(tag: Tag, answer: Effect.Effect<A, E, R>) {
  const scope = yield* Effect.scope
  const { env } = yield* System
  const detach = detachKey(env["LEAP_DETACH_KEY"])
  return yield* Effect.gen(function* () {
    const terminal = yield* UserTerminal
    const { note } = yield* Output
    const typed: Array<Uint8Array> = []
    const left = yield* Deferred.make<never, CommandError>()
    const leaving = fail("cancelled", `left: session '${tag}' has not answered, and nothing that was typed reached it`)
    let isTold = false
    yield* terminal.raw
    yield* terminal.onInput((chunk) => {
      const data = toLatin1(chunk)
      typed.push(chunk)
      if (isPressedIn(interrupt, data) || (detach !== null && isPressedIn(detach, data)) || (isTold && data === "\x1b"))
        Deferred.doneUnsafe(left, Effect.fail(leaving))
    })
    const telling = Effect.gen(function* () {
      yield* Effect.sleep(silence)
      isTold = true
      yield* note(`[session '${tag}' has not answered yet; Esc or Ctrl-C leaves]`)
      return yield* Effect.never
    })
    const answered = Effect.map(Scope.provide(answer, scope), (value) => ({ value, typed }))
    return yield* answered.pipe(Effect.raceFirst(Deferred.await(left)), Effect.raceFirst(telling))
  }).pipe(Effect.scoped)
})

const lookPause = "1 second"

/** Reports that the host of a shown session is stopped; null once it continues. */
export const tellStopped = Effect.fnUntraced(function* (
  tag: Tag,
  tell: (text: string | null) => Effect.Effect<unknown>
) {
  const processes = yield* ProcessTable
  for (;;) {
    const { pid, unreached } = yield* Effect.flip(unlessStopped(tag, Effect.never))
    yield* tell(`${unreachedText(unreached)}; keys wait`)
    while (pid !== null && (yield* processes.isStopped(pid))) yield* Effect.sleep(lookPause)
    yield* tell(null)
  }
})
