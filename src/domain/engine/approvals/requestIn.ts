import type { ToolRequest } from "../../policy/ToolRequest.ts"
import type { Verdict } from "../../policy/Decision.ts"
import type { Policy } from "../../store/settings/PolicySettings.ts"
import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import type { ProposedEdit } from "../../words/session/Proposal.ts"
import { requestOf } from "../../cli/provider/RequestReading.ts"
import { expectsReply } from "./Approvals.ts"
import { asksUser } from "./shownProposal.ts"
import { asksDisk } from "./decideUncertain.ts"

/** A hook's parsed payload, and why it may mean something else (`HookDelivery`). */
interface DeliveredPayload {
  readonly event: string
  readonly payload: unknown
  readonly flaw: string | null
}

/** A shell accepts no longer argument, and parsing it would keep the CLI waiting. In UTF-16 units. */
const longestCommand = 262_144
const mostPaths = 1_000

const boundedRequest = (request: ToolRequest): ToolRequest => {
  const { command, globs = [], paths, unread = [], urls = [] } = request
  const isLong = command !== null && command.length > longestCommand
  const isMany = Math.max(paths.length, globs.length, urls.length) > mostPaths
  if (!isLong && !isMany) return request
  return {
    ...request,
    command: isLong ? command.slice(0, longestCommand) : command,
    paths: paths.slice(0, mostPaths),
    ...(globs.length === 0 ? {} : { globs: globs.slice(0, mostPaths) }),
    ...(urls.length === 0 ? {} : { urls: urls.slice(0, mostPaths) }),
    unread: [...unread, ...(isLong ? ["the end of its command"] : []), ...(isMany ? ["all that it names"] : [])]
  }
}

/** The request in a hook's payload; null for an event without one. An unreadable payload is an unknown request. */
export const requestIn = (
  permissions: Pick<PermissionProtocol, "decisions" | "request">,
  { event, flaw, payload }: DeliveredPayload
): ReturnType<PermissionProtocol["request"]> => {
  const asked = permissions.request(event, payload)
  if (asked !== null) {
    const request = boundedRequest(asked.request)
    return { ...asked, request: flaw === null ? request : { ...request, unread: [...(request.unread ?? []), flaw] } }
  }
  if (!expectsReply(permissions, event)) return null
  const verdicts = permissions.decisions.find((decision) => decision.event === event)?.verdicts ?? []
  return {
    request: requestOf({ tool: "", kind: "other", unread: [`its request (${flaw ?? "it names no tool"})`] }),
    heeds: verdicts.filter((verdict) => verdict !== "allow")
  }
}

/** A hook as it was delivered. */
interface DeliveredHook extends DeliveredPayload {
  /** It runs inside the session, and is not the session's own. */
  readonly nested: boolean
}

/** A request for permission, the verdicts that its hook heeds, and whether it can be decided without the disk. */
export interface HookRequest {
  readonly request: ToolRequest
  readonly heeds: ReadonlyArray<Verdict>
  readonly inspected: boolean
  /** What it would change, if it is an edit that the user may be asked about. */
  readonly edit?: ProposedEdit
}

/** A hook's request; null: none. `asksNobody`: the CLI was started so that it asks nothing. */
export const requestOfHook = (
  protocol: PermissionProtocol,
  policy: Policy,
  hook: DeliveredHook,
  { asksNobody, directory }: { readonly asksNobody: boolean; readonly directory: string }
): HookRequest | null => {
  // A CLI inside the session is not the session: its own user decides.
  const asked = hook.nested ? null : requestIn(protocol, hook)
  if (asked === null) return null
  const cwd = asked.request.cwd === "" ? directory : asked.request.cwd
  const request = { ...asked.request, cwd, ...(asksNobody ? { unasked: true } : {}) }
  const inspected = (request.paths.length === 0 && request.command === null) || !asksDisk(policy)
  const edit =
    request.kind === "edit" && asksUser(protocol, hook.event)
      ? protocol.edit?.(hook.event, hook.payload, request)
      : null
  return { request, heeds: asked.heeds, inspected, ...(edit == null ? {} : { edit }) }
}
