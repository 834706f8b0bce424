import { asks, canBeInterrupted, isWorking } from "../../words/session/states.ts"
import { endName, endNamed, isSameEnd } from "../../words/problems/LimitEnd.ts"
import { needsOf } from "../../words/attention/needsOf.ts"
import { shownNeeds } from "../../words/attention/shownNeeds.ts"
import { isUnexpectedEnd, presence } from "../../words/attention/unexpectedEnd.ts"
import type { Problem, SessionStatus } from "../../words/session/Session.ts"
import { workToCome } from "../../words/session/workToCome.ts"
import { oneLine } from "../../words/text/printable.ts"
import { quietUntil } from "../../store/settings/quietSpan.ts"
import { mutedUntil } from "./mutedUntil.ts"
import type { Notice } from "./Notice.ts"
import type { NotifySettings } from "../../store/settings/NotifySettings.ts"

/** What is known of a session at a moment, as far as a notice depends on it. Times: milliseconds since the epoch. */
export interface Observation {
  readonly at: number
  readonly status: SessionStatus
  /** leap answers the dialog, or is about to: a policy's matter, not the user's. */
  readonly answering: boolean
  /** The user's last key in the session's terminal, or look at it on another surface; null for none. */
  readonly userSeenAt: number | null
  readonly stopping: boolean
}

/** What the user wants to be told of. `zone`: the time zone of the quiet hours. */
export type NoticeRules = Pick<NotifySettings, "doneAfterMinutes" | "failed" | "limit" | "needsYou" | "quietHours"> & {
  readonly zone: string
}

/** Something that the user might be told of, as long as it is the case. */
interface Cause {
  readonly kind: "needs" | "done" | "failed" | "limit"
  /** Which of its kind: the same thing is told once. */
  readonly key: string
  /** The queue waits for the user, and the CLI says nothing (any more) of what is wrong. */
  readonly waits?: true
}

const isSame = (a: Cause, b: Cause | null): boolean => a.kind === b?.kind && a.key === b.key && a.waits === b.waits

/** Something that was told, or belongs to what was told. */
interface Told extends Cause {
  /** Until when it was the case. */
  readonly until: number
  /** A notice was given for it, and not for another form of the same. */
  readonly given: boolean
}

/** What is remembered in order to tell each thing once. */
export interface NotificationMemory {
  /** Since when it works, with nothing but pauses between what is queued; null while it does not. */
  readonly workSince: number | null
  /** Since when it rests within its work; null while it does not. */
  readonly pausedAt: number | null
  /** The last work that is over: when it began and ended. */
  readonly work: { readonly since: number; readonly until: number; readonly stopped: boolean } | null
  /** What is the case, and since when. */
  readonly present: (Cause & { readonly since: number; readonly question: boolean }) | null
  readonly told: ReadonlyArray<Told>
  /** The dialog that leap is about to answer, and since when. */
  readonly answering: { readonly since: number; readonly key: string } | null
  /** When it is to be looked at again, with nothing new; null for never. */
  readonly wakeAt: number | null
}

export const start: NotificationMemory = {
  workSince: null,
  pausedAt: null,
  work: null,
  present: null,
  told: [],
  answering: null,
  wakeAt: null
}

/** Milliseconds that something must last: dialogs are drawn in parts, states misread, policies may answer. */
const grace = 2_000
/** leap answers a dialog within this, or the dialog is the user's. */
const answerPatience = 15_000
/** The same thing again within this, counted from its end, is no news. */
const staysTold: Readonly<Record<Cause["kind"], number>> = {
  needs: 5_000,
  done: 5_000,
  failed: 600_000,
  limit: 43_200_000
}

/** The memory of work: from when something runs until rest with nothing queued that goes out by itself. */
const followWork = (m: NotificationMemory, { at, status }: Observation): NotificationMemory => {
  const { state } = status
  if (canBeInterrupted(state)) return { ...m, workSince: m.workSince ?? at, pausedAt: null, work: null }
  if (m.workSince === null || state === "starting") return m
  const until = m.pausedAt ?? at
  if (workToCome(status)) return { ...m, pausedAt: until }
  return {
    ...m,
    workSince: null,
    pausedAt: null,
    work: { since: m.workSince, until, stopped: state === "interrupted" }
  }
}

const keyOf = ({ message, question }: SessionStatus): string =>
  question == null ? (message ?? "") : JSON.stringify(question)

/** Since when leap has been about to answer what is asked now. */
const followAnswer = ({ answering }: NotificationMemory, now: Observation): NotificationMemory["answering"] => {
  if (!asks(now.status.state) || !now.answering) return null
  const key = keyOf(now.status)
  return answering?.key === key ? answering : { since: now.at, key }
}

/** What a limit is known by: its end, as it was told first. */
const limitKey = (problem: Problem, { present, told }: NotificationMemory): string => {
  if (problem.until === null) return problem.message
  const isOfEnd = ({ key, kind }: Cause) => kind === "limit" && isSameEnd(endNamed(key), problem)
  return [...told, ...(present === null ? [] : [present])].find(isOfEnd)?.key ?? endName(problem)
}

const causeOf = (m: NotificationMemory, now: Observation): Cause | null => {
  const { answering, work } = m
  const { at, status } = now
  const { exit, pause, problem, startedAt, state } = status
  const needs = needsOf(status)
  if (state === "exited") return isUnexpectedEnd({ ...now, exit }) ? { kind: "failed", key: "exit" } : null
  if (isWorking(state)) return null
  if (asks(state)) {
    const isLeaps = answering !== null && at - answering.since < answerPatience
    return needs.length === 0 || isLeaps ? null : { kind: "needs", key: keyOf(status) }
  }
  const isTrouble = (problem !== null && problem.kind !== "stuck") || (pause != null && pause.until === null)
  // the user has put it aside: what else it needs is told by itself
  const isAside = isTrouble && !needs.some(({ id, kind }) => id === "" && kind !== "stuck")
  if (!isAside && problem?.kind === "rate_limited") return { kind: "limit", key: limitKey(problem, m) }
  // a process that was stopped is continued by its host
  if (!isAside && problem !== null && problem.kind !== "stuck")
    return { kind: "failed", key: `${problem.kind} ${problem.message}` }
  // what was held already when the session was started is no news to who started it
  const held = needs.find(
    ({ kind, since, until }) =>
      shownNeeds[kind].notice === "needs" && until === null && Date.parse(since) >= Date.parse(startedAt)
  )
  if (held !== undefined) return { kind: "needs", key: `${held.since} ${held.id}`, waits: true }
  if (isAside) return null
  if (pause != null && pause.until === null) {
    const kind = pause.kind === "rate_limited" ? "limit" : "failed"
    return { kind, key: pause.kind, waits: true }
  }
  if (state !== "idle" || work === null || work.stopped || workToCome(status)) return null
  return { kind: "done", key: String(work.until) }
}

/** What was told, as far as it still counts; what is the case has lasted until now. */
const remembered = ({ present, told }: NotificationMemory, at: number): ReadonlyArray<Told> =>
  told
    .map((one) => (isSame(one, present) ? { ...one, until: at } : one))
    .filter(({ kind, until }) => at - until < staysTold[kind])

/** Whether it is another form of a question that was told: dialogs come after the report, and may go for a moment. */
const isSameQuestion = (
  { present }: NotificationMemory,
  told: ReadonlyArray<Told>,
  cause: Cause,
  question: boolean
): boolean =>
  cause.kind === "needs" &&
  cause.waits === undefined &&
  present?.kind === "needs" &&
  present.waits === undefined &&
  present.question !== question &&
  told.some((one) => isSame(one, present) && (one.given || !question))

/** Whether the queue waits because of a trouble that was told, which the CLI shows no more; or the other way round. */
const isSameTrouble = ({ present }: NotificationMemory, told: ReadonlyArray<Told>, { kind, waits }: Cause): boolean =>
  kind !== "needs" && present?.kind === kind && present.waits !== waits && told.some((one) => isSame(one, present))

const isWanted = (rules: NoticeRules, kind: Cause["kind"], work: NotificationMemory["work"]): boolean => {
  switch (kind) {
    case "needs":
      return rules.needsYou
    case "failed":
      return rules.failed
    case "limit":
      return rules.limit
    case "done":
      return (
        rules.doneAfterMinutes !== null &&
        work !== null &&
        work.until - work.since >= Math.max(1, rules.doneAfterMinutes * 60_000)
      )
  }
}

/**
 * The memory after an observation, and what the user is to be told, null for nothing. Each thing is told once, after it
 * has been the case for a moment, with the user not looking at it; while it is not to be told (quiet hours, mute) it
 * waits, and is told later if it is still the case.
 */
export const step = (
  rules: NoticeRules,
  before: NotificationMemory,
  now: Observation
): readonly [NotificationMemory, Notice | null] => {
  const { at, status } = now
  const question = status.question != null
  const m = { ...followWork(before, now), answering: followAnswer(before, now) }
  const cause = causeOf(m, now)
  const told = remembered(m, at)
  if (cause === null) {
    // that leap leaves a dialog to the user is no change of the session: it is looked for as long as it may be
    if (m.answering === null) return [{ ...m, told, present: null, wakeAt: null }, null]
    const { key, since } = m.answering
    const present = { kind: "needs" as const, key, since, question }
    return [{ ...m, told, present, wakeAt: at + 1_000 }, null]
  }
  const same = isSameQuestion(m, told, cause, question) || isSameTrouble(m, told, cause)
  const isNew = !isSame(cause, m.present)
  const present = { ...cause, since: isNew || m.present === null ? at : m.present.since, question }
  const known = told.some((one) => isSame(one, cause))
  if (known || same || !isWanted(rules, cause.kind, m.work)) {
    const after = same && !known ? [...told, { ...cause, until: at, given: false }] : told
    return [{ ...m, present, told: after, wakeAt: null }, null]
  }
  const due = status.state === "exited" ? at : Math.max(present.since + grace, (now.userSeenAt ?? -Infinity) + presence)
  const silent = Math.max(quietUntil(rules.quietHours, at, rules.zone) ?? 0, mutedUntil(status.modes.mute, at) ?? 0)
  const moment = Math.max(due, silent)
  if (moment > at) return [{ ...m, told, present, wakeAt: moment === Infinity ? null : moment }, null]
  return [
    { ...m, present, told: [...told, { ...cause, until: at, given: true }], wakeAt: null },
    noticeOf(cause.kind, status, m.work)
  ]
}

const minutes = (span: number): string => {
  const all = Math.round(span / 60_000)
  return all < 60 ? `${all} min` : `${Math.floor(all / 60)} h ${all % 60} min`
}

const long = 300

/** The notice in words. What the CLI wrote is one line without anything that a terminal would obey. */
const noticeOf = (kind: Cause["kind"], status: SessionStatus, work: NotificationMemory["work"]): Notice => {
  const { lastResponse, question, reason, state, tag } = status
  const text = needsOf(status).find(({ kind: need }) => shownNeeds[need].notice === kind)?.text ?? reason
  const say = (title: string, text: string, options: Notice["options"] = []): Notice => ({
    kind,
    tag,
    title: `${tag} ${title}`,
    text: oneLine(text, long),
    options: options.slice(0, 12).map(({ label, number }) => ({ number, label: oneLine(label, 100) }))
  })
  switch (kind) {
    case "needs":
      return say("needs you", text, question?.options)
    case "limit":
      return say("has reached its limit", text)
    case "failed":
      return say(state === "exited" ? "ended" : "failed", text)
    case "done":
      return say("is done", `after ${minutes(work === null ? 0 : work.until - work.since)}: ${lastResponse ?? reason}`)
  }
}
