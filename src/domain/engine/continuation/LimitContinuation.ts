import { Result, Schema } from "effect"
import * as Queue from "../queue/Queue.ts"
import type { QueuePause } from "../failure/TurnFailures.ts"
import { tryFrom } from "../../words/problems/LimitEnd.ts"
import { minutesOfDay, nextMoment, wallClock } from "../../words/reading/DayTime.ts"
import { limitOverNote, type NightCause, nightNote } from "../../words/wording/nightWords.ts"
import { problemOf } from "../../words/problems/ProblemText.ts"
import { failureOf } from "../../words/session/failedMessage.ts"
import type { Modes, SessionStatus, View } from "../../words/session/Session.ts"
import { NightSettings } from "../../store/settings/NotifySettings.ts"

/** What the night shift learns from outside of the session. */
export const NightEvent = Schema.TaggedUnion({
  /** The session has cost so much by now; null: not known. `floor`: this or more, since a part cannot be counted. */
  CostKnown: { at: Schema.Finite, usd: Schema.NullOr(Schema.Finite), floor: Schema.optionalKey(Schema.String) },
  /** The user's settings. */
  NightSet: { at: Schema.Finite, settings: NightSettings }
})
export type NightEvent = typeof NightEvent.Type

/** What is remembered in order to go on once after a limit. Times are milliseconds since the epoch. */
export interface NightMemory {
  readonly settings: NightSettings
  /** The time zone of the stop hour. */
  readonly zone: string
  readonly cost: number | null
  /** Why the cost is only the least that it can be; null where it is the whole. */
  readonly costFloor: string | null
  /**
   * The limit that the session has met, since when, and when all of it that was told is over; null where the last word
   * of it names no time.
   */
  readonly limit: { readonly since: number; readonly end: number; readonly known: boolean } | null
  /**
   * The limit that the conversation had met under an earlier host, where this one goes on with it: as good as met here,
   * until a turn begins.
   */
  readonly kept: KeptLimit | null
  /** What is to become of it; null for nothing. */
  readonly plan: NightPlan | null
}

/** A limit with a known end: since when, and until when. */
export interface KeptLimit {
  readonly since: number
  readonly end: number
}

/** `at`: when it goes on; null where it does not. */
export interface NightPlan {
  readonly at: number | null
  readonly why: NightCause
}

/** From when on the limit is worth trying; null for none, and where that is not known. */
const limitEnd = (problem: View["problem"]): number | null =>
  problem?.kind === "rate_limited" ? tryFrom(problem) : null

/**
 * The limit of the conversation that a host goes on with, by the last status of its earlier host; null where it is over
 * by now, or the session was ended in order, or goes on with another conversation.
 */
export const keptLimit = (
  last: Pick<SessionStatus, "problem" | "sessionId" | "since"> | null,
  resumes: string | null,
  now: number
): KeptLimit | null => {
  const end =
    last?.problem == null || last.sessionId === null || last.sessionId !== resumes ? null : limitEnd(last.problem)
  return last === null || end === null || end <= now ? null : { since: Date.parse(last.since), end }
}

/** Messages that a limit cut off, as their receipts say: what goes on after it goes on with them. */
export const cutOffIn = ({ entries }: Queue.QueueState): ReadonlyArray<string> =>
  entries.flatMap(({ message }) => {
    const failure = failureOf(message)
    return failure !== null && problemOf(failure).kind === "rate_limited" ? [message.id] : []
  })

export const start = (settings: NightSettings, zone: string, kept: KeptLimit | null = null): NightMemory => ({
  settings,
  zone,
  cost: null,
  costFloor: null,
  limit: null,
  kept,
  plan: null
})

/** The session, as far as the night shift depends on it. */
export interface NightContext {
  readonly now: number
  readonly mode: Modes["night"]
  readonly view: View
  readonly queue: Queue.QueueState
  /** What the queue waits for because of a failed turn; null for nothing. */
  readonly pause: QueuePause | null
  /** The CLI's words for when it goes on by itself; null where it does not say that it does. */
  readonly continues: string | null
}

export interface NightMove {
  readonly memory: NightMemory
  readonly records: ReadonlyArray<Queue.QueueRecord>
  /** What happened, for the log; null for nothing. */
  readonly said: string | null
}

const day = 86_400_000

/** The moment from which on nothing goes out that was begun at `since`. */
const stopAfter = ({ settings: { stop }, zone }: NightMemory, since: number): number => {
  const minutes = stop === null ? null : minutesOfDay(stop)
  return minutes === null ? Infinity : nextMoment(minutes, since, zone)
}

/** The continuations that are remembered, in the queue that outlives its host. */
const continuations = ({ entries, finished }: Queue.QueueState): ReadonlyArray<Queue.QueueEntry> =>
  [...entries, ...finished].filter(({ message }) => message.night === true)

/** Its bytes are not on their way, and nobody has seen to it. */
const isOpen = ({ attempting, message }: Queue.QueueEntry): boolean => !attempting && message.status === "queued"
const isUnderWay = ({ attempting, message }: Queue.QueueEntry): boolean =>
  attempting || ["queued", "held", "typed", "submitted", "started"].includes(message.status)

/** Continuations of this night: since its stop hour was last reached, or within a day where it has none. */
const sentTonight = ({ settings: { stop }, zone }: NightMemory, queue: Queue.QueueState, now: number): number => {
  const minutes = stop === null ? null : minutesOfDay(stop)
  const began = minutes === null ? now - day : nextMoment(minutes, now - day, zone)
  return continuations(queue).filter(
    ({ message }) => message.status !== "removed" && Date.parse(message.queuedAt) > began
  ).length
}

/** One continuation for one end of a limit, also over a restart: its id says which. */
const idFor = (end: number): string => `night-${Math.floor(end / 1_000).toString(36)}`

/** The limit of an earlier host counts while nothing has begun here. */
const followKept = ({ kept }: NightMemory, { view }: NightContext): KeptLimit | null =>
  view.state === "starting" || view.state === "idle" ? kept : null

/** The memory of the limit after what the session now says of it. */
const followLimit = ({ kept, limit }: NightMemory, { now, view }: NightContext): NightMemory["limit"] => {
  if (view.problem?.kind !== "rate_limited") return kept === null ? null : { ...kept, known: true }
  const end = limitEnd(view.problem)
  const since = limit?.since ?? now
  // two limits may be met at once: it is over when the last of them is
  return { since, end: Math.max(end ?? -Infinity, limit?.end ?? -Infinity), known: end !== null }
}

/** What is to become of the limit that the session has met. */
const planOf = (m: NightMemory, context: NightContext): NightPlan | null => {
  const { continues, now, pause, queue } = context
  const { cost, costFloor, limit, settings, zone } = m
  if (limit === null) return null
  const not = (...why: NightCause): NightPlan => ({ at: null, why })
  if (continues !== null) return not("its-cli", continues)
  const underWay = continuations(queue).filter(isUnderWay)
  const held = underWay.find(({ message }) => message.status === "held")
  if (held !== undefined && underWay.every(({ message }) => message.status === "held"))
    return held.message.why === null ? not("held") : not("held-for", held.message.why)
  if (underWay.length > 0)
    return pause?.until == null
      ? { at: limit.end, why: ["now"] }
      : { at: pause.until, why: ["at", wallClock(pause.until, zone)] }
  if (!limit.known) return not("end-unknown")
  const former = Queue.find(queue, idFor(limit.end))?.message
  if (former !== undefined) return not(former.status === "removed" ? "taken-back" : "went-on")
  const stop = stopAfter(m, limit.since)
  const { ceilingUsd, most } = settings
  const hour = settings.stop ?? ""
  if (now >= stop) return not("stop-hour", hour)
  if (limit.end >= stop) return not("stop-before-end", wallClock(limit.end, zone), hour)
  if (most === 0) return not("never")
  if (sentTonight(m, queue, now) >= most) return most === 1 ? not("once") : not("often", most)
  if (ceilingUsd !== null && cost !== null && cost >= ceilingUsd) return not("ceiling", cost.toFixed(2), ceilingUsd)
  if (ceilingUsd !== null && cost !== null && costFloor !== null)
    return not("ceiling-unsure", cost.toFixed(2), costFloor, ceilingUsd)
  return { at: limit.end, why: ["at", wallClock(limit.end, zone)] }
}

const isSameCause = (a: NightCause, b: NightCause | undefined): boolean => JSON.stringify(a) === JSON.stringify(b)

const removed = (now: number, entry: Queue.QueueEntry): Queue.QueueRecord =>
  Queue.QueueRecord.cases.Removed.make({ v: 1, at: now, id: entry.message.id })

/** Why a continuation that waits must not go out any more; null while it may. */
const cancelled = (
  m: NightMemory,
  { continues, mode, now, view }: NightContext,
  entry: Queue.QueueEntry
): NightCause | null => {
  if (view.state === "exited") return ["ended"]
  if (mode !== "on") return ["off"]
  if (continues !== null) return ["cli-does"]
  if (now >= stopAfter(m, Date.parse(entry.message.queuedAt))) return ["stop-hour", m.settings.stop ?? ""]
  // somebody else has gone on
  return m.limit === null && view.state !== "idle" ? ["turn-began"] : null
}

/**
 * The memory, and what becomes of the queue, after anything that happened: at the end of the limit one continuation,
 * before all that waits; a continuation that must not go out any more is taken back.
 */
export const step = (before: NightMemory, context: NightContext): NightMove => {
  const { mode, now, queue } = context
  const since = { ...before, kept: followKept(before, context) }
  const m = { ...since, limit: followLimit(since, context) }
  for (const entry of continuations(queue).filter(isOpen)) {
    const why = cancelled(m, context, entry)
    if (why !== null) return { memory: { ...m, plan: null }, records: [removed(now, entry)], said: nightNote(why) }
  }
  const plan = mode === "on" || context.continues !== null ? planOf(m, context) : null
  const memory = { ...m, plan }
  const isDue = plan?.at != null && now >= plan.at && !continuations(queue).some(isUnderWay)
  if (isDue && m.limit !== null && context.view.state === "idle") {
    const added = Queue.add(queue, {
      id: idFor(m.limit.end),
      at: now,
      text: m.settings.message,
      images: [],
      front: true,
      force: false,
      night: true
    })
    if (Result.isSuccess(added)) return { memory, records: added.success.records, said: limitOverNote }
  }
  if (plan !== null)
    return { memory, records: [], said: isSameCause(plan.why, before.plan?.why) ? null : nightNote(plan) }
  const wasToGoOn = before.plan?.at != null && before.limit !== null
  const wentOn = wasToGoOn && Queue.find(queue, idFor(before.limit.end)) !== null
  return { memory, records: [], said: wasToGoOn && !wentOn ? nightNote([mode === "on" ? "turn-began" : "off"]) : null }
}

/** When a `Tick` is needed if no event comes before, in milliseconds since the epoch; null for never. */
export const wakeAt = (m: NightMemory, queue: Queue.QueueState, now: number): number | null => {
  const moments = [
    ...(m.plan?.at == null ? [] : [m.plan.at]),
    ...continuations(queue)
      .filter(isOpen)
      .map(({ message }) => stopAfter(m, Date.parse(message.queuedAt)))
  ].filter((moment) => moment > now && moment < Infinity)
  return moments.length === 0 ? null : Math.min(...moments)
}
