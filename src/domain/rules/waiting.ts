import { Equal } from "effect"
import type { Dialog } from "../Screen.ts"
import type { SessionState } from "../Session.ts"
import { limits } from "./limits.ts"
import { contradicted, restedSince, turnOpen } from "./running.ts"
import { latest, type Look, type Rule, turnEnded } from "./Look.ts"

const stateOf = (dialog: Dialog): SessionState => {
  switch (dialog.kind) {
    case "permission":
    case "trust":
    case "other":
      return "needs_permission"
    case "question":
    case "plan":
    case "elicitation":
    case "login":
      return "needs_input"
  }
}

/** The user has chosen, or the CLI says so, and it works again although the dialog's rows are not yet repainted. */
const answered = ({ facts: { answeredAt, chosenAt, shown }, speaker }: Look) =>
  chosenAt !== null && latest(chosenAt, answeredAt) > latest(shown.question) &&
  (speaker?.says === "work" && speaker.since > chosenAt || shown.titleWork !== null && shown.titleWork > chosenAt)

/** Enter has just answered this very dialog, which is yet to be repainted. One that stands on was not answered by it. */
const justAnswered = ({ facts: { entered }, passed }: Look, dialog: Dialog, since: number) =>
  entered !== null && entered.at > since && !passed(entered.at + limits.answered) && Equal.equals(entered.dialog, dialog)

/** A dialog that was there a moment ago and that nobody answered: the screen was drawn anew. */
const redrawn = ({ facts }: Look, since: number) => {
  const until = facts.shown.dialogUntil
  return until !== null && since - until <= limits.redraw && latest(facts.chosenAt) < until - limits.redraw
}

/** A dialog on screen. */
export const dialogOnScreen: Rule = {
  name: "dialog-on-screen",
  find: (look) => {
    const { dialog } = look.facts.screen
    const since = look.facts.shown.dialog
    if (dialog === null || since === null || answered(look)) return null
    if (justAnswered(look, dialog, since)) return { state: "running", reason: "the dialog was answered" }
    // leap's own policy, or another permission hook, may answer before the user can.
    const { speaker } = look
    const { decidedAt, modes } = look.facts
    const permission = dialog.kind === "permission"
    const decided = permission && decidedAt !== null && Math.abs(decidedAt - since) < limits.policy ? decidedAt : null
    // It has been answered, and the CLI goes on: the dialog is yet to be taken off the screen.
    if (decided !== null && speaker?.says === "work" && speaker.since > since) return null
    const policy = permission && modes.autoSend === "always" || decided !== null
    const settles = policy || turnOpen(look) && !redrawn(look, since)
    if (settles && !look.passed(policy ? latest(since, decided) + limits.policy : since + limits.dialog)) return null
    if (speaker?.says === "rest" && look.passed(latest(speaker.since, since) + limits.contradicted)) return null
    return { state: stateOf(dialog), reason: `dialog on screen: ${dialog.title}` }
  }
}

const midTurn = (look: Look) => {
  const { stop, submitted, turnStartedAt } = look.facts
  return turnOpen(look) && stop === null && !restedSince(look, latest(turnStartedAt)) &&
    !(submitted?.command === true && submitted.at > latest(turnStartedAt))
}

/** The CLI says that it waits for the user, whatever its dialog looks like. */
export const toldWaiting: Rule = {
  name: "told-waiting",
  find: (look) => {
    const { facts, speaker } = look
    // A dialog that can be read speaks for itself.
    if (speaker === null || speaker.says !== "wait" || facts.screen.dialog !== null) return null
    // A picker is the user's own doing, and one over a running turn does not stop it: what does must be answered.
    if (speaker.waitsFor === "dialog" && !midTurn(look)) return null
    const { box, emptyBox } = facts.shown
    // Its dialog replaces the box; as long as the box is there the dialog is yet to come, or was just answered.
    if (box !== null && !look.passed(latest(speaker.since, box) + limits.screenLag)) return null
    if (emptyBox !== null && contradicted(look, latest(speaker.since, emptyBox))) return null
    return {
      state: speaker.waitsFor === "question" ? "needs_input" : "needs_permission",
      reason: speaker.reason
    }
  }
}

/** A hook said that the CLI asks, and what replaced the box cannot be read. */
export const hookAsked: Rule = {
  name: "hook-asked",
  find: ({ facts, passed, speaker }) => {
    const { asked } = facts
    if (asked === null || speaker !== null || facts.screen.dialog !== null || facts.shown.box !== null) return null
    const after = latest(facts.answeredAt, facts.chosenAt, facts.toolEndedAt, facts.turnStartedAt, turnEnded(facts))
    if (after > asked.at || !passed(asked.at + limits.dialog)) return null
    return {
      state: asked.kind === "permission" ? "needs_permission" : "needs_input",
      reason: `${facts.hook ?? "a hook"}: ${asked.message ?? "the CLI asks"}`
    }
  }
}

/** The title says that the CLI asks, and what replaced the box cannot be read. */
export const titleAsking: Rule = {
  name: "title-asking",
  find: ({ facts, passed, speaker }) => {
    const since = facts.shown.titleAsk
    if (since === null || speaker !== null || facts.screen.dialog !== null || facts.shown.box !== null) return null
    return passed(since + limits.dialog) ? { state: "needs_permission", reason: "terminal title: the CLI asks" } : null
  }
}
