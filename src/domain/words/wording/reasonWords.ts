import type { NotReady, NotReadyCause } from "../session/NotReady.ts"
import type { PlainReason, StateReason } from "../session/StateReason.ts"
import { notReadyWords } from "./notReadyWords.ts"
import { waitWords } from "./waitWords.ts"

const plainWords = {
  BoxShown: "the prompt is on screen",
  Compacting: "compacting the conversation",
  DialogAnswered: "the dialog was answered",
  IndicatorGone: "the running indicator has just gone",
  InterruptKey: "interrupted by a key",
  InterruptShown: "on screen: interrupted",
  NoRule: "no rule applies",
  NoSign: "no sign of work",
  NotDrawn: "the CLI has not drawn its prompt yet",
  OutputGoesOn: "output goes on, with no room to tell why",
  PickerShown: "a picker or another screen of the CLI is open",
  Submitted: "prompt submitted",
  TextGrows: "text grows above the box",
  TitleAsks: "terminal title: the CLI asks",
  TitleWorks: "terminal title",
  TurnOver: "the turn is over",
  TypedAhead: "a prompt typed ahead is next",
  Typing: "leap is typing a message",
  UnknownScreen: "its screen is not known to leap",
  WorkCovered: "a turn was running when this was opened"
} as const satisfies Record<PlainReason, string>

const withMessage = (text: string, message: string | null): string => (message === null ? text : `${text} — ${message}`)

/** How leap knows a session's state, as people read it. */
export const stateReasonWords = (reason: StateReason): string => {
  switch (reason._tag) {
    case "ProgramStatus":
      return withMessage(`program status: ${reason.state}`, reason.message)
    case "ToldQuestion":
      return withMessage(`${reason.source}: asks`, reason.message)
    case "OwnStatus":
      return `${reason.source}: ${reason.word}`
    case "Hook":
      return reason.hook ?? "hook"
    case "HookAsked":
      return `${reason.hook ?? "a hook"}: ${reason.message ?? "the CLI asks"}`
    case "EndUntold":
      return `${stateReasonWords(reason.by)}, with no hook for the turn's end`
    case "DialogShown":
      return `dialog on screen: ${reason.title}`
    case "WorkShown":
      return `on screen: ${reason.activity ?? "a running indicator"}`
    case "Background":
      return `background work: ${reason.count}`
    case "Exited":
      return reason.signal === null ? `exited with code ${reason.code ?? "unknown"}` : `killed by ${reason.signal}`
    default:
      return plainWords[reason._tag]
  }
}

/** Why a session is not ready, as clients see it. */
export const notReadyStatus = (cause: NotReadyCause): NotReady =>
  cause._tag === "Blocked" ? cause : { _tag: "QueueWaits", text: waitWords(cause.cause) }

/** How leap knows a session's state and, while it rests, why it is not ready. */
export const reasonWords = ({
  notReady,
  reason
}: {
  readonly notReady: NotReadyCause | null
  readonly reason: StateReason
}): string => {
  const words = stateReasonWords(reason)
  return notReady === null ? words : `${words}; not ready: ${notReadyWords(notReadyStatus(notReady))}`
}
