import { began, type Facts } from "../Facts.ts"
import type { Problem } from "../Session.ts"
import { limits } from "./limits.ts"
import { backgroundCount, latest, type Look, type Rule, turnBegan, turnEnded } from "./Look.ts"

/** An empty box, nothing at work on screen and long silence: what the CLI says is stale. */
export const contradicted = ({ facts, passed }: Look, since: number): boolean =>
  facts.shown.quiet !== null && facts.shown.emptyBox !== null &&
  passed(latest(since, facts.shown.quiet, facts.outputAt) + limits.contradicted)

/** Nothing has come out of the CLI for so long that only its own word would do. */
const silent = ({ facts, passed, speaker }: Look, since: number): boolean =>
  speaker === null && passed(latest(since, facts.outputAt) + limits.silence)

/** The CLI drew its interrupt line in this turn, and rests. */
const stopShown = ({ facts: { shown, turnStartedAt } }: Look): boolean =>
  shown.interrupted !== null && shown.quiet !== null && turnStartedAt !== null && shown.interrupted > turnStartedAt

/** The user pressed an interrupt key, and the CLI has said or drawn since then that it stopped. */
export const stopConfirmed = ({ facts: { stop } }: Look): boolean => stop?.told === true

/** The CLI has drawn its interrupt line behind the user's interrupt key, and clears away what said that it works. */
const windingUp = (look: Look): boolean => {
  const { screen, shown } = look.facts
  return stopConfirmed(look) && screen.interrupted && !look.passed(latest(shown.interrupted, shown.working) + limits.stopped)
}

/** The CLI said that it works on a turn, and the screen has shown rest ever since for long enough: its end was not told. */
const endedUntold = ({ facts, now, passed, speaker }: Look, since: number): boolean => {
  const { failedRequest, screen, shown: { emptyBox, quiet }, stop, workedAt } = facts
  if (speaker !== null) return false
  const failed = failedRequest !== null && failedRequest.at > since
  const stopped = stop !== null && stop.at > since
  const span = failed || stopped ? limits.quiet : screen.resting === true ? limits.openTurnRest : limits.openTurnQuiet
  const resting = quiet !== null && (emptyBox !== null || screen.resting === true)
  if (resting) return passed(latest(quiet, since, stopped ? stop.at : null) + span)
  // What the user opens over the box afterwards does not make the turn go on.
  const { rest } = facts
  return rest !== null && rest.until <= now && rest.until - Math.max(rest.since, since) >= span && latest(workedAt) <= rest.until
}

/** What stands in the way of the next message: the last turn failed, or ended with a failed request and no other word. */
export const trouble = ({ facts, passed }: Look): { readonly problem: Problem; readonly at: number } | null => {
  const { failedRequest, problem, problemAt, shown: { quiet } } = facts
  if (problem !== null && problemAt !== null) return { problem, at: problemAt }
  if (facts.screen.loggedOut === true) return { problem: loggedOut, at: facts.at }
  if (failedRequest === null || failedRequest.problem === null || quiet === null) return null
  return passed(latest(quiet, failedRequest.at) + limits.quiet) ? { problem: failedRequest.problem, at: failedRequest.at } : null
}

const loggedOut: Problem = { kind: "auth", message: "log in first", until: null }

/** A hook said that a turn began, and nothing has said or shown since that it is over. */
export const turnOpen = ({ facts }: Look): boolean =>
  facts.turnStartedAt !== null && facts.turnStartedAt > turnEnded(facts) && facts.turnStartedAt !== facts.turnOverAt

/** When the user, or the CLI itself, last gave a prompt; a command that only shows something is none. */
const promptGiven = ({ submitted, turnStartedAt }: Facts): number =>
  latest(turnStartedAt, submitted === null || submitted.command ? null : began(submitted))

/** What works is work that outlived its turn: the session itself rests. */
export const backgroundOnly = (look: Look): boolean => {
  const { facts, passed } = look
  const { emptyBox, quiet } = facts.shown
  if ((backgroundCount(look) ?? 0) === 0) return false
  if (quiet === null) return facts.screen.picker && facts.screen.box === null && turnEnded(facts) > promptGiven(facts)
  const over = turnEnded(facts) > turnBegan(facts)
  return over || emptyBox !== null && passed(latest(quiet, turnBegan(facts)) + limits.backgroundQuiet)
}

/** A command that only shows something works for a moment, without a turn: a turn has a hook, where hooks are heard. */
const flash = ({ facts, idleCommands, passed, turnHooks }: Look, since: number): boolean => {
  const { compactStartedAt, hook, submitted, turnStartedAt } = facts
  if (idleCommands || submitted?.command !== true || since < submitted.at || since > submitted.at + limits.submission) return false
  if (latest(turnStartedAt, compactStartedAt) > submitted.at) return false
  return !passed(since + (turnHooks && hook !== null ? limits.command : limits.flash))
}

/** The CLI's own report or status file says that it works. */
export const toldWorking: Rule = {
  name: "told-working",
  find: (look) => {
    const { speaker } = look
    if (speaker === null || speaker.says !== "work") return null
    if (flash(look, speaker.since) || backgroundOnly(look) || contradicted(look, speaker.since)) return null
    return { state: "running", reason: speaker.reason }
  }
}

/** The CLI has worked since a moment, and rests again by its own word or by its screen. */
export const restedSince = ({ facts, loads, passed, speaker }: Look, moment: number): boolean => {
  if (turnEnded(facts) > moment) return true
  if (facts.workedAt === null || facts.workedAt <= moment || loads !== null) return false
  if (speaker !== null) return facts.restedAt !== null && facts.restedAt > moment
  return facts.shown.quiet !== null && passed(latest(facts.shown.quiet, moment) + limits.quiet)
}

/** A prompt was submitted and the CLI has not yet said anything of it. */
export const submitted: Rule = {
  name: "submitted",
  find: (look) => {
    const { facts, loads, passed } = look
    const { submitted } = facts
    const since = submitted === null || submitted.command ? null : began(submitted)
    if (since === null || restedSince(look, since) || stopConfirmed(look)) return null
    // What it opened instead has nothing to load.
    const span = facts.screen.picker ? limits.submission : loads ?? limits.submission
    // It was refused.
    if (facts.screen.loggedOut === true && facts.shown.quiet !== null) return null
    return passed(since + span) ? null : { state: "running", reason: "prompt submitted" }
  }
}

/** leap types a message. */
export const sending: Rule = {
  name: "sending",
  find: (look) => {
    const { screen, sendAt, shown, submitted } = look.facts
    if (sendAt === null || sendAt < latest(turnEnded(look.facts), submitted?.at ?? null)) return null
    // What it sent has been stopped already, or is over.
    if (stopConfirmed(look) || latest(shown.interrupted) > sendAt || restedSince(look, sendAt)) return null
    if (screen.resting === true && shown.emptyBox !== null && look.passed(latest(sendAt, shown.emptyBox) + limits.sendingRest)) return null
    return look.passed(sendAt + limits.sending) ? null : { state: "running", reason: "leap is typing a message" }
  }
}

/** A turn's start was told by a hook, its end not. */
export const hookTurn: Rule = {
  name: "hook-turn",
  find: (look) => {
    const { facts, passed, speaker } = look
    const { turnStartedAt } = facts
    if (!turnOpen(look) || turnStartedAt === null || stopShown(look) || stopConfirmed(look) && facts.shown.quiet !== null || windingUp(look)) return null
    const verdict = { state: "running", reason: facts.hook ?? "hook" } as const
    if (speaker !== null && restedSince(look, turnStartedAt)) return null
    if (speaker?.says === "rest") return passed(turnStartedAt + limits.turnHook) ? null : verdict
    const loading = look.loads !== null && !passed(turnStartedAt + look.loads)
    if (!loading && endedUntold(look, turnStartedAt)) return null
    if (contradicted(look, turnStartedAt) || silent(look, turnStartedAt)) return null
    return !loading && backgroundOnly(look) ? null : verdict
  }
}

/** The conversation is being compacted. */
export const compacting: Rule = {
  name: "compacting",
  find: (look) => {
    const { facts, passed, speaker } = look
    const { compactEndedAt, compactStartedAt } = facts
    if (compactStartedAt === null || latest(compactEndedAt) > compactStartedAt) return null
    if (restedSince(look, compactStartedAt)) return null
    const resting = speaker?.says === "rest" || facts.shown.quiet !== null
    const since = speaker?.says === "rest" ? compactStartedAt : latest(facts.shown.quiet, compactStartedAt)
    if (resting && passed(since + limits.turnHook)) return null
    return contradicted(look, compactStartedAt) || silent(look, compactStartedAt)
      ? null
      : { state: "running", reason: "compacting the conversation" }
  }
}

/** The terminal title says that it works. */
export const titleWorking: Rule = {
  name: "title-working",
  find: (look) => {
    const { facts, passed, speaker } = look
    const since = facts.shown.titleWork
    if (since === null || flash(look, since) || backgroundOnly(look)) return null
    if (speaker !== null && speaker.says !== "work" && passed(latest(speaker.since, since) + limits.titleLag)) return null
    return contradicted(look, since) || silent(look, since) ? null : { state: "running", reason: "terminal title" }
  }
}

/** The screen shows a running indicator, and it moves. */
export const screenWorking: Rule = {
  name: "screen-working",
  find: (look) => {
    const { facts, passed, speaker } = look
    const since = facts.shown.working
    if (since === null || flash(look, since) || windingUp(look)) return null
    if (speaker?.says === "rest" && passed(latest(speaker.since, since) + limits.screenLag)) return null
    if (passed(latest(facts.outputAt) + limits.indicator)) return null
    return { state: "running", reason: `on screen: ${facts.screen.activity ?? "a running indicator"}` }
  }
}

/** The turn is over, but a prompt typed ahead starts the next one. */
export const typedAhead: Rule = {
  name: "typed-ahead",
  find: ({ facts, passed, speaker }) => {
    const { stop, submitted } = facts
    if (submitted === null || !submitted.ahead || submitted.command) return null
    // It has been taken already. A hook that was still due for the prompt before it says nothing of it.
    if (submitted.behind === null && latest(facts.turnStartedAt) > submitted.at) return null
    // What the user has stopped since then goes on by its own word only.
    if (stop?.told === true && stop.at > submitted.at) return null
    const rest = latest(turnEnded(facts), speaker?.says === "rest" ? speaker.since : null)
    return rest < submitted.at || passed(rest + limits.typedAhead)
      ? null
      : { state: "running", reason: "a prompt typed ahead is next" }
  }
}

/** What stands where the screen would tell of work hides a running turn; only the output still moves. */
export const hidden: Rule = {
  name: "hidden",
  find: ({ facts, passed, speaker }) => {
    const { covered, screen, shown, stop, workedAt } = facts
    if (speaker !== null || shown.titleRest !== null || shown.titleWork !== null || screen.resting === true) return null
    if (covered?.working !== true || stop !== null && stop.early !== true || turnEnded(facts) > latest(workedAt)) return null
    return screen.box === null
      ? passed(latest(facts.outputAt) + limits.indicator) ? null : { state: "running", reason: "a turn was running when this was opened" }
      : passed(latest(facts.outputAt) + limits.moving) ? null : { state: "running", reason: "output goes on, with no room to tell why" }
  }
}
