import { wallClock } from "../reading/DayTime.ts"
import type { UnwiredCause } from "../session/UnwiredCause.ts"
import type { Cover, WaitCause } from "../session/WaitCause.ts"
import { oneLine } from "../text/printable.ts"
import { budgetWords } from "./budgetWords.ts"
import { offWords, problemWords } from "./causeWords.ts"

/** The sign that a CLI's hooks do not call leap, in words. */
export const unwiredWords = (cause: UnwiredCause): string => {
  switch (cause._tag) {
    case "SwitchedOff":
      return `no hook of it calls leap${offWords(cause.by)}`
    case "RanUnasked":
      return `it ran a tool${cause.tool === null ? "" : ` (${cause.tool})`} about which no hook had asked leap`
    case "NeverCalled":
      return "no hook of it has called leap, though it should have by now"
    case "StoppedCalling":
      return "its hooks have stopped calling leap"
  }
}

/** The sentence about the rules that only the CLI's hooks enforce. */
const rulesWords = (rules: number): string =>
  rules === 1 ? "a deny or ask rule of yours does not hold" : `${rules} deny and ask rules of yours do not hold`

/** The CLI's hooks do not call leap, and the effect on rules, in words. */
export const unwiredText = ({ cause, rules }: { readonly cause: UnwiredCause; readonly rules: number }): string =>
  rules === 0 ? unwiredWords(cause) : `${unwiredWords(cause)}; ${rulesWords(rules)}`

/** The cover over the box, in words. */
export const coverWords = ({ dialog }: Cover): string =>
  dialog === null
    ? "a list or another view of it is in the way, and has to be closed first"
    : `its dialog '${oneLine(dialog, 100)}' is in the way, and has to be answered first`

/** The words for what is awaited, with the cover over the box if there is one: no time ends that. */
export const behindCover = (words: string, cover: Cover | null): string =>
  cover === null ? words : `${words}; ${coverWords(cover)}`

/** Why no queued message is sent, in words. */
export const waitWords = (cause: WaitCause): string => {
  switch (cause._tag) {
    case "Unproven": {
      const { rules, unwired } = cause
      return unwired === null
        ? "your rules rest on its hooks, of which none has called yet"
        : `not wired here: ${unwiredWords(unwired)}, so that ${rulesWords(rules)}; messages wait for your word`
    }
    case "TurnFailed": {
      const { cover, isEndless, problem, until, zone } = cause
      const next =
        until === null ? "messages wait for your word" : `the next message is tried at ${wallClock(until, zone)}`
      const endless = isEndless ? `, its end is not told${until === null ? ", part of a turn may be done" : ""}` : ""
      return behindCover(`${problemWords[problem]}${endless}; ${next}`, cover)
    }
    case "OverBudget": {
      const { cover, over, until, zone } = cause
      const next = until === null ? "messages wait for your word" : `messages go out from ${wallClock(until, zone)} on`
      return behindCover(`${budgetWords(over)}; ${next}`, cover)
    }
    case "Continues":
      return `${problemWords.rate_limited}; the CLI goes on by itself ${cause.when}, and nothing is typed beside that`
  }
}
