import { needOf } from "../attention/needsOf.ts"
import { shownNeeds } from "../attention/shownNeeds.ts"
import type { SessionStatus } from "../session/Session.ts"
import { shownStates } from "../session/states.ts"

/** A session in the title of a terminal: `my-feature: needs you`. */
export const sessionTitle = (status: SessionStatus): string => {
  const need = needOf(status)
  return `${status.tag}: ${need === null ? shownStates[status.state].phrase : shownNeeds[need.kind].title}`
}
