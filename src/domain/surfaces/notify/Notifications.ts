import { asks, canBeInterrupted, isWorking } from "../../words/session/states.ts"
import { endName, endNamed, isSameEnd } from "../../words/problems/LimitEnd.ts"
import { needsOf } from "../../words/attention/needsOf.ts"
import { shownNeeds } from "../../words/attention/shownNeeds.ts"
import { isUnexpectedEnd, presence } from "../../words/attention/unexpectedEnd.ts"
import type { GivenNotice, Problem, Question, SessionStatus } from "../../words/session/Session.ts"
import { workToCome } from "../../words/session/workToCome.ts"
import { oneLine } from "../../words/text/printable.ts"
import { quietUntil } from "../../store/settings/quietSpan.ts"
import { mutedUntil } from "./mutedUntil.ts"
import { type Notice } from "./Notice.ts"
import type { NotifySettings } from "../../store/settings/NotifySettings.ts"

/** The facts of a session at a time that notices depend on. Times: milliseconds since the epoch. */
export interface Observation {
  readonly at: number
  readonly status: SessionStatus
  /** leap answers the dialog, or is about to: it is for a policy, not for the user. */
  readonly answering: boolean
  /** The user's last key in the session's terminal, or last look on another surface; null for none. */
  readonly userSeenAt: number | null
  readonly stopping: boolean
}

/** The events that the user wants to hear of. `zone`: the time zone of the quiet hours. */
export type NoticeRules = Pick<NotifySettings, "doneAfterMinutes" | "failed" | "limit" | "needsYou" | "quietHours"> & {
  readonly zone: string
}

/** A possible reason for a notice, while it holds. */
interface Cause {
  readonly kind: "needs" | "done" | "failed" | "limit"
  /** Identifies it among its kind: the user is notified once. */
  readonly key: string
  /** The queue waits for the user, and the CLI does not show the problem, or not any more. */
  readonly waits?: true
}

const isSame = (a: Cause, b: Cause | null): boolean => a.kind === b?.kind && a.key === b.key && a.waits === b.waits

/** A reason that was notified, or belongs to a notified one. */
interface Told extends Cause {
  /** Until when it held. */
  readonly until: number
  /** A notice was sent for it, and not for another form of it. */
  readonly given: boolean
}

/** The memory by which the user is notified once of each thing. */
export interface NotificationMemory {
  /** Since when it works, with only pauses between queued messages; null while it does not. */
  readonly workSince: number | null
  /** Since when it pauses within its work; null while it does not. */
  readonly pausedAt: number | null
  /** The last finished work: when it began and ended. */
  readonly work: { readonly since: number; readonly until: number; readonly stopped: boolean } | null
  /** The present reason, and since when it holds. */
  readonly present: (Cause & { readonly since: number; readonly question: boolean }) | null
  readonly told: ReadonlyArray<Told>
  /** The last notice, and its reason. */
  readonly last: { readonly cause: Cause; readonly given: GivenNotice } | null
  /** The dialog that leap is about to answer, and since when. */
  readonly answering: { readonly since: number; readonly key: string } | null
  /** When to check again without an event; null: never. */
  readonly wakeAt: number | null
}

export const start: NotificationMemory = {
  workSince: null,
  pausedAt: null,
  work: null,
  present: null,
  told: [],
  last: null,
  answering: null,
  wakeAt: null
}

/** Milliseconds that a reason must hold: dialogs are drawn in parts, states may be misread, policies may answer. */
const grace = 2_000
/** If leap does not answer a dialog within this time, the dialog is for the user. */
const answerTimeout = 15_000
/** The same reason again within this time after its end is not notified. */
const staysTold: Readonly<Record<Cause["kind"], number>> = {
  needs: 5_000,
  done: 5_000,
  failed: 600_000,
  limit: 43_200_000
}

/** The memory of work: from the first activity until rest with no message that is sent automatically. */
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

/** Since when leap has been about to answer the present dialog. */
const followAnswer = ({ answering }: NotificationMemory, now: Observation): NotificationMemory["answering"] => {
  if (!asks(now.status.state) || !now.answering) return null
  const key = keyOf(now.status)
  return answering?.key === key ? answering : { since: now.at, key }
}

/** The key of a limit: its end, as first reported. */
const limitKey = (problem: Problem, { present, told }: NotificationMemory): string => {
  if (problem.until === null) return problem.message
  const isOfEnd = ({ key, kind }: Cause) => kind === "limit" && isSameEnd(endNamed(key), problem)
  return [...told, ...(present === null ? [] : [present])].find(isOfEnd)?.key ?? endName(problem)
}

const causeOf = (m: NotificationMemory, now: Observation): Cause | null => {
  const { answering, work } = m
  const { at, status } = now
  const { exit, pause, problem, queue, startedAt, state } = status
  const needs = needsOf(status)
  if (state === "exited") return isUnexpectedEnd({ ...now, exit }) ? { kind: "failed", key: "exit" } : null
  if (isWorking(state)) return null
  if (asks(state)) {
    const isLeaps = answering !== null && at - answering.since < answerTimeout
    return needs.length === 0 || isLeaps ? null : { kind: "needs", key: keyOf(status) }
  }
  const isTrouble = (problem !== null && problem.kind !== "stuck") || (pause != null && pause.until === null)
  // the user dismissed this problem; leap notifies about the session's other needs separately
  const isAside = isTrouble && !needs.some(({ id, kind }) => id === "" && kind !== "stuck")
  if (!isAside && problem?.kind === "rate_limited") return { kind: "limit", key: limitKey(problem, m) }
  // a `stuck` CLI was stopped, and its host continues it
  if (!isAside && problem !== null && problem.kind !== "stuck")
    return { kind: "failed", key: `${problem.kind} ${problem.message}` }
  // messages that were held at the session's start are known to the user who started it
  const begun = Date.parse(startedAt)
  const isNew = queue.some(({ since, status }) => status === "held" && since !== undefined && Date.parse(since) > begun)
  const held = needs.find(
    ({ id, kind, since, until }) =>
      shownNeeds[kind].notice === "needs" &&
      until === null &&
      (kind === "held" && id !== "" ? isNew : Date.parse(since) >= begun)
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

/** The notified reasons that still count; the present one has held until now. */
const remembered = ({ present, told }: NotificationMemory, at: number): ReadonlyArray<Told> =>
  told
    .map((one) => (isSame(one, present) ? { ...one, until: at } : one))
    .filter(({ kind, until }) => at - until < staysTold[kind])

/** Whether it is another form of a notified question: dialogs come after the report, and may disappear for a moment. */
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

/** Whether the queue waits because of a notified problem that the CLI no longer shows; or the other way round. */
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
 * The memory after an observation, and the notice for the user, null for none. Each reason is notified once, after it
 * has held for a moment while the user was not looking. During quiet hours or mute it waits, and is notified later if
 * it still holds.
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
    // no session event reports that leap gave up on a dialog, so leap checks while it may still answer
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
  const notice = noticeOf(cause.kind, status, m.work)
  const { text, title } = notice
  const last = { cause, given: { at: new Date(at).toISOString(), kind: cause.kind, title, text } }
  return [{ ...m, present, last, told: [...told, { ...cause, until: at, given: true }], wakeAt: null }, notice]
}

/** The last notice while its reason holds, also in another form; null if it is over. */
export const standing = ({ last, present, told }: NotificationMemory): GivenNotice | null =>
  last !== null &&
  present !== null &&
  (isSame(last.cause, present) || told.some((one) => !one.given && isSame(one, present)))
    ? last.given
    : null

const minutes = (span: number): string => {
  const all = Math.round(span / 60_000)
  return all < 60 ? `${all} min` : `${Math.floor(all / 60)} h ${all % 60} min`
}

const long = 300

/** A dialog's options as a notice lists them. */
export const noticeOptions = (question: Question | null | undefined): Notice["options"] =>
  (question?.options ?? []).slice(0, 12).map(({ label, number }) => ({ number, label: oneLine(label, 100) }))

/** The notice in words. The CLI's text is one line without characters that a terminal would execute. */
const noticeOf = (kind: Cause["kind"], status: SessionStatus, work: NotificationMemory["work"]): Notice => {
  const { lastResponse, question, reason, state, tag } = status
  const text = needsOf(status).find(({ kind: need }) => shownNeeds[need].notice === kind)?.text ?? reason
  const say = (title: string, text: string, options: Notice["options"] = []): Notice => ({
    kind,
    tag,
    title: `${tag} ${title}`,
    text: oneLine(text, long),
    options
  })
  switch (kind) {
    case "needs":
      return say("needs you", text, noticeOptions(question))
    case "limit":
      return say("has reached its limit", text)
    case "failed":
      return say(state === "exited" ? "ended" : "failed", text)
    case "done":
      return say("is done", `after ${minutes(work === null ? 0 : work.until - work.since)}: ${lastResponse ?? reason}`)
  }
}
