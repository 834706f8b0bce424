import { grantingOption } from "../../cli/provider/DialogChoice.ts"
import { answeredVerdict } from "../../engine/approvals/answeredVerdict.ts"
import { asks } from "../../words/session/states.ts"
import type { GivenNotice, Question, SessionStatus } from "../../words/session/Session.ts"
import { answerOf } from "../tui/List.ts"
import { bodyOf } from "../notify/Notice.ts"
import { noticeOptions } from "../notify/Notifications.ts"
import { plainText } from "./plainText.ts"
import { webQuestion } from "./webSession.ts"

export type PushAnswer = "allow" | "deny"

/**
 * What a push says to the service worker of a page. `standing`: the sessions whose notices still hold, so that it can
 * close the others; null if they are too many.
 */
export type PushMessage = { readonly standing: ReadonlyArray<string> | null } & (
  | {
      readonly _tag: "Notice"
      /** The session; "" for a test. */
      readonly tag: string
      readonly title: string
      readonly body: string
      /** The answers that the notification offers to the dialog of this digest. */
      readonly answers: ReadonlyArray<PushAnswer>
      readonly digest: string
    }
  | { readonly _tag: "Over"; readonly tag: string }
)

/** The most bytes of a message, and of the sessions in it: push services take little more. */
const messageMost = 3_000
const standingMost = 800

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

/** The sessions of a message; null if they are too many. */
export const standingIn = (tags: Iterable<string>): ReadonlyArray<string> | null => {
  const all = [...tags]
  return bytesOf(all) > standingMost ? null : all
}

/** The session's open dialog; null if there is none. */
const dialogOf = ({ question = null, state }: SessionStatus): Question | null => (asks(state) ? question : null)

/** A text that names the session's dialog and the moment at which it came; null without a dialog. */
export const dialogName = (status: SessionStatus): string | null => {
  const question = dialogOf(status)
  return question === null ? null : JSON.stringify([status.tag, status.since, webQuestion(question)])
}

/**
 * The plain answers to a session's request for permission: granting it once and nothing more, and refusing it. Other
 * dialogs have none, nor is a request granted by a notification that shows it cut.
 */
export const pushAnswers = (
  status: SessionStatus,
  notice: GivenNotice,
  plainYes: string | null
): { readonly [Answer in PushAnswer]: string | null } => {
  const question = status.state === "needs_permission" ? dialogOf(status) : null
  if (question === null) return { allow: null, deny: null }
  const deny = question.options.find(({ label }) => answeredVerdict(label) === "deny")
  const allow = notice.text.endsWith("…") ? null : grantingOption(question, plainYes)
  return { allow: allow === null ? null : answerOf(allow), deny: deny === undefined ? null : answerOf(deny) }
}

/** The message for a notice. Its body is cut where a push service would refuse it. */
export const noticeMessage = (
  status: SessionStatus,
  { text, title }: GivenNotice,
  more: Pick<Extract<PushMessage, { readonly _tag: "Notice" }>, "answers" | "digest" | "standing">
): PushMessage => {
  const options = noticeOptions(dialogOf(status))
  for (let length = 2_000; ; length = Math.floor(length * 0.8)) {
    const body = bodyOf({ text, options }).slice(0, length).toWellFormed()
    const message: PushMessage = { _tag: "Notice", tag: status.tag, title: plainText(title, 200), body, ...more }
    if (bytesOf(message) <= messageMost) return message
  }
}
