import type { StateReason } from "../../../words/session/StateReason.ts"
import { limits } from "./limits.ts"
import { backgroundOnly, stopConfirmed } from "./turnConditions.ts"
import { isLull, latest, turnBegan, turnEnded } from "../TurnFacts.ts"
import { backgroundCount, type RuleContext, type Rule } from "./RuleContext.ts"

/** The process has ended. This state is final. */
export const exited: Rule = {
  name: "exited",
  classify: ({ facts: { exit } }) =>
    exit === null
      ? null
      : {
          state: "exited",
          reason: { _tag: "Exited", code: exit.code, signal: exit.signal }
        }
}

export const starting: Rule = {
  name: "starting",
  classify: ({ facts, authority, passed }) =>
    facts.firstBoxAt === null &&
    authority === null &&
    facts.lastHook === null &&
    !facts.screen.picker &&
    !(facts.unknownSince !== null && passed(facts.unknownSince + limits.still))
      ? { state: "starting", reason: { _tag: "NotDrawn" } }
      : null
}

export const interrupted: Rule = {
  name: "interrupted",
  classify: (context) => {
    const { facts, authority } = context
    const ended = turnEnded(facts)
    // A stop that the screen or the CLI confirms outranks any report of the turn's end.
    if (
      facts.stop !== null &&
      ((ended < facts.stop.at && facts.stop.needsConfirmation !== true) || stopConfirmed(context))
    ) {
      return { state: "interrupted", reason: { _tag: "InterruptKey" } }
    }
    const lineSince = facts.visibleSince.interrupted
    // The line stays in the conversation, so only one that appeared in this turn counts. A turn whose end was reported
    // was not interrupted.
    const sent = lineSince !== null && lineSince > latest(facts.sendAt) ? facts.sendAt : null
    const began = latest(facts.submitted?.at ?? null, facts.turnStartedAt, sent)
    const worked = latest(facts.workedAt) > began || sent === began
    if (lineSince !== null && lineSince > began && worked && ended < began) {
      return { state: "interrupted", reason: { _tag: "InterruptShown" } }
    }
    // A turn that is not interrupted has an end hook.
    const { turnStartedAt } = facts
    const endNotReported =
      context.turnHooks &&
      turnStartedAt !== null &&
      facts.withdrawnTurnStart !== turnStartedAt &&
      turnStartedAt > ended &&
      turnStartedAt >= turnBegan(facts)
    if (
      !endNotReported ||
      authority?.phase !== "rest" ||
      authority.finished ||
      authority.since <= turnStartedAt ||
      latest(facts.reportedDoneAt) > turnStartedAt
    )
      return null
    return context.passed(authority.since + limits.endHook)
      ? { state: "interrupted", reason: { _tag: "EndUntold", by: authority.reason } }
      : null
  }
}

/** The turn is over, and background work is running that may start another. */
export const churning: Rule = {
  name: "churning",
  classify: (context) => {
    const { facts, authority } = context
    const count = backgroundCount(context) ?? 0
    if (count === 0) return null
    if (
      authority?.phase === "rest" ||
      backgroundOnly(context) ||
      facts.visibleSince.quiet !== null ||
      facts.screen.blank
    ) {
      return { state: "churning", reason: authority?.reason ?? { _tag: "Background", count } }
    }
    return null
  }
}

/** Between two phases of a turn, the screen may show the box alone for a moment. */
export const pausing: Rule = {
  name: "pausing",
  classify: ({ facts, passed }) =>
    // If the title showed work for longer than the screen, its change has shown the end of that work.
    facts.submitted?.command !== true &&
    isLull(facts) &&
    latest(facts.visibleSince.quiet) >= latest(facts.workedAt) &&
    !passed(latest(facts.visibleSince.quiet) + limits.quiet)
      ? { state: "running", reason: { _tag: "IndicatorGone" } }
      : null
}

const restReason = ({ facts, authority }: RuleContext): StateReason => {
  if (facts.screen.unknown === true && authority === null) return { _tag: "UnknownScreen" }
  if (facts.visibleSince.picker !== null) return { _tag: "PickerShown" }
  if (authority?.phase === "rest") return authority.reason
  if (facts.visibleSince.box !== null) return { _tag: "BoxShown" }
  if (turnEnded(facts) === -Infinity) return { _tag: "NoSign" }
  return facts.lastHook === null ? { _tag: "TurnOver" } : { _tag: "Hook", hook: facts.lastHook }
}

export const idle: Rule = {
  name: "idle",
  classify: (context) => ({ state: "idle", reason: restReason(context) })
}
