import { heldOf, isGivenUp, waitingOf } from "../domain/words/session/failedMessage.ts"
import type { WebSession } from "../domain/surfaces/web/Frames.ts"
import type { Clash } from "../domain/words/session/WriteClashes.ts"
import { isNamedByState, needWords } from "../domain/words/attention/needWords.ts"
import type { SessionGroup } from "../domain/words/attention/sessionGroups.ts"
import { type Share, shownStates } from "../domain/words/session/states.ts"

/** A session's state in words, with its need if the state does not show it. */
export const stateWords = ({ exit, needs: [need], state }: WebSession): string => {
  const words = state === "exited" && exit !== null ? `ended (${exit})` : shownStates[state].phrase
  return need === undefined || isNamedByState(need.kind) ? words : `${words}, ${needWords[need.kind]}`
}

/** The receipt of a message in one word: a done one may have been interrupted, or have failed. */
export const receiptWords = ({ outcome, status }: WebSession["queue"][number]): string =>
  status === "done" && outcome !== null && outcome !== "completed" ? outcome : status

/** The numbers of waiting, held and failed messages: `2`, `1 + 1 held + 1 failed`; "" for none. */
export const queueWords = (queue: WebSession["queue"]): string => {
  const held = heldOf(queue)
  const waiting = waitingOf(queue)
  const failed = queue.filter(isGivenUp).length
  return [waiting > 0 ? `${waiting}` : "", held > 0 ? `${held} held` : "", failed > 0 ? `${failed} failed` : ""]
    .filter((part) => part !== "")
    .join(" + ")
}

/** Whether a figure is known: `n/a` and `–` are none. */
export const isFigure = (text: string): boolean => /\d/.test(text)

/** Who else writes a file: `≠ api writes notes.md too`. `whole`: its path instead of its name. */
export const clashWords = ({ others, path }: Clash, whole = false): string =>
  `≠ ${others.join(", ")} ${others.length === 1 ? "writes" : "write"} ` +
  `${whole ? path : path.slice(path.lastIndexOf("/") + 1)} too`

/** A sign for each group, so that none is distinguished by its colour alone. */
export const groupSigns: Readonly<Record<SessionGroup, string>> = {
  "needs you": "▲",
  working: "●",
  "background work": "◐",
  "at rest": "○",
  ended: "✕"
}

/** The group as a class of the page's style. */
export const groupClass = (group: SessionGroup): string => group.replace(" ", "-")

export const shareWords: Readonly<Record<Share, string>> = {
  working: "works",
  waiting: "waits for you",
  resting: "at rest",
  over: "ended"
}

/** A length of time: `45 s`, `3 min`, `2 h 5 min`, `1 d`. */
export const duration = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  const [large, small] = hours < 24 ? [`${hours} h`, minutes % 60] : [`${Math.floor(hours / 24)} d`, hours % 24]
  return small === 0 ? large : `${large} ${small} ${hours < 24 ? "min" : "h"}`
}

// Created once: creating one takes longer than a hundred uses.
const clock = new Intl.DateTimeFormat([], { timeStyle: "medium" })
export const timeOfDay = (at: number): string => clock.format(at)

export const hasWords = (words: string, text: string): boolean => {
  const found = text.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => found.includes(word))
}

/** Attributes of a field whose text must not be corrected. */
export const verbatim = { autocomplete: "off", autocapitalize: "off", spellcheck: false } as const
