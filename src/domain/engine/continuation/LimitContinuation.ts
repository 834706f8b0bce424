import { Result, Schema } from "effect"
import * as Queue from "../queue/Queue.ts"
import type { QueuePause } from "../failure/TurnFailures.ts"
import { tryFrom } from "../../words/problems/LimitEnd.ts"
import { minutesOfDay, nextMoment, wallClock } from "../../words/reading/DayTime.ts"
import { limitOverNote, type NightCause, nightNote } from "../../words/wording/limitPlanText.ts"
import { problemOf } from "../../words/problems/ProblemText.ts"
import { failureOf } from "../../words/session/failedMessage.ts"
import type { Modes, SessionStatus, View } from "../../words/session/Session.ts"
import { NightSettings } from "../../store/settings/NotifySettings.ts"

/** Events from outside the session for the continuation after a limit. */
export const NightEvent = Schema.TaggedUnion({
  /** The cost so far; null: unknown. `floor`: why a part cannot be counted, so that the cost may be higher. */
  CostKnown: { at: Schema.Finite, usd: Schema.NullOr(Schema.Finite), floor: Schema.optionalKey(Schema.String) },
  /** The user's settings. */
  NightSet: { at: Schema.Finite, settings: NightSettings }
})
export type NightEvent = typeof NightEvent.Type

/** The memory for one continuation after each limit. Times are milliseconds since the epoch. */
export interface NightMemory {
  readonly settings: NightSettings
  /** The time zone of the stop hour. */
  readonly zone: string
  readonly cost: number | null
  /** Why the cost may be higher; null if it is exact. */
  readonly costFloor: string | null
  /**
   * The limit that the session has met: since when, and the latest end that was reported (-Infinity for none). `known`
   * is false if the last report named no time.
   */
  readonly limit: { readonly since: number; readonly end: number; readonly known: boolean } | null
  /**
   * The limit that the conversation met under an earlier host and that this host continues with. It counts as met here
   * until a turn begins.
   */
  readonly kept: KeptLimit | null
  /** The plan for the limit; null for none. */
  readonly plan: NightPlan | null
}

/** A limit with a known end: since when, and until when. */
export interface KeptLimit {
  readonly since: number
  readonly end: number
}

/** `at`: when the session continues; null: it does not. */
export interface NightPlan {
  readonly at: number | null
  readonly why: NightCause
}

/** When it becomes worth trying whether the limit is over; null: no limit, or unknown. */
const worthTryingFrom = (problem: View["problem"]): number | null =>
  problem?.kind === "rate_limited" ? tryFrom(problem) : null

/**
 * The limit of the conversation that a host continues, from the last status of its earlier host. Null if no limit with
 * a known end is left, or if another conversation continues.
 */
export const keptLimit = (
  last: Pick<SessionStatus, "problem" | "sessionId" | "since"> | null,
  resumes: string | null,
  now: number
): KeptLimit | null => {
  const end =
    last?.problem == null || last.sessionId === null || last.sessionId !== resumes
      ? null
      : worthTryingFrom(last.problem)
  return last === null || end === null || end <= now ? null : { since: Date.parse(last.since), end }
}

/** Messages that a limit cut off, according to their receipts. A continuation also continues these. */
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

/** The part of the session that the continuation depends on. */
export interface NightContext {
  readonly now: number
  readonly mode: Modes["night"]
  readonly view: View
  readonly queue: Queue.QueueState
  /** Why the queue waits after a failed turn; null: it does not. */
  readonly pause: QueuePause | null
  /** The CLI's words for the time at which it continues by itself; null if it does not say so. */
  readonly continues: string | null
}

export interface NightMove {
  readonly memory: NightMemory
  readonly records: ReadonlyArray<Queue.QueueRecord>
  /** A line for the log; null for none. */
  readonly said: string | null
}

const day = 86_400_000

/** The time after which no continuation planned at `since` is sent. */
const stopAfter = ({ settings: { stop }, zone }: NightMemory, since: number): number => {
  const minutes = stop === null ? null : minutesOfDay(stop)
  return minutes === null ? Infinity : nextMoment(minutes, since, zone)
}

/** The remembered continuations, in the queue, which outlives its host. */
const continuations = ({ entries, finished }: Queue.QueueState): ReadonlyArray<Queue.QueueEntry> =>
  [...entries, ...finished].filter(({ message }) => message.night === true)

/** It waits in the queue: it is neither held nor being typed. */
const isOpen = ({ attempting, message }: Queue.QueueEntry): boolean => !attempting && message.status === "queued"
const isUnderWay = ({ attempting, message }: Queue.QueueEntry): boolean =>
  attempting || ["queued", "held", "typed", "submitted", "started"].includes(message.status)

/** A message that the queue itself tries again. */
const hasNext = ({ entries }: Queue.QueueState): boolean =>
  entries.some((entry) => isUnderWay(entry) && entry.message.status !== "held" && entry.message.when === undefined)

/** Continuations of this night: since the last stop hour, or within a day if there is no stop hour. */
const sentTonight = ({ settings: { stop }, zone }: NightMemory, queue: Queue.QueueState, now: number): number => {
  const minutes = stop === null ? null : minutesOfDay(stop)
  const began = minutes === null ? now - day : nextMoment(minutes, now - day, zone)
  return continuations(queue).filter(
    ({ message }) => message.status !== "removed" && Date.parse(message.queuedAt) > began
  ).length
}

/** The id of the one continuation for an end of a limit, the same after a restart. */
const idFor = (end: number): string => `night-${Math.floor(end / 1_000).toString(36)}`

/** The limit of an earlier host counts while nothing has begun here. */
const followKept = ({ kept }: NightMemory, { view }: NightContext): KeptLimit | null =>
  view.state === "starting" || view.state === "idle" ? kept : null

/** The limit in the memory after the session's present report. */
const followLimit = ({ kept, limit }: NightMemory, { now, view }: NightContext): NightMemory["limit"] => {
  if (view.problem?.kind !== "rate_limited") return kept === null ? null : { ...kept, known: true }
  const end = worthTryingFrom(view.problem)
  const since = limit?.since ?? now
  // two limits may be met at the same time: the later end counts
  return { since, end: Math.max(end ?? -Infinity, limit?.end ?? -Infinity), known: end !== null }
}

/** The plan for the limit that the session has met. */
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
  if (!limit.known) return hasNext(queue) ? null : not("end-unknown")
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

/** Why a waiting continuation must not be sent any more; null while it may. */
const cancelled = (
  m: NightMemory,
  { continues, mode, now, view }: NightContext,
  entry: Queue.QueueEntry
): NightCause | null => {
  if (view.state === "exited") return ["ended"]
  if (mode !== "on") return ["off"]
  if (continues !== null) return ["cli-does"]
  if (now >= stopAfter(m, Date.parse(entry.message.queuedAt))) return ["stop-hour", m.settings.stop ?? ""]
  // somebody else has continued
  return m.limit === null && view.state !== "idle" ? ["turn-began"] : null
}

/**
 * The memory and the queue's changes after any event. At the limit's end one continuation is queued before all waiting
 * messages; one that must not be sent any more is removed.
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
