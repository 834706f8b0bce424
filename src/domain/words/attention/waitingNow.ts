import type { SessionStatus } from "../session/Session.ts"
import type { Need } from "./Need.ts"
import { byNeed, needing } from "./needOrder.ts"
import { needsOf } from "./needsOf.ts"

/** The sessions that need their user, with all their needs, in the order in which a user handles them. */
export const waitingNow = <A>(
  sessions: ReadonlyArray<A>,
  statusOf: (session: A) => SessionStatus
): ReadonlyArray<{ readonly session: A; readonly needs: ReadonlyArray<Need> }> =>
  sessions
    .flatMap((session) => {
      const status = statusOf(session)
      const needs = needsOf(status)
      const [first] = needs
      if (first === undefined) return []
      return [{ ...needing(status.tag, { ...first, since: Date.parse(first.since) }), session, needs }]
    })
    .sort(byNeed)
