import {
  drawingTime,
  type PendingPermission,
  type PendingPermissions,
  type VisibleDialog
} from "./PendingPermissions.ts"
import { showsRequest } from "./showsRequest.ts"
import type { Decision } from "../../policy/Decision.ts"
import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import type { Dialog } from "../../words/session/Screen.ts"

/** Milliseconds that a dialog must have been on screen: it may ignore keys at first, and another hook may answer it. */
const settlingTime = 800
/** Milliseconds after an answer through the hook: a busy CLI closes its dialog late, and a key would go to its box. */
const closingTime = 10_000
/** Milliseconds after a key of the user's, who may be about to answer. */
const keyPause = 1_000

export type DialogStep =
  | { readonly _tag: "Leave" }
  | { readonly _tag: "Later"; readonly at: number }
  | { readonly _tag: "Ask"; readonly decision: Decision }
  | {
      readonly _tag: "Answer"
      readonly dialog: Dialog
      readonly answer: string
      readonly decision: Decision
      readonly pending: PendingPermission | null
    }

const leave: DialogStep = { _tag: "Leave" }

/**
 * What to do about the dialog on screen. A request's decision applies only if the dialog shows that request.
 * `unnamedDecision`: the decision for a request that no hook has reported. While it is null, or any request is not
 * decided and allowed, the dialog is left alone.
 */
export const consider = (
  { overflowed, list }: PendingPermissions,
  { dialog, since, state, userKeyAt }: VisibleDialog,
  now: number,
  unnamedDecision: Decision | null,
  plainYes: PermissionProtocol["plainYes"]
): DialogStep => {
  if (dialog === null || since === null || dialog.kind !== "permission" || state !== "needs_permission") return leave
  const answer = plainYes(dialog)
  if (answer === null || overflowed || unnamedDecision === null) return leave
  if (list.some(({ decision, reply }) => reply._tag !== "Closed" || decision?.verdict !== "allow")) return leave
  const shown = list.findLast(({ at, request }) => at >= since - drawingTime && showsRequest(dialog, request)) ?? null
  const decision = shown?.decision ?? unnamedDecision
  const answers = list.flatMap(({ reply }) => (reply._tag === "Closed" && reply.how === "answered" ? [reply.at] : []))
  const earliest = Math.max(
    since + settlingTime,
    (userKeyAt ?? -Infinity) + keyPause,
    ...answers.map((at) => at + closingTime)
  )
  if (now < earliest) return { _tag: "Later", at: earliest }
  if (decision.verdict !== "allow") return { _tag: "Ask", decision }
  return { _tag: "Answer", dialog, answer, decision, pending: shown }
}
