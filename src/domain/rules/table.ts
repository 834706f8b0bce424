import type { Rule } from "./Look.ts"
import * as resting from "./resting.ts"
import * as running from "./running.ts"
import * as waiting from "./waiting.ts"

/** The ranked table: the first rule that answers gives the state. */
export const rules: ReadonlyArray<Rule> = [
  resting.exited,
  waiting.dialogOnScreen,
  waiting.toldWaiting,
  waiting.hookAsked,
  waiting.titleAsking,
  running.toldWorking,
  running.hookTurn,
  running.compacting,
  running.titleWorking,
  running.screenWorking,
  running.sending,
  running.submitted,
  running.typedAhead,
  running.hidden,
  resting.interrupted,
  resting.churning,
  resting.starting,
  resting.pausing,
  resting.idle
]
