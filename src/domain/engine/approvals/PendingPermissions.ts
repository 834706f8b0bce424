import type { Decision, Verdict } from "../../policy/Decision.ts"
import type { ToolRequest } from "../../policy/ToolRequest.ts"
import type { Dialog } from "../../words/session/Screen.ts"
import type { ProposedEdit } from "../../words/session/Proposal.ts"
import type { SessionState } from "../../words/session/Session.ts"

/**
 * The requests for which a permission dialog may be on screen, for `DialogStep`. They are kept for CLIs without a hook
 * that can answer, for a hook that came too late, and after a change of mode or policy. A dialog may be cut, or belong
 * to a request that no hook has reported. It is answered by the decision for the request that it shows, and only if all
 * requests that it could be for are allowed.
 */

export type Reply =
  | { readonly _tag: "Open" }
  /** leap has replied with this decision; it is unknown whether the CLI has taken it. */
  | { readonly _tag: "Sent"; readonly decision: Decision }
  /** Since `at` the CLI has leap's decision (`answered`), or asks its user (`asked`). */
  | { readonly _tag: "Closed"; readonly at: number; readonly how: "answered" | "asked" }

export interface PendingPermission {
  readonly id: number
  readonly at: number
  readonly event: string
  readonly request: ToolRequest
  readonly heeds: ReadonlyArray<Verdict>
  /** The links in its paths have been followed, as far as needed. */
  readonly inspected: boolean
  readonly certain: boolean
  /** The decision of the current rules and mode; null until they have given it. */
  readonly decision: Decision | null
  readonly reply: Reply
  /** What it would change; absent if its hook does not say that. */
  readonly edit?: ProposedEdit
  /** Its hook comes with the question to the user, as far as its CLI has such a hook. */
  readonly asks?: boolean
  /** When the first dialog that showed it appeared, and when that was seen: it is the request of no later one. */
  readonly shown?: { readonly since: number; readonly at: number }
}

/** The requests that a dialog on screen could be for, oldest first. `overflowed`: others could not be kept. */
export interface PendingPermissions {
  readonly list: ReadonlyArray<PendingPermission>
  readonly overflowed: boolean
}

export const noPendingPermissions: PendingPermissions = { list: [], overflowed: false }

/** The dialog on screen, and what else its answer depends on. Times are milliseconds since the epoch. */
export interface VisibleDialog {
  readonly state: SessionState
  readonly dialog: Dialog | null
  /** Since when this question has been on screen, and when the last dialog closed. */
  readonly since: number | null
  readonly dialogClosedAt: number | null
  readonly userKeyAt: number | null
}

const limit = 200
/** Requests without a reply are kept beyond `limit`: a rule that refuses must count for each of them. */
const openLimit = 2_000
/** Milliseconds, far longer than a hook waits for its reply, and leap for the outcome. */
const abandonedTime = 60_000
/** Milliseconds within which a CLI draws the dialog for a request. */
export const drawingTime = 5_000
/** Milliseconds within which one dialog may follow another. */
const succession = 2_000

/** Forgets requests that no dialog can be for. While a dialog is on screen, or was a moment ago, all are kept. */
const forgetStale = (
  pending: PendingPermissions,
  now: number,
  { dialog, dialogClosedAt }: Pick<VisibleDialog, "dialog" | "dialogClosedAt">
): PendingPermissions => {
  if (dialog !== null || (dialogClosedAt !== null && now - dialogClosedAt < succession)) return pending
  const kept = pending.list.filter(
    ({ at, reply }) => now - at < (reply._tag === "Closed" ? drawingTime : abandonedTime)
  )
  return { overflowed: false, list: kept }
}

/**
 * Adds a request, and forgets the stale ones. Beyond the limit the oldest closed ones are forgotten too, which sets
 * `overflowed`. Null: there is no room, because too many hooks wait at once.
 */
export const remember = (
  pending: PendingPermissions,
  one: PendingPermission,
  visible: Pick<VisibleDialog, "dialog" | "dialogClosedAt">
): PendingPermissions | null => {
  const { list, overflowed } = forgetStale(pending, one.at, visible)
  const excess = list.length + 1 - limit
  if (excess <= 0) return { list: [...list, one], overflowed }
  const dropped = new Set(list.filter(({ reply }) => reply._tag === "Closed").slice(0, excess))
  const kept = list.filter((other) => !dropped.has(other))
  if (kept.length >= openLimit) return null
  return { list: [...kept, one], overflowed: overflowed || dropped.size > 0 }
}

export const update = (
  pending: PendingPermissions,
  id: number,
  change: (one: PendingPermission) => PendingPermission
): PendingPermissions => ({ ...pending, list: pending.list.map((one) => (one.id === id ? change(one) : one)) })

export const forget = (pending: PendingPermissions, id: number): PendingPermissions => ({
  ...pending,
  list: pending.list.filter((one) => one.id !== id)
})

export const find = ({ list }: PendingPermissions, id: number): PendingPermission | null =>
  list.find((one) => one.id === id) ?? null
