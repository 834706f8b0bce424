import { messagesWhich } from "../../words/session/failedMessage.ts"
import { changedModes } from "../../words/wording/changedModes.ts"
import { nameOf } from "../../engine/queue/MessageName.ts"
import { doubtOf } from "../../engine/queue/Leftovers.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import { shortId } from "../../words/session/shortId.ts"
import { oneLine } from "../../words/text/printable.ts"
import type { Done } from "./calls.ts"

export interface DoneWords {
  readonly line: string
  readonly messages: ReadonlyArray<string>
}

const counted = (
  messages: ReadonlyArray<QueuedMessage>,
  count: number,
  one: string,
  many = one,
  nameIn: (message: QueuedMessage) => string = nameOf
): DoneWords => ({
  line: messagesWhich(count, one, many),
  messages: messages.map(nameIn)
})

const draftWords = {
  taken: "the text is out of the CLI's box",
  left: "the text stays in the CLI's box",
  doubt: "the text may still be in the CLI's box"
} as const

const lineOf = (done: Done, name: string): string => {
  switch (done._tag) {
    case "Send":
      return `queued as ${shortId(done.result.id)}`
    case "QueueEdit":
      return `${name} is now “${oneLine(done.call.text, 50)}”`
    case "QueueMove":
      return `moved to position ${done.call.position}: ${name}`
    case "QueueRemove":
      return `removed: ${name}`
    case "QueueForce":
      return `goes out now: ${name}`
    case "Answer":
      return `answered “${oneLine(done.result.dialog, 60)}”: ${oneLine(done.result.answer, 60)}`
    case "Keys":
      return `pressed: ${oneLine(done.call.keys.join(" "), 60)}`
    case "Interrupt":
      return "the turn was interrupted"
    case "SetModes":
      return changedModes(done.result, done.call.modes)
    case "Dismiss": {
      const { dismissed } = done.result
      return dismissed === 0 ? "there is nothing to dismiss" : "dismissed: it is not shown again"
    }
    case "Stop":
      return "it has ended; what is queued is kept"
    case "TakeDraft":
      return draftWords[done.result.outcome]
    case "Finish":
      return done.result.said
    case "PutDraft":
      return "the text stands in the CLI's box, unsent"
    default:
      return ""
  }
}

/** The effect of a call, in words; empty if it has none, as a fetch. `about`: the message that the call names. */
export const doneWords = (done: Done, about: QueuedMessage | undefined): ReadonlyArray<DoneWords> => {
  switch (done._tag) {
    case "QueueClear":
      return [counted(done.result.messages ?? [], done.result.removed, "removed")]
    case "QueueHold":
      return [counted(done.result.messages ?? [], done.result.held, "held")]
    case "QueueRelease": {
      const { messages = [], released } = done.result
      const doubted = (message: QueuedMessage) => `${nameOf(message)}${doubtOf(message)}`
      return [counted(messages, released, "released", "released", doubted)]
    }
    case "QueueRetry": {
      const { behind = [], messages = [], retried } = done.result
      const again = counted(messages, retried, "is sent again", "are sent again")
      const behindWords = ["that waited behind is sent too", "that waited behind are sent too"] as const
      const why = messages[0]?.why ?? null
      const notYet = why === null ? [] : [{ line: `not yet: ${why}`, messages: [] }]
      return [again, ...(behind.length === 0 ? [] : [counted(behind, behind.length, ...behindWords)]), ...notYet]
    }
    default: {
      const line = lineOf(done, about === undefined ? "the message" : nameOf(about))
      return line === "" ? [] : [{ line, messages: [] }]
    }
  }
}

export const doneNotes = (done: Done, about: QueuedMessage | undefined): ReadonlyArray<string> =>
  doneWords(done, about).flatMap(({ line, messages }) => [line, ...messages.map((message) => `  ${message}`)])

export const doneLine = (done: Done, about: QueuedMessage | undefined): string =>
  doneWords(done, about)
    .map(({ line, messages }) => (messages.length === 0 ? line : `${line}: ${messages.join(", ")}`))
    .join("; ")
