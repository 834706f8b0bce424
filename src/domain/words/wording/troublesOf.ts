import type { QueueProblem, SessionStatus } from "../session/Session.ts"
import { runs } from "../session/states.ts"

/** Something that is wrong with a session and stops it in nothing: in a word or two, and in a line. */
interface Trouble {
  readonly what: "hooks" | "notices" | "record" | "queue"
  readonly short: string
  readonly text: string
}

type ToldByHooks = Pick<SessionStatus, "context" | "cost" | "lastResponse" | "unwired">

/** What only a CLI's hooks tell of a session, and is not known of this one; none where they call leap. */
export const unknownWithoutHooks = ({ context, cost, lastResponse, unwired }: ToldByHooks): ReadonlyArray<string> => {
  const known = [context, cost, lastResponse]
  return unwired == null ? [] : ["context", "cost", "last message"].filter((_, at) => known[at] === null)
}

const queueShort = {
  damaged: "damaged",
  newer: "of a newer leap",
  unreadable: "unreadable"
} as const satisfies Record<QueueProblem["kind"], string>

/**
 * What is wrong with a session and is no need of it, the same on every surface: that its CLI's hooks do not call leap
 * and what is not known for that, that nobody is told of it, that it is not recorded, that its queue's log is damaged.
 */
export const troublesOf = (status: SessionStatus): ReadonlyArray<Trouble> => {
  const { notifyProblem, queueProblem, recordProblem, unwired } = status
  const found: Array<Trouble> = []
  const add = (what: Trouble["what"], short: string, text: string) => found.push({ what, short, text })
  if (runs(status)) {
    const unknown = unknownWithoutHooks(status).join(", ")
    const short = "not wired here"
    if (unwired != null) add("hooks", short, `${short}: ${unwired.text}${unknown && `; not known: ${unknown}`}`)
    if (notifyProblem != null) add("notices", "notices fail", `you are not told of it: ${notifyProblem}`)
    if (recordProblem != null) add("record", "not recorded", `it is not recorded: ${recordProblem}`)
  }
  if (queueProblem != null) add("queue", `queue ${queueShort[queueProblem.kind]}`, queueProblem.message)
  return found
}

/** The same where what its queue waits for is told, too: that its hooks do not call is said there. */
export const troublesBeside = (status: SessionStatus): ReadonlyArray<Trouble> =>
  troublesOf(status).filter(({ what }) => what !== "hooks" || status.pause?.kind !== "unwired")
