import type { QueueProblem, SessionStatus } from "../session/Session.ts"
import { uncountedWords } from "./budgetWords.ts"
import { runs } from "../session/states.ts"

/** A fault of a session that does not stop it: in a word or two, and in a line. */
interface Trouble {
  readonly what: "hooks" | "notices" | "record" | "budget" | "queue"
  readonly short: string
  readonly text: string
}

type ToldByHooks = Pick<SessionStatus, "context" | "cost" | "lastResponse" | "unwired">

/** The facts of a session that only hooks report and that are unknown for this one; none if hooks call leap. */
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
 * The faults of a session that are not needs, the same on every surface: its CLI's hooks do not call leap, with the
 * facts that are unknown because of it; nobody is notified; it is not recorded; budgets do not count what it uses; its
 * queue's log is damaged or cannot be read.
 */
export const troublesOf = (status: SessionStatus): ReadonlyArray<Trouble> => {
  const { notifyProblem, queueProblem, recordProblem, uncounted, unwired } = status
  const found: Array<Trouble> = []
  const add = (what: Trouble["what"], short: string, text: string) => found.push({ what, short, text })
  if (runs(status)) {
    const unknown = unknownWithoutHooks(status).join(", ")
    const short = "not wired here"
    if (unwired != null) add("hooks", short, `${short}: ${unwired.text}${unknown && `; not known: ${unknown}`}`)
    if (notifyProblem != null) add("notices", "notices fail", `you are not told of it: ${notifyProblem}`)
    if (recordProblem != null) add("record", "not recorded", `it is not recorded: ${recordProblem}`)
    if (uncounted != null) add("budget", "not in budgets", uncountedWords(uncounted))
  }
  if (queueProblem != null) add("queue", `queue ${queueShort[queueProblem.kind]}`, queueProblem.message)
  return found
}

/** These faults if the reason why the queue waits is shown too: the missing hooks are mentioned there. */
export const troublesBeside = (status: SessionStatus): ReadonlyArray<Trouble> =>
  troublesOf(status).filter(({ what }) => what !== "hooks" || status.pause?.kind !== "unwired")
