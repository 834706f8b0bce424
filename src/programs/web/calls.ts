import { Cause, Effect, Option, Schema } from "effect"
import { isSameNeed } from "../../domain/words/attention/Need.ts"
import { needsOf } from "../../domain/words/attention/needsOf.ts"
import type { Call } from "../../domain/surfaces/operations/calls.ts"
import { doneLine } from "../../domain/surfaces/operations/doneWords.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { plainText } from "../../domain/surfaces/web/plainText.ts"
import { answerFor, isSameQuestion, webNeed } from "../../domain/surfaces/web/webSession.ts"
import { connectTo } from "../client/client.ts"
import { statusOf } from "../client/statuses.ts"
import { describe, fail } from "../exit.ts"
import { callSession } from "../sessions/callSession.ts"
import { callPatience } from "../client/callPatience.ts"

/** What became of a call, as a page is told it. */
export interface CallAnswer {
  readonly isDone: boolean
  readonly said: string
  readonly text: string | null
}

/** How much of a text to read a page gets, in characters. */
const textMost = 32_768

/** That something was not done, and why. */
export const notDone = (why: string): CallAnswer => ({ isDone: false, said: plainText(why, 500), text: null })

/** A page shows a dialog without what could deceive: the dialog itself takes its place, where it is still the one. */
const withOwnQuestion = Effect.fnUntraced(function* (tag: Tag, call: Call) {
  if (call._tag !== "Answer" || call.question === undefined) return call
  const { question = null } = yield* (yield* connectTo(tag)).Status()
  if (question === null) return yield* fail("refused", `there is no dialog any more: '${tag}' goes on`)
  if (!isSameQuestion(question, call.question))
    return yield* fail("refused", "the dialog has changed since you saw it: look at it again")
  return { ...call, answer: answerFor(question, call.answer), question }
}, Effect.scoped)

/** So does it with what a session needs. */
const withOwnNeeds = Effect.fnUntraced(function* (tag: Tag, call: Call) {
  if (call._tag !== "Dismiss" || call.needs === null) return call
  const { needs } = call
  const status = Option.getOrNull(yield* statusOf(tag))
  const own = status === null ? [] : needsOf(status)
  return { ...call, needs: own.filter((need) => needs.some((shown) => isSameNeed(shown, webNeed(need)))) }
})

const perform = Effect.fnUntraced(function* (given: string, call: Call) {
  const tag = yield* Schema.decodeEffect(Tag)(given)
  const { about, done, note, text } = yield* callSession(
    tag,
    yield* withOwnNeeds(tag, yield* withOwnQuestion(tag, call))
  )
  const said = [doneLine(done, about), note ?? ""].filter((part) => part !== "").join("; ")
  return {
    isDone: true,
    said: plainText(said, 500),
    text: text === null ? null : plainText(text, textMost)
  } satisfies CallAnswer
})

/** Does what a page asks for. Never fails. */
export const carryOut = (tag: string, call: Call) =>
  perform(tag, call).pipe(
    Effect.timeout(callPatience),
    Effect.catch((error) => Effect.succeed(notDone(describe(error).message))),
    // a host that exits interrupts what it was asked
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.succeed(notDone(`the host of '${tag}' ended while it was asked`))
        : Effect.as(Effect.logWarning(cause), notDone("this is a bug in leap; its terminal tells more"))
    )
  )

/** A tag as a page gives it, or none. */
export const tagOf = (text: string): Option.Option<Tag> => Schema.decodeUnknownOption(Tag)(text)
