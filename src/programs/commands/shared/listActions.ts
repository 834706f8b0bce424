import { Effect, Result } from "effect"
import type { Call } from "../../../domain/surfaces/operations/calls.ts"
import { doneLine } from "../../../domain/surfaces/operations/doneWords.ts"
import { named } from "../../../domain/surfaces/monitor/MonitorState.ts"
import type { Tag } from "../../../domain/words/session/Tag.ts"
import { oneLine } from "../../../domain/words/text/printable.ts"
import type { ListCommand, Said } from "../../../services/RemoteRpc.ts"
import { callTimeout } from "../../client/callHost.ts"
import { describe, fail } from "../../exit.ts"
import { callSession } from "../../sessions/callSession.ts"
import { forgetEnded, quietly, resumeEnded, tagged } from "./manage.ts"

export const good = (text: string): Said => ({ text: oneLine(text, 300), bad: false })
export const bad = (text: string): Said => ({ text: oneLine(text, 300), bad: true })

const concurrency = 8
export const saidLast = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.map(quietly(run), (lines) => lines.at(-1) ?? "")

/** Acts on each session and reports the result; for several, how many succeeded and what failed. */
const each = <E, R>(
  tags: ReadonlyArray<string>,
  done: (who: string) => string,
  act: (tag: Tag) => Effect.Effect<string, E, R>
): Effect.Effect<Said, never, R> =>
  Effect.gen(function* () {
    const results = yield* Effect.forEach(
      tags,
      (tag) =>
        Effect.result(
          Effect.timeoutOrElse(Effect.flatMap(tagged(tag), act), {
            duration: callTimeout,
            orElse: () => Effect.fail(fail("timedOut", "it does not answer"))
          })
        ),
      { concurrency }
    )
    const failed = results.flatMap((result, i) =>
      Result.isFailure(result) ? [{ tag: tags[i] ?? "", why: describe(result.failure).message }] : []
    )
    const succeeded = results.flatMap((result) => (Result.isSuccess(result) ? [result.success] : []))
    const [first] = failed
    if (first === undefined) {
      const [only = ""] = succeeded
      return good(tags.length === 1 && only !== "" ? only : done(named(tags)))
    }
    if (tags.length === 1) return bad(`${first.tag}: ${first.why}`)
    const rest = failed.length > 1 ? ` (and ${failed.length - 1} more)` : ""
    const others =
      succeeded.length === 0 ? "" : `${done(named(tags.filter((_, i) => Result.isSuccess(results[i]!))))}; `
    return bad(`${others}not ${first.tag}: ${first.why}${rest}`)
  })

const doneWord = (call: Call) => (who: string) => `${manyWords[call._tag] ?? "done"}: ${who}`
const manyWords: Partial<Record<Call["_tag"], string>> = {
  Send: "queued",
  Answer: "answered",
  Interrupt: "interrupted",
  QueueRetry: "tried again",
  SetModes: "modes changed",
  Dismiss: "dismissed",
  Stop: "stopped"
}

/** The changes of a session's work tree, or why there are none. */
export const compare = (tag: string, against: string | null) =>
  Effect.flatMap(tagged(tag), (tag) => callSession(tag, { _tag: "Changes", against })).pipe(
    Effect.timeout(callTimeout),
    Effect.match({
      onSuccess: ({ done }) => (done._tag === "Changes" ? done.result : ""),
      onFailure: (error) => describe(error).message
    })
  )

/** Does what a list of this machine's sessions is asked for. */
export const perform = Effect.fn("listActions.perform")(function* (command: ListCommand) {
  switch (command._tag) {
    case "Do": {
      const { call, tags } = command
      return yield* each(tags, doneWord(call), (tag) =>
        Effect.map(callSession(tag, call), ({ about, done, note }) => `${tag}: ${note ?? doneLine(done, about)}`)
      )
    }
    case "Forget":
      return yield* each(
        command.tags,
        (who) => `forgotten: ${who}`,
        (tag) => saidLast(forgetEnded(tag, command.force))
      )
    case "Resume":
      return yield* each(
        command.tags,
        (who) => `resumed: ${who}`,
        (tag) => saidLast(resumeEnded(tag))
      )
  }
})
