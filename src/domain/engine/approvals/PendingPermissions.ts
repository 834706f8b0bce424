import type { Decision, Verdict } from "../../rules/policy/Decision.ts"
import type { ToolRequest } from "../../rules/policy/ToolRequest.ts"
import type { Dialog } from "../../words/session/Screen.ts"
import type { SessionState } from "../../words/session/Session.ts"

/**
 * The requests for which a permission dialog may be on screen, and what to do about that dialog: for CLIs without a
 * hook that can answer, for a hook that came too late, and for a mode or a policy that was changed meanwhile. A dialog
 * may be cut, or another request's that no hook has named: it is answered by the decision for the request that it
 * shows, and only where all that it could be for are allowed.
 */

/** The progress of leap's reply to a request's hook. */
export type Reply =
  /** The hook waits, and leap has not answered. */
  | { readonly _tag: "Open" }
  /** leap has replied by this decision; whether the CLI has taken it is not known yet. */
  | { readonly _tag: "Sent"; readonly decision: Decision }
  /** Since `at` the CLI has leap's decision (`answered`), or asks its user (`asked`). */
  | { readonly _tag: "Closed"; readonly at: number; readonly how: "answered" | "asked" }

/** A request that a hook of the CLI has reported. */
export interface PendingPermission {
  /** The hook's sequence number. */
  readonly id: number
  readonly at: number
  /** The hook's event. */
  readonly event: string
  readonly request: ToolRequest
  /** The verdicts that the CLI accepts as this hook's answer. */
  readonly heeds: ReadonlyArray<Verdict>
  /** The links in its paths have been followed, as far as that is needed. */
  readonly inspected: boolean
  /** All links in its paths could be followed. */
  readonly certain: boolean
  /** The decision of the rules and the mode in force; null until they have given it. */
  readonly decision: Decision | null
  readonly reply: Reply
}

/**
 * The requests that a dialog on screen could be for, oldest first. `overflowed`: some were forgotten for lack of room.
 */
export interface PendingPermissions {
  readonly list: ReadonlyArray<PendingPermission>
  readonly overflowed: boolean
}

export const noPendingPermissions: PendingPermissions = { list: [], overflowed: false }

/** The dialog on screen, and what else its answer depends on. Times are milliseconds since the epoch. */
export interface VisibleDialog {
  readonly state: SessionState
  readonly dialog: Dialog | null
  /** Since when this very question has been on screen, and when the last dialog was closed. */
  readonly since: number | null
  readonly dialogClosedAt: number | null
  readonly userKeyAt: number | null
}

const limit = 200
/**
 * Requests whose hooks have had no reply yet are remembered beyond that limit: a rule that refuses counts however many
 * a CLI asks for at once. Each of them is a process that waits.
 */
const openLimit = 2_000
/** A hook waits for its reply, and leap for what became of it, far shorter than this. Milliseconds. */
const abandonedTime = 60_000
/** A CLI draws the dialog for a request no later than this. Milliseconds. */
export const drawingTime = 5_000
/** One dialog may follow another within this. Milliseconds. */
const succession = 2_000

/**
 * Forgets the requests that no dialog can be for any longer. That a dialog vanished says nothing of its request: while
 * one is on screen, or was a moment ago, all are kept.
 */
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
 * `overflowed`. Null: there is no room, since too many hooks wait at once.
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

/** Changes a request, if it is remembered. */
export const update = (
  pending: PendingPermissions,
  id: number,
  change: (one: PendingPermission) => PendingPermission
): PendingPermissions => ({ ...pending, list: pending.list.map((one) => (one.id === id ? change(one) : one)) })

/** Forgets a request, for which there will be no dialog. */
export const forget = (pending: PendingPermissions, id: number): PendingPermissions => ({
  ...pending,
  list: pending.list.filter((one) => one.id !== id)
})

export const find = ({ list }: PendingPermissions, id: number): PendingPermission | null =>
  list.find((one) => one.id === id) ?? null
