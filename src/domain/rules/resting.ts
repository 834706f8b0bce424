import { lull } from "../Facts.ts"
import { limits } from "./limits.ts"
import { backgroundOnly, stopConfirmed } from "./running.ts"
import { backgroundCount, latest, type Look, type Rule, turnBegan, turnEnded } from "./Look.ts"

/** The process has ended. Nothing follows. */
export const exited: Rule = {
  name: "exited",
  find: ({ facts: { exit } }) =>
    exit === null
      ? null
      : { state: "exited", reason: exit.signal === null ? `exited with code ${exit.code ?? "unknown"}` : `killed by ${exit.signal}` }
}

/** Nothing of the CLI's own screen or word has come yet. */
export const starting: Rule = {
  name: "starting",
  find: ({ facts, speaker }) =>
    facts.firstBoxAt === null && speaker === null && facts.hook === null && !facts.screen.picker
      ? { state: "starting", reason: "the CLI has not drawn its prompt yet" }
      : null
}

/** The user stopped the turn. */
export const interrupted: Rule = {
  name: "interrupted",
  find: (look) => {
    const { facts, speaker } = look
    const ended = turnEnded(facts)
    // A stop that the screen or the CLI confirms beats any word of the turn's end.
    if (facts.stop !== null && (ended < facts.stop.at && facts.stop.early !== true || stopConfirmed(look))) {
      return { state: "interrupted", reason: "interrupted by a key" }
    }
    const line = facts.shown.interrupted
    // The line stays in the conversation: only one that came up in this turn counts, and a turn that came to its end had none.
    const sent = line !== null && line > latest(facts.sendAt) ? facts.sendAt : null
    const began = latest(facts.submitted?.at ?? null, facts.turnStartedAt, sent)
    const worked = latest(facts.workedAt) > began || sent === began
    if (line !== null && line > began && worked && ended < began) {
      return { state: "interrupted", reason: "on screen: interrupted" }
    }
    // A turn that the CLI ends itself has an end hook.
    const { turnStartedAt } = facts
    const endless = look.turnHooks && turnStartedAt !== null && facts.takenBackAt !== turnStartedAt && turnStartedAt > ended && turnStartedAt >= turnBegan(facts)
    if (!endless || speaker?.says !== "rest" || speaker.finished || speaker.since <= turnStartedAt || latest(facts.finishedAt) > turnStartedAt) return null
    return look.passed(speaker.since + limits.endHook)
      ? { state: "interrupted", reason: `${speaker.reason}, with no hook for the turn's end` }
      : null
  }
}

/** The turn is over; what it left running may start another. */
export const churning: Rule = {
  name: "churning",
  find: (look) => {
    const { facts, speaker } = look
    const count = backgroundCount(look) ?? 0
    if (count === 0) return null
    if (speaker?.says === "rest" || backgroundOnly(look) || facts.shown.quiet !== null || facts.screen.blank) {
      return { state: "churning", reason: speaker?.reason ?? `background work: ${count}` }
    }
    return null
  }
}

/** The screen may show the box alone between two phases of a turn. */
export const pausing: Rule = {
  name: "pausing",
  find: ({ facts, passed }) =>
    // The title that has spoken of work longer than the screen has told its end by its silence.
    facts.submitted?.command !== true && lull(facts) && latest(facts.shown.quiet) >= latest(facts.workedAt) && !passed(latest(facts.shown.quiet) + limits.quiet)
      ? { state: "running", reason: "the running indicator has just gone" }
      : null
}

const restReason = ({ facts, speaker }: Look) => {
  if (facts.shown.picker !== null) return "a picker or another screen of the CLI is open"
  if (speaker?.says === "rest") return speaker.reason
  if (facts.shown.box !== null) return "the prompt is on screen"
  return turnEnded(facts) > -Infinity ? facts.hook ?? "the turn is over" : "no sign of work"
}

/** Nothing works and nothing asks. */
export const idle: Rule = {
  name: "idle",
  find: (look) => ({ state: "idle", reason: restReason(look) })
}
