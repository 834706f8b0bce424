import { type NeedFacts, needOf, needsOf } from "./needsOf.ts"
import { isNamedByState, needLine, needWords } from "./needWords.ts"

/** The state of a session, and its need if the state does not show it: `running`, `idle, failed`. */
export const stateWords = (facts: NeedFacts): string => {
  const state = facts.state.replace("_", " ")
  const need = needOf(facts)
  return need === null || isNamedByState(need.kind) ? state : `${state}, ${needWords[need.kind]}`
}

/** The line about a session: its most urgent need, else the problem that its CLI is handling, else its activity. */
export const currentLine = (facts: NeedFacts): string | null =>
  needOf(facts)?.text ?? facts.problem?.message ?? facts.message

/** A session's needs, as rows of a table. */
export const needRows = (facts: NeedFacts): ReadonlyArray<readonly [string, string]> =>
  needsOf(facts).map((need) => ["needs you", needLine(need)])
