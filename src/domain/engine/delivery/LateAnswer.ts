import { isBusy } from "../../words/session/states.ts"
import type { DeliveryEvidence } from "./DeliveryEvidence.ts"
import { timing } from "./DeliveryLimits.ts"
import type { QueueState } from "../queue/Queue.ts"
import type { SessionEvent } from "../../words/session/SessionEvent.ts"

/** Keys that leap typed for a dialog may end up in the box. They are leap's only if nothing else can be there. */
export interface LateAnswer {
  /** The keys typed since the box was last known to be empty, and when the last was typed. */
  readonly typed: string
  readonly typedAt: number
  /** The box was certainly empty, and only this answer can have entered it since. */
  readonly clear: boolean
  /** When something other than the answer was last typed. */
  readonly touchedAt: number
  /** Since when the box shows only leap's keys, and since when the user's keys are held for that. */
  readonly since: number | null
  readonly heldAt: number | null
}

export const noAnswer: LateAnswer = {
  typed: "",
  typedAt: 0,
  clear: false,
  touchedAt: -Infinity,
  since: null,
  heldAt: null
}

/** A message enters an empty box and leaves it empty, so later keys belong to another dialog's answer. */
export const forgotten = (answer: LateAnswer): LateAnswer =>
  answer.typed === "" ? answer : { ...answer, typed: "", since: null }

/** No dialog takes a longer answer. */
const mostTyped = 200

/** Keys that put nothing into a box. What the CLI restores after an interrupt is recognized by its text. */
const harmless: ReadonlySet<string> = new Set(["escape", "ctrl-c"])

/** `e`: the evidence after the event. `isFree`: leap has no text of its own in the box or on the way to it. */
export const noteAnswer = (
  answer: LateAnswer,
  event: SessionEvent,
  e: DeliveryEvidence,
  isFree: boolean
): LateAnswer => {
  if (event._tag === "Input") {
    if (event.by === "leap" && event.answer !== undefined)
      return { ...answer, typed: (answer.typed + event.answer).slice(-mostTyped), typedAt: e.at, since: null }
    const isHarmless = event.continues !== true && event.keys.every((key) => harmless.has(key))
    // A restored draft is the user's too.
    return isHarmless ? answer : { ...answer, clear: false, touchedAt: e.at }
  }
  if (!isFree) return forgotten(answer)
  const { screen } = e
  if (event._tag !== "Output" || event.screen === null || screen?.box?.draft !== "") return answer
  // Keys that were typed just now may still be on their way.
  if (screen.dialog !== null || screen.picker || e.at - answer.touchedAt < timing.typed) return answer
  const isPast = answer.typed !== "" && e.at - answer.typedAt >= timing.answerLate
  return answer.clear && !isPast ? answer : { ...answer, clear: true, ...(isPast ? { typed: "" } : {}) }
}

/** The CLI put a former prompt back into the box. */
const isGivenBack = (draft: string, { prompt, turns }: DeliveryEvidence, queue: QueueState): boolean =>
  draft === prompt.text.trim() ||
  // A prompt of the user's that the CLI has not reported.
  (turns.userEnterSeq > 0 && turns.userEnterSeq >= prompt.seq) ||
  [...queue.entries, ...queue.finished].some(({ message }) => message.text.trim() === draft)

/** The uncovered box, at rest, holds only keys of leap's answer. If anything is uncertain, the text is the user's. */
export const holdsAnswer = (answer: LateAnswer, e: DeliveryEvidence, queue: QueueState): boolean => {
  const { screen, view, whole } = e
  const draft = screen?.box?.draft ?? ""
  return (
    answer.typed !== "" &&
    answer.clear &&
    draft !== "" &&
    answer.typed.endsWith(draft) &&
    whole &&
    !e.exited &&
    screen !== null &&
    screen.dialog === null &&
    !screen.picker &&
    !view.dialog &&
    !isBusy(view.state) &&
    !isGivenBack(draft, e, queue)
  )
}
