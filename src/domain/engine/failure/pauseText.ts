import { wallClock } from "../../words/reading/DayTime.ts"
import { problemWords } from "../../words/wording/causeWords.ts"
import type { QueuePause } from "./TurnFailures.ts"

/** Why the queue waits after a failed turn, until when or for whom. `zone`: the zone of the time that is named. */
export const pauseText = ({ problem, until }: QueuePause, zone: string): string =>
  until === null
    ? `${problemWords[problem.kind]}; messages wait for your word`
    : `${problemWords[problem.kind]}; the next message is tried at ${wallClock(until, zone)}`

/** The same where the CLI goes on by itself at its limit's end. `when`: in its words. */
export const continuationText = (when: string): string =>
  `${problemWords.rate_limited}; the CLI goes on by itself ${when}, and nothing is typed beside that`
