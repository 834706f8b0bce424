import { asks, goesByItself, isWorking } from "../session/states.ts"
import { isGivenUp, messagesWhich } from "../session/failedMessage.ts"
import type { QueuedMessage } from "../session/Message.ts"
import { isHeldByGuard, pauseEnd } from "../session/queuePause.ts"
import type { SessionStatus } from "../session/Session.ts"
import { exitText } from "../session/exitText.ts"
import { oneLine } from "../text/printable.ts"
import { isSameNeed, type Need, type NeedKind, type Offer } from "./Need.ts"
import { byUrgency } from "./needOrder.ts"

/** The facts of a session that show its needs. */
export type NeedFacts = Pick<
  SessionStatus,
  | "dismissed"
  | "exit"
  | "layout"
  | "message"
  | "night"
  | "pause"
  | "problem"
  | "question"
  | "queue"
  | "reason"
  | "since"
  | "state"
  | "unexpectedEnd"
>

/** The most characters of a text that are shown. */
const textMost = 300

/** Both texts, or only one if they say the same. */
const once = (text: string, more: string, both: string): string =>
  text.includes(more) ? text : more.includes(text) ? more : both

const need = (
  kind: NeedKind,
  since: string,
  text: string,
  offers: ReadonlyArray<Offer>,
  { id = "", until = null }: Partial<Pick<Need, "id" | "until">> = {}
): Need => ({ kind, since, id, until, text: oneLine(text, textMost), offers })

const releaseAll: Offer = { operation: "release", label: "Let what waits go out", payload: { id: null } }
const tryNow: Offer = { operation: "release", label: "Try it now", payload: { id: null } }
const retryAll: Offer = { operation: "retry", label: "Retry what failed", payload: { id: null } }

/** The dialog on the screen. */
const asked = ({ message, question, reason, since, state }: NeedFacts): Need => {
  const kind = state === "needs_permission" ? "permission" : "question"
  if (question == null) return need(kind, since, message ?? reason, [], { id: oneLine(message ?? "", textMost) })
  const { options, subject, title } = question
  const text = subject === undefined ? title : once(title, subject, `${title}: ${subject}`)
  const offers = options.map(({ label, number }): Offer => ({
    operation: "answer",
    label: oneLine(label, 100),
    payload: { answer: number === null ? label : String(number) }
  }))
  return need(kind, since, text === "" ? (message ?? reason) : text, offers, { id: oneLine(text, textMost) })
}

/** What ends the wait of the queue, as an offer each. */
const endsOf = (pause: NeedFacts["pause"]): ReadonlyArray<Offer> => {
  const end = pauseEnd({ pause: pause ?? null })
  if (end === "retry") return [retryAll, releaseAll]
  return end === null ? [] : [isHeldByGuard(pause) ? releaseAll : tryNow]
}

/** The problem of a session at rest, and why its queue waits because of it. */
const trouble = ({ night, pause, problem, queue, since }: NeedFacts): Need | null => {
  if (problem?.kind === "stuck") return null
  const offers = endsOf(pause)
  if (problem === null && pause != null && isHeldByGuard(pause)) {
    const isBudget = pause.kind === "budget"
    return isBudget && !queue.some(({ status }) => unsent.has(status))
      ? null
      : need("held", pause.since, pause.text, offers, pause)
  }
  const kind = problem?.kind ?? pause?.kind
  if (kind === undefined) return null
  const begun = pause?.since ?? since
  if (kind === "rate_limited") {
    const text = problem?.message ?? pause?.text ?? ""
    const plan = night?.text ?? (problem === null ? undefined : pause?.text)
    const until = pause == null ? (night?.at ?? problem?.until ?? null) : pause.until
    return need("limit", begun, plan === undefined ? text : once(text, plan, `${text} (${plan})`), offers, { until })
  }
  if (pause == null) return need("failed", begun, problem?.message ?? "", offers, { until: problem?.until ?? null })
  const { text: waits } = pause
  const text = problem === null ? waits : once(waits, problem.message, `${problem.message}; ${waits}`)
  return need("failed", begun, text, offers, pause)
}

/** The need of messages that wait for the user, with the reason; none without messages. */
const needAbout = (
  kind: NeedKind,
  all: ReadonlyArray<QueuedMessage>,
  one: string,
  more: string,
  why: string | null,
  offers: ReadonlyArray<Offer>
): ReadonlyArray<Need> => {
  const [first] = all
  if (first === undefined) return []
  const which = messagesWhich(all.length, one, more)
  const id = `${all.length} ${first.id} ${all.at(-1)?.id}`
  const [since = first.queuedAt] = all.map(({ queuedAt, since }) => since ?? queuedAt).sort()
  return [need(kind, since, `${which}${why === null ? "" : `: ${why}`}`, offers, { id })]
}

/** Messages that are given up, or wait for the user although the user did not hold them. */
const messages = ({ layout, pause, queue }: NeedFacts): ReadonlyArray<Need> => {
  const waits = pause != null && pause.until === null
  // messages behind a failed turn wait, or were given up, for the same reason
  if (waits && !isHeldByGuard(pause)) return []
  const failed = queue.filter(isGivenUp)
  const held = waits ? [] : queue.filter(({ cause, status }) => status === "held" && cause?._tag !== "HeldByUser")
  const unsure = !waits && layout === "unknown" ? queue.filter(goesByItself) : []
  const removals = failed.map(({ id }): Offer => ({ operation: "remove", label: "Remove it", payload: { id } }))
  const [failure] = failed
  const [first] = held
  return [
    ...needAbout("failed", failed, "failed", "failed", failure?.why ?? null, [
      retryAll,
      ...(failed.length === 1 ? removals : [])
    ]),
    ...needAbout("held", held, "is held", "are held", first?.why ?? null, [releaseAll]),
    ...needAbout(
      "unknown_screen",
      unsure,
      "waits",
      "wait",
      "its screen is not known to leap, which types nothing there",
      []
    )
  ]
}

const unsent: ReadonlySet<string> = new Set(["queued", "held", "typed"])

/** A session that ended unexpectedly. Messages in an intentionally ended one wait for its next start. */
const ended = ({ exit, problem, queue, since, unexpectedEnd = false }: NeedFacts): ReadonlyArray<Need> => {
  const how = exit === null ? "" : `its CLI ended by itself: ${exitText(exit)}`
  const why = unexpectedEnd ? (problem === null ? how : `${how}; before that: ${problem.message}`) : problem?.message
  if (why === undefined || (!unexpectedEnd && problem?.kind !== "crashed")) return []
  const left = queue.filter(({ status }) => unsent.has(status)).length
  const waiting = left === 0 ? "" : `; ${messagesWhich(left, "waits", "wait")}`
  return [
    need("ended", since, `${why}${waiting}`, [
      { operation: "resume", label: "Start it again", payload: {} },
      { operation: "forget", label: "Forget it", payload: {} }
    ])
  ]
}

/** A session's needs that were not dismissed, the most urgent first: the one rule for all surfaces. */
export const needsOf = (facts: NeedFacts): ReadonlyArray<Need> => {
  const { dismissed = [] } = facts
  const all = allNeedsOf(facts)
  return dismissed.length === 0 ? all : all.filter((need) => !dismissed.some((one) => isSameNeed(one, need)))
}

/**
 * All needs of a session, dismissed or not. While a session works, only a problem that has stopped it (`stuck`) is a
 * need; earlier problems count when it rests. A problem that a working CLI is handling itself is not a need.
 */
export const allNeedsOf = (facts: NeedFacts): ReadonlyArray<Need> => {
  const { problem, since, state } = facts
  if (state === "exited") return ended(facts)
  const stuck =
    problem?.kind === "stuck"
      ? [
          need("stuck", since, problem.message, [
            { operation: "stop", label: "End it at once", payload: { force: true } } as const
          ])
        ]
      : []
  if (asks(state)) return [asked(facts), ...stuck]
  if (isWorking(state)) return stuck
  const found = trouble(facts)
  return [...stuck, ...(found === null ? [] : [found]), ...messages(facts)].sort(byUrgency)
}

/** Its most urgent need; null for none. */
export const needOf = (facts: NeedFacts): Need | null => needsOf(facts)[0] ?? null

/** A session's status for JSON, with its needs. */
export const withNeeds = (status: SessionStatus): SessionStatus & { readonly needs: ReadonlyArray<Need> } => ({
  ...status,
  needs: needsOf(status)
})
