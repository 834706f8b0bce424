import type { ToolRequest } from "../../policy/ToolRequest.ts"
import type { Dialog } from "../../words/session/Screen.ts"
import { requestKey } from "./asks.ts"
import type { PendingPermissions } from "./PendingPermissions.ts"
import { showsRequest } from "./showsRequest.ts"

/** The request that a dialog certainly shows, among those that hooks reported; null for none or several. */
export const dialogRequest = ({ list, overflowed }: PendingPermissions, dialog: Dialog): ToolRequest | null => {
  if (dialog.kind !== "permission" || overflowed) return null
  const [first, ...others] = list.flatMap(({ request }) => (showsRequest(dialog, request) ? [request] : []))
  if (first === undefined) return null
  return others.every((one) => requestKey(one) === requestKey(first)) ? first : null
}
