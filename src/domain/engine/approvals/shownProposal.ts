import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import type { Dialog } from "../../words/session/Screen.ts"
import type { Proposal } from "../../words/session/Proposal.ts"
import { cutMark } from "../../words/text/cutMark.ts"
import { requestKey } from "./asks.ts"
import type { PendingPermission, PendingPermissions, VisibleDialog } from "./PendingPermissions.ts"
import { showsRequest } from "./showsRequest.ts"

/**
 * What the dialog on screen asks for in full. The same file may be edited twice, and both dialogs look the same: a
 * request belongs to the first dialog that showed it, and to none after an answer.
 */

/** Whether a hook of this event comes with the question to the user; of a CLI without such an event each may. */
export const asksUser = ({ decisions }: Pick<PermissionProtocol, "decisions">, event: string): boolean => {
  const granting = decisions.filter(({ verdicts }) => verdicts.includes("allow"))
  return granting.length === 0 || granting.some((decision) => decision.event === event)
}

/** The requests, those that this dialog is the first to show marked. */
export const withShown = (
  pending: PendingPermissions,
  { dialog, since }: Pick<VisibleDialog, "dialog" | "since">,
  now: number
): PendingPermissions => {
  if (dialog?.kind !== "permission" || since === null) return pending
  const isNew = ({ asks, request, shown }: PendingPermission): boolean =>
    asks === true && shown === undefined && showsRequest(dialog, request)
  if (!pending.list.some(isNew)) return pending
  return { ...pending, list: pending.list.map((one) => (isNew(one) ? { ...one, shown: { since, at: now } } : one)) }
}

const commandMost = 32_768

const shownCommand = (command: string): string =>
  command.length > commandMost ? command.slice(0, commandMost) + cutMark(command.length, "characters") : command

const areSame = ([one, ...others]: ReadonlyArray<PendingPermission>): boolean =>
  one !== undefined &&
  others.every(
    (other) =>
      requestKey(one.request) === requestKey(other.request) && JSON.stringify(one.edit) === JSON.stringify(other.edit)
  )

/** The dialog on screen, since when it is there, and what its request depends on besides; 0 for never. */
export interface AskingDialog {
  readonly dialog: Dialog | null
  readonly since: number | null
  /** The last key or decision that may have answered a dialog. */
  readonly answeredAt: number
  /** When a tool was last through: its request is over. Others may run beside it. */
  readonly toolEndedAt: number
}

/** What the dialog asks for; null if no request is certain to be its own. */
export const proposalOf = (
  { list, overflowed }: PendingPermissions,
  { answeredAt, dialog, since, toolEndedAt }: AskingDialog
): Proposal | null => {
  if (dialog?.kind !== "permission" || since === null || overflowed) return null
  const found = list.filter(
    ({ reply, request, shown }) =>
      shown?.since === since &&
      shown.at >= answeredAt &&
      !(reply._tag === "Closed" && reply.how === "answered") &&
      showsRequest(dialog, request)
  )
  const its = areSame(found) ? found : found.filter(({ at }) => at >= toolEndedAt)
  const [one] = its
  if (one === undefined || !areSame(its)) return null
  const { command } = one.request
  const { edit = null } = one
  return command === null && edit === null ? null : { command: command === null ? null : shownCommand(command), edit }
}
