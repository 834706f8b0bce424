import type { Facts } from "../Facts.ts"
import type { Problem } from "../../../words/session/Session.ts"
import { limits } from "./limits.ts"
import { latest, turnBegan, turnEnded, turnStartOf } from "../TurnFacts.ts"
import { backgroundCount, type RuleContext } from "./RuleContext.ts"

/**
 * Decides where signals disagree: when a claim of work or of a question is stale, when a turn is over although nothing
 * reported its end, and which work is not the session's own turn. The rules apply these conditions.
 */

/** With an empty box, no work on screen and no output for long, a claim as old as `since` is stale. */
export const contradicted = ({ facts, passed }: RuleContext, since: number): boolean =>
  facts.visibleSince.quiet !== null &&
  facts.visibleSince.emptyBox !== null &&
  passed(latest(since, facts.visibleSince.quiet, facts.outputAt) + limits.contradicted)

/** After so long without output, only an authority's report could prove a running turn. */
export const silent = ({ facts, passed, authority }: RuleContext, since: number): boolean =>
  authority === null && passed(latest(since, facts.outputAt) + limits.silence)

export const stopShown = ({ facts: { visibleSince, turnStartedAt } }: RuleContext): boolean =>
  visibleSince.interrupted !== null &&
  visibleSince.quiet !== null &&
  turnStartedAt !== null &&
  visibleSince.interrupted > turnStartedAt

export const stopConfirmed = ({ facts: { stop } }: RuleContext): boolean => stop?.confirmed === true

/**
 * The CLI drew its interrupt line after an interrupt key, or showed shortly before that it is being stopped; its
 * running indicator may still show for a moment.
 */
export const windingUp = (context: RuleContext): boolean => {
  const { screen, stop, visibleSince } = context.facts
  if (!stopConfirmed(context)) return false
  return screen.interrupted
    ? !context.passed(latest(visibleSince.interrupted, visibleSince.working) + limits.stopped)
    : stop?.stoppingAt !== undefined && !context.passed(stop.stoppingAt + limits.stopGrace)
}

/** A turn reported at `since` is over without a report: the screen has shown rest for long enough, now or before. */
export const endedUnreported = ({ facts, now, passed, authority }: RuleContext, since: number): boolean => {
  const {
    failedRequest,
    screen,
    visibleSince: { emptyBox, quiet },
    stop,
    workedAt
  } = facts
  if (authority !== null) return false
  const failed = failedRequest !== null && failedRequest.at > since
  const stopped = stop !== null && stop.at > since
  const span = failed || stopped ? limits.quiet : screen.resting === true ? limits.openTurnRest : limits.openTurnQuiet
  const resting = quiet !== null && (emptyBox !== null || screen.resting === true)
  if (resting) return passed(latest(quiet, since, stopped ? stop.at : null) + span)
  // A picker that the user opens over the box afterwards does not resume the turn.
  const { rest } = facts
  return (
    rest !== null &&
    rest.until <= now &&
    rest.until - Math.max(rest.since, since) >= span &&
    latest(workedAt) <= rest.until
  )
}

/**
 * The problem that the next message would meet, and since when: of the last turn's failure, of a missing login, or of a
 * failed request after which the turn showed nothing more.
 */
export const activeProblem = ({
  facts,
  passed
}: RuleContext): { readonly problem: Problem; readonly at: number } | null => {
  const {
    failedRequest,
    problem,
    problemAt,
    visibleSince: { quiet }
  } = facts
  if (problem !== null && problemAt !== null) return { problem, at: problemAt }
  // A hook may still come, and says more about the failure.
  const { reportedFailure } = facts
  if (reportedFailure !== null && passed(reportedFailure.at + limits.endHook)) return reportedFailure
  if (facts.screen.loggedOut === true) return { problem: loggedOut, at: facts.at }
  if (failedRequest === null || failedRequest.problem === null || quiet === null) return null
  return passed(latest(quiet, failedRequest.at) + limits.quiet)
    ? { problem: failedRequest.problem, at: failedRequest.at }
    : null
}

const loggedOut: Problem = { kind: "auth", message: "log in first", until: null }

/** A hook reported the start of a turn, and no source has reported or shown its end since. */
export const turnOpen = ({ facts }: RuleContext): boolean =>
  facts.turnStartedAt !== null &&
  facts.turnStartedAt > turnEnded(facts) &&
  facts.turnStartedAt !== facts.concludedTurnStart

/** When the user or the CLI itself gave the last prompt. A command of the CLI is no prompt. */
const promptGiven = ({ submitted, turnStartedAt }: Facts): number =>
  latest(turnStartedAt, submitted === null || submitted.command ? null : turnStartOf(submitted))

/** All reported or shown work is background work that outlived its turn: the session itself rests. */
export const backgroundOnly = (context: RuleContext): boolean => {
  const { facts, passed } = context
  const { emptyBox, quiet } = facts.visibleSince
  if ((backgroundCount(context) ?? 0) === 0) return false
  if (quiet === null) return facts.screen.picker && facts.screen.box === null && turnEnded(facts) > promptGiven(facts)
  const over = turnEnded(facts) > turnBegan(facts)
  return over || (emptyBox !== null && passed(latest(quiet, turnBegan(facts)) + limits.backgroundQuiet))
}

/** The work since `since` is that of a short command that only shows something; a turn would have a hook. */
export const isShortCommand = ({ facts, idleCommands, passed, turnHooks }: RuleContext, since: number): boolean => {
  const { compactStartedAt, lastHook, sendAt, submitted, turnStartedAt } = facts
  if (idleCommands || submitted?.command !== true || since < submitted.at || since > submitted.at + limits.submission)
    return false
  // leap has begun to type a message after the command, and the work belongs to its turn.
  if (latest(sendAt) >= submitted.at) return false
  if (latest(turnStartedAt, compactStartedAt) > submitted.at) return false
  return !passed(since + (turnHooks && lastHook !== null ? limits.command : limits.flash))
}

export const restedSince = ({ facts, firstTurnLoading, passed, authority }: RuleContext, moment: number): boolean => {
  if (turnEnded(facts) > moment) return true
  if (facts.workedAt === null || facts.workedAt <= moment || firstTurnLoading !== null) return false
  if (authority !== null) return facts.reportedRestAt !== null && facts.reportedRestAt > moment
  return facts.visibleSince.quiet !== null && passed(latest(facts.visibleSince.quiet, moment) + limits.quiet)
}

/** A turn of unknown end: no known source reported or showed it, and a box without signs of work proves no rest. */
export const endUnknown = ({ facts, authority }: RuleContext): boolean => {
  const { screen, sendAt, stop, submitted, visibleSince } = facts
  const began = latest(turnBegan(facts), sendAt)
  return (
    began > turnEnded(facts) &&
    (submitted?.command !== true || submitted.at < began) &&
    authority === null &&
    stop === null &&
    visibleSince.interrupted === null &&
    visibleSince.titleRest === null &&
    screen.resting !== true &&
    screen.loggedOut !== true
  )
}
