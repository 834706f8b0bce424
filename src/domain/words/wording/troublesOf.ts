import type { QueueProblem, SessionStatus } from "../session/Session.ts"
import { runs } from "../session/states.ts"

/** Something that is wrong with a session and stops it in nothing: in a word or two, and in a line. */
interface Trouble {
  readonly what: "hooks" | "notices" | "record" | "queue"
  readonly short: string
  readonly text: string
}

/** What only a CLI's hooks tell of a session, and is not known of this one; none where they call leap. */
export const unknownWithoutHooks = ({
  context,
  cost,
  lastResponse,
  unwired
}: Pick<SessionStatus, "context" | "cost" | "lastResponse" | "unwired">): ReadonlyArray<string> =>
  unwired == null
    ? []
    : Object.entries({ context, cost, "last message": lastResponse }).flatMap(([name, known]) =>
        known === null ? name : []
      )

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
  if (runs(status)) {
    if (unwired != null) {
      const unknown = unknownWithoutHooks(status)
      const text = `not wired here: ${unwired.text}${unknown.length === 0 ? "" : `; not known: ${unknown.join(", ")}`}`
      found.push({ what: "hooks", short: "not wired here", text })
    }
    if (notifyProblem != null)
      found.push({ what: "notices", short: "notices fail", text: `you are not told of it: ${notifyProblem}` })
    if (recordProblem != null)
      found.push({ what: "record", short: "not recorded", text: `it is not recorded: ${recordProblem}` })
  }
  if (queueProblem != null)
    found.push({ what: "queue", short: `queue ${queueShort[queueProblem.kind]}`, text: queueProblem.message })
  return found
}

/** The same where what its queue waits for is told, too: that its hooks do not call is said there. */
export const troublesBeside = (status: SessionStatus): ReadonlyArray<Trouble> =>
  troublesOf(status).filter(({ what }) => what !== "hooks" || status.pause?.kind !== "unwired")
