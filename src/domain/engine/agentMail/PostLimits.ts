import { DateTime, Option, Result } from "effect"
import { senderText } from "../queue/AgentMessageHeader.ts"
import type { QueueEntry, QueueState } from "../queue/Queue.ts"
import type { QueueRefusal } from "../queue/QueueRefusal.ts"
import type { Post } from "../../store/settings/Settings.ts"

/**
 * The messages from agents that one session takes between two of its user's. This limit stops any number of agents that
 * answer each other, whatever the other limits are. It is below the number of finished messages that a queue keeps.
 */
export const mostUnattended = 40

export type PostLimits = Pick<Post, "maxHops" | "perHour">

const hour = 3_600_000

const refuse = (why: string): Result.Result<never, QueueRefusal> => Result.fail({ reason: "refused", why })

/** The user's message has reached the CLI. */
const isUserMessageDelivered = ({ message }: QueueEntry): boolean =>
  message.from === undefined && ["submitted", "started", "done"].includes(message.status)

/** The CLI has, or may have, an agent's message. */
const mayBeDelivered = ({ attempting, message }: QueueEntry): boolean =>
  attempting || !["queued", "held", "removed"].includes(message.status)

/** The agents' messages since the user last wrote here, by a message or (at `promptedAt`) in the CLI itself. */
const unattended = ({ entries, finished }: QueueState, promptedAt: number | null): ReadonlyArray<QueueEntry> => {
  const all = [...finished, ...entries]
  const word = all.findLastIndex(isUserMessageDelivered)
  return all
    .slice(word + 1)
    .filter(({ at, message }) => message.from !== undefined && (promptedAt === null || at > promptedAt))
}

/** How often messages were passed on from agent to agent before this session's agent writes. */
export const hopsBehind = (queue: QueueState, promptedAt: number | null): number =>
  Math.max(
    0,
    ...unattended(queue, promptedAt)
      .filter(mayBeDelivered)
      .map(({ message }) => message.hops ?? 1)
  )

const within = (times: ReadonlyArray<number>, at: number): ReadonlyArray<number> =>
  times.filter((time) => time > at - hour && time <= at)

/** The times at which a session's agent has lately sent messages, oldest first. */
export type Sent = ReadonlyArray<number>

const tooMany = (who: string, perHour: number): string =>
  `${who} ${perHour} ${perHour === 1 ? "message" : "messages"} within the last hour, which is the most that ` +
  "the user's settings allow (post.perHour); wait, or say the rest in one message"

/** Whether a session's agent may write one more message: its hops, and the session's sent messages with it. */
export const mayWrite = (
  queue: QueueState,
  promptedAt: number | null,
  sent: Sent,
  at: number,
  { maxHops, perHour }: PostLimits
): Result.Result<{ readonly hops: number; readonly sent: Sent }, QueueRefusal> => {
  const hops = hopsBehind(queue, promptedAt) + 1
  if (hops > maxHops)
    return refuse(
      `this would be hop ${hops} of a chain of messages between agents, and ${maxHops} is the most (post.maxHops): ` +
        "stop here; it goes on when the user says something in this session"
    )
  const lately = within(sent, at)
  if (lately.length >= perHour) return refuse(tooMany("this session has sent", perHour))
  return Result.succeed({ hops, sent: [...lately, at] })
}

export const mayTake = (
  queue: QueueState,
  promptedAt: number | null,
  { from, hops }: { readonly from: string; readonly hops: number },
  at: number,
  { maxHops, perHour }: PostLimits
): Result.Result<null, QueueRefusal> => {
  if (hops > maxHops) return refuse(`hop ${hops} of a chain of messages between agents is beyond ${maxHops}`)
  const taken = unattended(queue, promptedAt)
  if (taken.length >= mostUnattended)
    return refuse(
      `it has had ${taken.length} messages from agents since its user last said something to it, and takes no more ` +
        "before its user does"
    )
  const byAgents = [...queue.finished, ...queue.entries].filter(({ message }) => message.from !== undefined)
  const times = byAgents.flatMap(({ message }) =>
    Option.toArray(Option.map(DateTime.make(message.queuedAt), DateTime.toEpochMillis))
  )
  return within(times, at).length >= perHour
    ? refuse(tooMany(`it was sent (this time by ${senderText(from)})`, perHour))
    : Result.succeed(null)
}
