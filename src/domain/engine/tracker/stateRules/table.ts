import type { Rule } from "./RuleContext.ts"
import * as resting from "./resting.ts"
import * as running from "./running.ts"
import * as waiting from "./waiting.ts"

/** The ranked table: the first rule that applies gives the state. */
export const rules: ReadonlyArray<Rule> = [
  resting.exited,
  waiting.dialogOnScreen,
  waiting.authorityWaits,
  waiting.hookQuestion,
  waiting.titleAsking,
  running.authorityWorks,
  running.hookTurn,
  running.compacting,
  running.titleWorking,
  running.screenWorking,
  running.sending,
  running.submitted,
  running.typedAhead,
  running.hidden,
  running.growing,
  resting.interrupted,
  resting.churning,
  resting.starting,
  resting.pausing,
  resting.idle
]
