import { wallClock } from "../reading/DayTime.ts"
import type { ProblemKind } from "../session/Session.ts"
import type { QueuePause } from "./TurnFailures.ts"

const words = {
  rate_limited: "the usage limit is reached",
  overloaded: "the service fails",
  network: "the service cannot be reached",
  auth: "the account is refused (login, credit or rights)",
  context: "the conversation is full",
  model: "the model, or a tool of the session's, is refused",
  refused: "message after message is refused",
  crashed: "the CLI crashed",
  stuck: "the session is stuck",
  unknown: "the last turn failed"
} as const satisfies Record<ProblemKind, string>

/** Why the queue waits after a failed turn, until when or for whom. `zone`: the zone of the time that is named. */
export const pauseText = ({ problem, until }: QueuePause, zone: string): string =>
  until === null
    ? `${words[problem.kind]}; messages wait for your word`
    : `${words[problem.kind]}; the next message is tried at ${wallClock(until, zone)}`

/** The same where the CLI goes on by itself at its limit's end. `when`: in its words. */
export const continuationText = (when: string): string =>
  `${words.rate_limited}; the CLI goes on by itself ${when}, and nothing is typed beside that`

const behind = "it waits behind a turn that failed"

/** Why a message is held that stands behind one whose turn failed. */
export const behindFailure = ({ problem: { kind } }: QueuePause): string =>
  kind === "unknown" ? behind : `${behind}: ${words[kind]}`

/** It is held for that reason, as its `why` says: nothing of it was sent. */
export const isBehindFailure = (why: string): boolean => why.startsWith(behind)
