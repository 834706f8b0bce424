import { asks } from "../../words/session/states.ts"
import { type DeliveryEvidence } from "./DeliveryEvidence.ts"
import type { Delivery } from "./DeliveryMemory.ts"
import { timing } from "./DeliveryLimits.ts"
import { overBudgetAt, unprovenAt } from "./HookGuard.ts"
import { pauseAt } from "../failure/TurnFailures.ts"
import type { InputProtocol } from "../../cli/provider/InputProtocol.ts"
import type { QueueEntry } from "../queue/Queue.ts"
import { isIdlePromptVisible } from "../tracker/ArrowGate.ts"
import type { DeliveryCause } from "../../words/wording/deliveryWords.ts"
import { isUnsettled, mayShow } from "../../words/reading/TextShape.ts"

/** The unsent text in the box, "" when it is empty; null when no box is on screen. */
export const draftOf = (m: Delivery): string | null => m.evidence.screen?.box?.draft ?? null

/** The box shows this text and no other. */
export const boxShows = (input: InputProtocol, m: Delivery, text: string): boolean => {
  const draft = draftOf(m)
  return draft !== null && draft !== "" && input.showsPasted(draft, text)
}

/** The box shows the text of the message being typed, or the part of it that it showed when it was recognized. */
export const showsTyped = (input: InputProtocol, m: Delivery, text: string): boolean =>
  boxShows(input, m, text) ||
  (m.typing !== null && "shownAs" in m.typing && m.typing.attempt.text === text && draftOf(m) === m.typing.shownAs)

/** Texts that a CLI takes as commands of its own, which may start no turn. */
export const isCommand = (text: string): boolean => /^[/!]/.test(text)

/**
 * Why a command was not accepted, if the CLI has said since Enter (`since`) that it knows no such command; null
 * otherwise.
 */
export const refusalOf = ({ evidence }: Delivery, text: string, since: number): DeliveryCause[number] | null => {
  const [name] = text.split(/\s/, 1)
  return name !== undefined && name === evidence.screen?.refused && evidence.refused.seq > since
    ? ["unknown-command", name]
    : null
}

/** The draft can be read from the screen with certainty: one line, without a placeholder for more. */
export const canPutBack = (draft: string): boolean => draft.length <= 200 && !/[\n[\]\p{Cc}]/u.test(draft)

/** Typing this draft restores it unchanged. After a leading `!` the box may have taken it for a shell command. */
export const isSameAgain = (draft: string): boolean => canPutBack(draft) && !draft.startsWith("!")

/** The user's part of a draft that also contains `text` of leap's; null if they cannot be separated. */
export const userPart = (draft: string, text: string): string | null => {
  const before = draft.endsWith(text) ? draft.slice(0, -text.length) : null
  const after = draft.startsWith(text) ? draft.slice(text.length) : null
  const part = before !== null && after !== null && before !== after ? null : (before ?? after)
  return part !== null && canPutBack(part) ? part : null
}

/** A draft that may be this text drawn differently, and nothing else. */
export const isDrawnOtherwise = (draft: string | null, text: string): boolean =>
  draft !== null && draft !== "" && isUnsettled(text) && mayShow(draft, text)

/** The draft without the text of an earlier attempt of leap's; null without a box, or if they cannot be separated. */
export const userDraft = (m: Delivery): string | null => {
  const draft = draftOf(m)
  return m.lateText === null || draft === null || !draft.includes(m.lateText.text)
    ? draft
    : userPart(draft, m.lateText.text)
}

/** The last frame is complete and shows the uncovered box. */
export const isBoxFree = ({ screen, view, whole, exited }: DeliveryEvidence): boolean =>
  !exited && whole && screen !== null && isIdlePromptVisible(screen) && !view.dialog

/**
 * When the user's last key and the last resize are long enough ago. A key that may have changed the box, and after
 * which nothing was drawn, is still on its way there.
 */
export const quietFrom = ({ resizedAt, screenSeq, turns, typedSeq, userKeyAt }: DeliveryEvidence): number => {
  const isDrawn = screenSeq > Math.max(typedSeq, turns.userEnterSeq)
  const key = (userKeyAt ?? -Infinity) + (isDrawn ? timing.quiet : timing.undrawn)
  return Math.max(key, (resizedAt ?? -Infinity) + timing.quiet)
}

/** Only the session's state and screen can hold this message: no failed turn, missing hook or budget does. */
export const isDue = (m: Delivery, { message }: QueueEntry): boolean =>
  message.force ||
  (pauseAt(m.failures, m.evidence.at) === null && unprovenAt(m.guard) === null && overBudgetAt(m.guard) === null)

/** This message may be typed now, judging by the session's state and screen, and by how its last turns ended. */
export const mayBeTyped = (m: Delivery, entry: QueueEntry): boolean => {
  const { message } = entry
  const { screen, view } = m.evidence
  const draft = userDraft(m)
  if (!isDue(m, entry)) return false
  if (!isBoxFree(m.evidence) || draft === null || screen === null) return false
  if (message.force) {
    return view.state !== "starting" && !asks(view.state) && (draft === "" || canPutBack(draft))
  }
  return view.ready && draftOf(m) === "" && !screen.working && m.sent.length === 0
}

/** Text of leap's is in the box, or on its way there. */
export const hasOwnText = ({ lateText, typing }: Delivery): boolean => typing !== null || lateText !== null
