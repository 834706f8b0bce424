import { sends } from "../../words/session/states.ts"
import { arrowsBelongToCLI } from "./ArrowGate.ts"
import { type Facts, rootRecord } from "./Facts.ts"
import { tornUntil } from "./FactsFrame.ts"
import { textDue } from "./FactsText.ts"
import { unknownDue } from "./FactsUnknown.ts"
import {
  type Classification,
  type RuleCapabilities,
  type RuleContext,
  backgroundCount,
  ruleContext
} from "./stateRules/RuleContext.ts"
import { firstBlocker } from "./stateRules/readinessBlockers.ts"
import { activeProblem } from "./stateRules/turnConditions.ts"
import { rules } from "./stateRules/table.ts"
import type { BackgroundTask, SessionState, View } from "../../words/session/Session.ts"

const firstMatch = (context: RuleContext): Classification => {
  for (const rule of rules) {
    const classification = rule.classify(context)
    if (classification !== null) return classification
  }
  return { state: "idle", reason: { _tag: "NoRule" } }
}

export const classify =
  (capabilities: RuleCapabilities) =>
  (facts: Facts, now: number): Omit<View, "since"> => {
    const context = ruleContext(facts, now, capabilities)
    // The state may change when a half drawn frame comes into force.
    if (facts.torn !== null) context.passed(tornUntil(facts))
    for (const due of [textDue(facts), unknownDue(facts)]) if (due !== null) context.passed(due)
    const { reason, state } = firstMatch(context)
    const resting = sends({ modes: facts.modes, state })
    const notReady = resting ? firstBlocker(context) : null
    return {
      state,
      ready: resting && notReady === null,
      dialog: arrowsBelongToCLI(state, facts.screen, facts.firstBoxAt !== null),
      reason,
      notReady,
      message: messageOf(context, state),
      problem: activeProblem(context)?.problem ?? null,
      background: backgroundTasks(context),
      changesAt: state === "exited" ? null : context.changesAt()
    }
  }

const messageOf = ({ facts, authority }: RuleContext, state: SessionState): string | null => {
  switch (state) {
    case "needs_permission":
    case "needs_input":
      return authority?.message ?? facts.screen.dialog?.title ?? facts.lastQuestion?.message ?? null
    case "running":
      // A waiting CLI's message is its question, which is not its work: the dialog was just answered, or may close.
      return (authority?.phase === "wait" ? null : authority?.message) ?? facts.screen.activity
    case "churning":
      return authority?.message ?? null
    default:
      return null
  }
}

/** Running background work, from the program status if it lists any, else from the end of the last turn. */
const backgroundTasks = (context: RuleContext): ReadonlyArray<BackgroundTask> => {
  const { facts } = context
  const named = facts.turnTasks ?? []
  const records = facts.records.filter(({ id }) => id !== "")
  if (rootRecord(facts.records) === null)
    return facts.ownStatus?.phase === "rest" && !facts.ownStatus.background ? [] : named
  if (records.length === 0) return (backgroundCount(context) ?? 0) > 0 ? named : []
  return records.map((report) => {
    const task = named.find((task) => task.id === report.id)
    return {
      id: report.id,
      kind: task?.kind ?? "task",
      title: report.title ?? task?.title ?? report.id,
      state: report.state
    }
  })
}
