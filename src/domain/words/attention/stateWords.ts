import { type NeedFacts, needOf, needsOf } from "./needsOf.ts"
import { isNamedByState, needLine, needWords } from "./needWords.ts"

/** The state of a session, and what it needs where the state does not say it: `running`, `idle, failed`. */
export const stateWords = (facts: NeedFacts): string => {
  const state = facts.state.replace("_", " ")
  const need = needOf(facts)
  return need === null || isNamedByState(need.kind) ? state : `${state}, ${needWords[need.kind]}`
}

/** What is to be said of a session: what it needs most, else what its CLI is getting over, else what it does. */
export const saidNow = (facts: NeedFacts): string | null =>
  needOf(facts)?.text ?? facts.problem?.message ?? facts.message

/** What a session needs, as rows of a table. */
export const needRows = (facts: NeedFacts): ReadonlyArray<readonly [string, string]> =>
  needsOf(facts).map((need) => ["needs you", needLine(need)])
