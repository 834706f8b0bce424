import { needOf } from "../attention/needsOf.ts"
import type { NeedKind } from "../attention/Need.ts"
import type { SessionStatus } from "../session/Session.ts"
import { shownStates } from "../session/states.ts"

/** What of a need a glance at a title is to tell. */
const needs: Readonly<Record<NeedKind, string>> = {
  permission: "needs you",
  question: "needs you",
  stuck: "needs you",
  failed: "failed",
  held: "needs you",
  unknown_screen: "needs you",
  limit: "limit reached",
  ended: "ended"
}

/** A session in the title of a terminal: `my-feature: needs you`. */
export const sessionTitle = (status: SessionStatus): string => {
  const need = needOf(status)
  return `${status.tag}: ${need === null ? shownStates[status.state].phrase : needs[need.kind]}`
}
