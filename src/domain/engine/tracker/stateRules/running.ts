import { limits } from "./limits.ts"
import { latest, turnBegan, turnEnded, turnStartOf } from "../TurnFacts.ts"
import type { Rule } from "./RuleContext.ts"
import {
  contradicted,
  silent,
  stopShown,
  stopConfirmed,
  windingUp,
  endedUnreported,
  endUnknown,
  turnOpen,
  backgroundOnly,
  isShortCommand,
  restedSince
} from "./turnConditions.ts"

export const authorityWorks: Rule = {
  name: "told-working",
  classify: (context) => {
    const { authority } = context
    if (authority === null || authority.phase !== "work") return null
    if (isShortCommand(context, authority.since) || backgroundOnly(context) || contradicted(context, authority.since))
      return null
    return { state: "running", reason: authority.reason }
  }
}

/** A prompt was submitted, and the CLI has not reported or shown anything of its turn yet. */
export const submitted: Rule = {
  name: "submitted",
  classify: (context) => {
    const { facts, firstTurnLoading, passed } = context
    const { submitted } = facts
    const since = submitted === null || submitted.command ? null : turnStartOf(submitted)
    if (since === null || restedSince(context, since) || stopConfirmed(context)) return null
    // A picker that the prompt opened has nothing to load.
    const span = facts.screen.picker ? limits.submission : (firstTurnLoading ?? limits.submission)
    // A CLI that is logged out refuses prompts.
    if (facts.screen.loggedOut === true && facts.visibleSince.quiet !== null) return null
    return passed(since + span) ? null : { state: "running", reason: { _tag: "Submitted" } }
  }
}

export const sending: Rule = {
  name: "sending",
  classify: (context) => {
    const { screen, sendAt, visibleSince, submitted } = context.facts
    if (sendAt === null || sendAt < latest(turnEnded(context.facts), submitted?.at ?? null)) return null
    // The turn of that message has been stopped already, or is over.
    if (stopConfirmed(context) || latest(visibleSince.interrupted) > sendAt || restedSince(context, sendAt)) return null
    if (
      screen.resting === true &&
      visibleSince.emptyBox !== null &&
      context.passed(latest(sendAt, visibleSince.emptyBox) + limits.sendingRest)
    )
      return null
    return context.passed(sendAt + limits.sending) ? null : { state: "running", reason: { _tag: "Typing" } }
  }
}

export const hookTurn: Rule = {
  name: "hook-turn",
  classify: (context) => {
    const { facts, passed, authority } = context
    const { turnStartedAt } = facts
    if (
      !turnOpen(context) ||
      turnStartedAt === null ||
      stopShown(context) ||
      (stopConfirmed(context) && facts.visibleSince.quiet !== null) ||
      windingUp(context)
    )
      return null
    const classification = { state: "running", reason: { _tag: "Hook", hook: facts.lastHook } } as const
    if (authority !== null && restedSince(context, turnStartedAt)) return null
    if (authority?.phase === "rest") return passed(turnStartedAt + limits.turnHook) ? null : classification
    const loading = context.firstTurnLoading !== null && !passed(turnStartedAt + context.firstTurnLoading)
    if (!loading && endedUnreported(context, turnStartedAt)) return null
    if (contradicted(context, turnStartedAt) || silent(context, turnStartedAt)) return null
    return !loading && backgroundOnly(context) ? null : classification
  }
}

export const compacting: Rule = {
  name: "compacting",
  classify: (context) => {
    const { facts, passed, authority } = context
    const { compactEndedAt, compactStartedAt } = facts
    if (compactStartedAt === null || latest(compactEndedAt) > compactStartedAt) return null
    if (restedSince(context, compactStartedAt)) return null
    const resting = authority?.phase === "rest" || facts.visibleSince.quiet !== null
    const since = authority?.phase === "rest" ? compactStartedAt : latest(facts.visibleSince.quiet, compactStartedAt)
    if (resting && passed(since + limits.turnHook)) return null
    return contradicted(context, compactStartedAt) || silent(context, compactStartedAt)
      ? null
      : { state: "running", reason: { _tag: "Compacting" } }
  }
}

export const titleWorking: Rule = {
  name: "title-working",
  classify: (context) => {
    const { facts, passed, authority } = context
    const since = facts.visibleSince.titleWork
    if (since === null || isShortCommand(context, since) || backgroundOnly(context)) return null
    if (authority !== null && authority.phase !== "work" && passed(latest(authority.since, since) + limits.titleLag))
      return null
    return contradicted(context, since) || silent(context, since)
      ? null
      : { state: "running", reason: { _tag: "TitleWorks" } }
  }
}

export const screenWorking: Rule = {
  name: "screen-working",
  classify: (context) => {
    const { facts, passed, authority } = context
    const since = facts.visibleSince.working
    if (since === null || isShortCommand(context, since) || windingUp(context)) return null
    if (authority?.phase === "rest" && passed(latest(authority.since, since) + limits.screenLag)) return null
    if (passed(latest(facts.outputAt) + limits.indicator)) return null
    return { state: "running", reason: { _tag: "WorkShown", activity: facts.screen.activity } }
  }
}

/** The turn is over, and a prompt that was typed ahead is about to start the next one. */
export const typedAhead: Rule = {
  name: "typed-ahead",
  classify: ({ facts, passed, authority }) => {
    const { stop, submitted } = facts
    if (submitted === null || !submitted.ahead || submitted.command) return null
    // Its turn has begun already. A hook proves this only if no hook of the prompt before is still due.
    if (submitted.behind === null && latest(facts.turnStartedAt) > submitted.at) return null
    // After a confirmed stop only a report of the CLI proves another turn.
    if (stop?.confirmed === true && stop.at > submitted.at) return null
    const rest = latest(turnEnded(facts), authority?.phase === "rest" ? authority.since : null)
    return rest < submitted.at || passed(rest + limits.typedAhead)
      ? null
      : { state: "running", reason: { _tag: "TypedAhead" } }
  }
}

/** Something hides the running indicator of a turn, and output goes on. */
export const hidden: Rule = {
  name: "hidden",
  classify: ({ facts, passed, authority }) => {
    const { covered, screen, visibleSince, stop, workedAt } = facts
    if (
      authority !== null ||
      visibleSince.titleRest !== null ||
      visibleSince.titleWork !== null ||
      screen.resting === true
    )
      return null
    if (
      covered?.working !== true ||
      (stop !== null && stop.needsConfirmation !== true) ||
      turnEnded(facts) > latest(workedAt)
    )
      return null
    return screen.box === null
      ? passed(latest(facts.outputAt) + limits.indicator)
        ? null
        : { state: "running", reason: { _tag: "WorkCovered" } }
      : passed(latest(facts.outputAt) + limits.moving)
        ? null
        : { state: "running", reason: { _tag: "OutputGoesOn" } }
  }
}

/** Text grows above the box in a turn of unknown end: the turn goes on, without a known sign of work. */
export const growing: Rule = {
  name: "growing",
  classify: (context) => {
    const { growth, sendAt, workedAt } = context.facts
    const began = latest(turnBegan(context.facts), sendAt)
    // A redraw grows once, so one growth is enough only in a turn that was seen at work.
    if (growth === null || growth.since <= began || (growth.at === growth.since && latest(workedAt) <= began))
      return null
    if (!endUnknown(context) || context.passed(growth.at + limits.still)) return null
    return { state: "running", reason: { _tag: "TextGrows" } }
  }
}
