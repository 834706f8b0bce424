import { Equal } from "effect"
import type { Dialog } from "../../../words/session/Screen.ts"
import type { SessionState } from "../../../words/session/Session.ts"
import { limits } from "./limits.ts"
import { contradicted, restedSince, turnOpen } from "./turnConditions.ts"
import { latest, turnEnded } from "../TurnFacts.ts"
import { type RuleContext, type Rule } from "./RuleContext.ts"

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

/** A key or the CLI's report has answered the dialog, and the CLI works again, but the screen is not repainted yet. */
const answered = ({ facts: { answeredAt, answerKeyAt, visibleSince }, authority }: RuleContext) =>
  answerKeyAt !== null &&
  latest(answerKeyAt, answeredAt) > latest(visibleSince.question) &&
  ((authority?.phase === "work" && authority.since > answerKeyAt) ||
    (visibleSince.titleWork !== null && visibleSince.titleWork > answerKeyAt))

/** Enter has just answered this dialog, which is not repainted yet. One that stays longer was not answered. */
const justAnswered = ({ facts: { dialogEnter }, passed }: RuleContext, dialog: Dialog, since: number) =>
  dialogEnter !== null &&
  dialogEnter.at > since &&
  !passed(dialogEnter.at + limits.answered) &&
  Equal.equals(dialogEnter.dialog, dialog)

/** The dialog was on screen a moment before, and no key answered it: this is a redraw. */
const redrawn = ({ facts: { answerKeyAt, dialogClosedAt } }: RuleContext, since: number) =>
  dialogClosedAt !== null &&
  since - dialogClosedAt <= limits.redraw &&
  latest(answerKeyAt) < dialogClosedAt - limits.redraw

export const dialogOnScreen: Rule = {
  name: "dialog-on-screen",
  classify: (context) => {
    const { dialog } = context.facts.screen
    const since = context.facts.visibleSince.dialog
    if (dialog === null || since === null || answered(context)) return null
    // A suggestion beside the session's work asks for no answer, as an open picker does not.
    if (dialog.suggests === true) return null
    if (justAnswered(context, dialog, since)) return { state: "running", reason: { _tag: "DialogAnswered" } }
    // leap's own policy, or another permission hook, may answer before the user can.
    const { authority } = context
    const { decidedAt, modes } = context.facts
    const permission = dialog.kind === "permission"
    const decided = permission && decidedAt !== null && Math.abs(decidedAt - since) < limits.policy ? decidedAt : null
    // leap has answered it and the CLI works again, but the screen is not repainted yet.
    if (decided !== null && authority?.phase === "work" && authority.since > since) return null
    const policy = (permission && modes.autoSend === "always") || decided !== null
    const settles = policy || (turnOpen(context) && !redrawn(context, since))
    if (settles && !context.passed(policy ? latest(since, decided) + limits.policy : since + limits.dialog)) return null
    const isDenied = authority?.phase === "rest" && dialog.opened !== true
    if (isDenied && context.passed(latest(authority.since, since) + limits.contradicted)) return null
    return { state: stateOf(dialog), reason: { _tag: "DialogShown", title: dialog.title } }
  }
}

/** A turn runs that a dialog would stop. */
const midTurn = (context: RuleContext) => {
  const { stop, submitted, turnStartedAt } = context.facts
  return (
    turnOpen(context) &&
    stop === null &&
    !restedSince(context, latest(turnStartedAt)) &&
    !(submitted?.command === true && submitted.at > latest(turnStartedAt))
  )
}

/** The CLI reports that it waits for the user, in a dialog that leap cannot read. */
export const authorityWaits: Rule = {
  name: "told-waiting",
  classify: (context) => {
    const { facts, authority } = context
    // A dialog that leap can read is better evidence.
    if (authority === null || authority.phase !== "wait" || facts.screen.dialog !== null) return null
    // Outside a turn, a dialog that the CLI only reports may be a picker that the user opened. A picker needs no
    // answer.
    if (authority.waitingFor === "dialog" && !midTurn(context)) return null
    const { box, emptyBox } = facts.visibleSince
    // A dialog replaces the box: while the box is on screen, the dialog is not drawn yet, or was just answered.
    if (box !== null && !context.passed(latest(authority.since, box) + limits.screenLag)) return null
    if (emptyBox !== null && contradicted(context, latest(authority.since, emptyBox))) return null
    return {
      state: authority.waitingFor === "question" ? "needs_input" : "needs_permission",
      reason: authority.reason
    }
  }
}

/** A hook reported a question, and leap cannot read what replaced the box. */
export const hookQuestion: Rule = {
  name: "hook-asked",
  classify: ({ facts, passed, authority }) => {
    const { lastQuestion } = facts
    if (lastQuestion === null || authority !== null || facts.screen.dialog !== null || facts.visibleSince.box !== null)
      return null
    const after = latest(facts.answeredAt, facts.answerKeyAt, facts.toolEndedAt, facts.turnStartedAt, turnEnded(facts))
    if (after > lastQuestion.at || !passed(lastQuestion.at + limits.dialog)) return null
    return {
      state: lastQuestion.kind === "permission" ? "needs_permission" : "needs_input",
      reason: { _tag: "HookAsked", hook: facts.lastHook, message: lastQuestion.message }
    }
  }
}

/** The title shows that the CLI asks, and leap cannot read what replaced the box. */
export const titleAsking: Rule = {
  name: "title-asking",
  classify: ({ facts, passed, authority }) => {
    const since = facts.visibleSince.titleAsk
    if (since === null || authority !== null || facts.screen.dialog !== null || facts.visibleSince.box !== null)
      return null
    return passed(since + limits.dialog) ? { state: "needs_permission", reason: { _tag: "TitleAsks" } } : null
  }
}
