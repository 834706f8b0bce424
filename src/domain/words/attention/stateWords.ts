import { type NeedFacts, needOf } from "./needsOf.ts"
import { isNamedByState, needWords } from "./needWords.ts"

/** The state of a session, and what it needs where the state does not say it: `running`, `idle, failed`. */
export const stateWords = (facts: NeedFacts): string => {
  const state = facts.state.replace("_", " ")
  const need = needOf(facts)
  return need === null || isNamedByState(need.kind) ? state : `${state}, ${needWords[need.kind]}`
}
