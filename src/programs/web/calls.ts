import { Cause, Effect, type Option, Schema } from "effect"
import { Tag } from "../../domain/session/Tag.ts"
import { plainText } from "../../domain/web/plainText.ts"
import type { WebCall } from "../../domain/web/Frames.ts"
import { isSameQuestion } from "../../domain/web/webSession.ts"
import { System } from "../../services/System.ts"
import { connectTo } from "../client/client.ts"
import { sendMessage } from "../client/sendMessage.ts"
import { describe, fail } from "../exit.ts"

/** Longer than a host needs to deliver what is on its way before it interrupts. */
const patience = "40 seconds"

const perform = Effect.fnUntraced(function* (call: WebCall) {
  const tag = yield* Schema.decodeEffect(Tag)(call.tag)
  const client = yield* connectTo(tag)
  switch (call._tag) {
    case "Send": {
      const id = call.id ?? (yield* (yield* System).newId)
      yield* sendMessage(tag, client, { id, text: call.text, images: [], front: false, force: false })
      return
    }
    case "Remove":
      return yield* client.QueueRemove({ id: call.message })
    case "Release":
      yield* client.QueueRelease({ id: call.message })
      return
    case "Retry":
      yield* client.QueueRetry({ id: call.message })
      return
    case "Edit":
      return yield* client.QueueEdit({ id: call.message, text: call.text })
    case "Move":
      return yield* client.QueueMove({ id: call.message, position: call.position })
    case "Answer": {
      const { question = null } = yield* client.Status()
      if (question === null) return yield* fail("refused", `there is no dialog any more: '${tag}' goes on`)
      const option = question.options[call.option]
      if (!isSameQuestion(question, call.question) || option === undefined) {
        return yield* fail("refused", "the dialog has changed since you saw it: look at it again")
      }
      yield* client.Answer({ answer: option.number === null ? option.label : String(option.number), question })
      return
    }
    case "Interrupt":
      return yield* client.Interrupt()
  }
})

/** Does what a page asks for; the reason where it could not be done, else null. Never fails. */
export const carryOut = (call: WebCall) =>
  perform(call).pipe(
    Effect.scoped,
    Effect.timeout(patience),
    Effect.as(null),
    Effect.catch((error) => Effect.succeed(plainText(describe(error).message, 500))),
    // a host that exits interrupts what it was asked
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.succeed(`the host of '${call.tag}' ended while it was asked`)
        : Effect.as(Effect.logWarning(cause), "this is a bug in leap; its terminal tells more")
    )
  )

/** A tag as a page gives it, or none. */
export const tagOf = (text: string): Option.Option<Tag> => Schema.decodeUnknownOption(Tag)(text)
