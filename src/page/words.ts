import { isGivenUp } from "../domain/session/failedMessage.ts"
import type { WebSession } from "../domain/web/Frames.ts"
import type { Clash } from "../domain/session/WriteClashes.ts"
import type { Share } from "../domain/web/Timeline.ts"

const states: Readonly<Record<WebSession["state"], string>> = {
  starting: "starts",
  idle: "idle",
  running: "running",
  needs_permission: "asks for permission",
  needs_input: "asks something",
  interrupted: "interrupted",
  churning: "works in the background",
  exited: "ended"
}

/** What a session does, in words. */
export const stateWords = ({ exit, link, state }: WebSession): string => {
  if (link === "silent") return "its host does not answer"
  return state === "exited" && exit !== null ? `ended (${exit})` : states[state]
}

/** What became of a message, in one word: one that is done may have been interrupted, or have failed. */
export const receiptWords = ({ outcome, status }: WebSession["queue"][number]): string =>
  status === "done" && outcome !== null && outcome !== "completed" ? outcome : status

/**
 * How many messages wait, those that are held and those that are given up by themselves: `2`, `1 + 1 held + 1 failed`;
 * "" for none.
 */
export const queueWords = (queue: WebSession["queue"]): string => {
  const held = queue.filter(({ status }) => status === "held").length
  const waiting = queue.filter(({ status }) => status === "queued" || status === "typed").length
  const failed = queue.filter(isGivenUp).length
  return [waiting > 0 ? `${waiting}` : "", held > 0 ? `${held} held` : "", failed > 0 ? `${failed} failed` : ""]
    .filter((part) => part !== "")
    .join(" + ")
}

/** Who else writes a file: `≠ api writes notes.md too`. `path`: all of it instead of its name. */
export const clashWords = ({ others, path }: Clash, whole = false): string =>
  `≠ ${others.join(", ")} ${others.length === 1 ? "writes" : "write"} ` +
  `${whole ? path : path.slice(path.lastIndexOf("/") + 1)} too`

/** A sign for each share, so that none is told by its colour alone. */
export const shareSigns: Readonly<Record<Share, string>> = { working: "●", waiting: "▲", resting: "○", over: "✕" }

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

// made once: making one takes longer than a hundred uses
const clock = new Intl.DateTimeFormat([], { timeStyle: "medium" })
export const timeOfDay = (at: number): string => clock.format(at)
