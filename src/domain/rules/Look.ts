import { screenShowsSelectionDialog } from "../ArrowGate.ts"
import type { Detection } from "../Detection.ts"
import { began, type Facts, rootRecord } from "../Facts.ts"
import type { SessionState } from "../Session.ts"
import { limits } from "./limits.ts"

/** What a rule answers: the state it found, and why, for the user. */
export interface Verdict {
  readonly state: SessionState
  readonly reason: string
}

/** One line of the table: a name for `leap why`, and what it looks for. The first that answers wins. */
export interface Rule {
  readonly name: string
  readonly find: (look: Look) => Verdict | null
}

/** The strongest source that says at every moment what the CLI does: its program-status report, else its status file. */
export interface Speaker {
  readonly says: "work" | "rest" | "wait"
  /** What it waits for, when it waits. */
  readonly waitsFor: "permission" | "question" | "dialog" | null
  readonly since: number
  /** It rests because a turn came to its end, not because one was stopped. */
  readonly finished: boolean
  readonly reason: string
  readonly message: string | null
}

/** The facts at one moment, with a clock that remembers which comparison will turn out differently, and when. */
export interface Look {
  readonly facts: Facts
  readonly now: number
  readonly turnHooks: boolean
  /** How long the CLI may load before its first turn works; null once it has worked, and where it does not load. */
  readonly loads: number | null
  readonly idleCommands: boolean
  readonly speaker: Speaker | null
  /** Whether `moment` has come. One that has not is a moment at which the verdict may change by itself. */
  readonly passed: (moment: number) => boolean
  /** The earliest moment that was asked for and has not come. */
  readonly next: () => number | null
}

/** What a provider says of its CLI's words that the rules need. */
export type Tells = Pick<Detection["tells"], "turnHooks" | "firstTurn" | "idleCommands">

/** Looks at the facts at one moment. */
export const look = (facts: Facts, now: number, { firstTurn, idleCommands, turnHooks }: Tells): Look => {
  let next = Infinity
  return {
    facts,
    now,
    turnHooks,
    idleCommands: idleCommands === true,
    loads: facts.hasWorked ? null : firstTurn ?? null,
    speaker: speaker(facts),
    passed: (moment) => {
      if (now >= moment) return true
      if (moment < next) next = moment
      return false
    },
    next: () => next === Infinity ? null : next
  }
}

const speaker = (facts: Facts): Speaker | null => {
  const root = rootRecord(facts.records)
  if (root !== null) {
    const { kind, message, state } = root
    // Blocked for want of a login, with its box on screen, it takes input: that is a problem and no dialog.
    const loggedOut = kind === "auth" && facts.shown.box !== null
    const says = state === "working" ? "work" : state === "blocked" && !loggedOut ? "wait" : "rest"
    const waitsFor = says !== "wait" ? null : kind === "permission" ? "permission" : "question"
    return {
      says,
      waitsFor,
      since: facts.toldSince ?? facts.at,
      finished: state === "done" || state === "error" || loggedOut,
      reason: `program status: ${state}${message === null ? "" : ` — ${message}`}`,
      message
    }
  }
  const { own } = facts
  if (own === null || own.phase === "gone") return null
  const asks = own.phase === "work" ? facts.asking[0] : undefined
  if (asks !== undefined) {
    const what = asks.kind === "permission" ? "permission" : "question"
    return {
      says: "wait",
      waitsFor: what,
      since: asks.at,
      finished: false,
      reason: `${facts.hook ?? own.source}: asks${asks.message === null ? "" : ` — ${asks.message}`}`,
      message: asks.message
    }
  }
  return {
    says: own.phase,
    waitsFor: own.waitingFor,
    since: own.since,
    finished: false,
    reason: `${own.source}: ${own.word}`,
    message: null
  }
}

/** The latest of some moments; -Infinity when none is known. */
export const latest = (...moments: ReadonlyArray<number | null>): number =>
  moments.reduce<number>((max, moment) => moment !== null && moment > max ? moment : max, -Infinity)

/** When the last turn began, by the user's submission or the CLI's hook. */
export const turnBegan = ({ submitted, turnStartedAt }: Facts): number => latest(turnStartedAt, submitted === null ? null : began(submitted))

/** When the last turn ended, by the CLI's hooks. */
export const turnEnded = ({ turnEndedAt, turnFailedAt }: Facts): number => latest(turnEndedAt, turnFailedAt)

/** Background work as the best source tells it: null when no source tells. */
export const backgroundCount = ({ facts, passed, speaker }: Look): number | null => {
  if (rootRecord(facts.records) !== null) return facts.records.length - 1
  if (facts.own?.phase === "rest") return facts.own.background ? 1 : 0
  if (facts.turnTasks !== null && speaker !== null) return facts.turnTasks.length
  return facts.screen.background ?? remembered(facts, passed) ?? (facts.turnTasks === null ? null : facts.turnTasks.length)
}

/** A screen that has no room for it for a while (a passing hint in its place, say) does not end what it told before. */
const remembered = ({ background, screen }: Facts, passed: Look["passed"]): number | null =>
  background === null || screenShowsSelectionDialog(screen) || passed(background.at + limits.background) ? null : background.count
