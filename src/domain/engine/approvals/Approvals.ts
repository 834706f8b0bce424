import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import type { Decision } from "../../policy/Decision.ts"
import type { ToolRequest } from "../../policy/ToolRequest.ts"
import type { Modes } from "../../words/session/Session.ts"
import { type ApprovalCommand, auditNote } from "./ApprovalCommand.ts"
import type { ApprovalEvent, HookRulesEvent } from "./ApprovalEvent.ts"
import { hasRules } from "./decideUncertain.ts"
import { consider } from "./DialogStep.ts"
import { awaitHooks, type HookRules, noRules, placed, retried } from "./HookRules.ts"
import {
  find,
  forget,
  noPendingPermissions,
  type PendingPermission,
  type PendingPermissions,
  remember,
  type VisibleDialog,
  update
} from "./PendingPermissions.ts"
import { asksUser, withShown } from "./shownProposal.ts"

/** The part of a CLI's permission protocol that leap's answers depend on. */
export type ApprovalProtocol = Pick<PermissionProtocol, "decisions" | "reply" | "plainYes">

/**
 * A dialog in which keys are being pressed, its decision, and its request if known. `revoked`: rules or mode have
 * changed since, so no more keys may be pressed.
 */
interface PressedAnswer {
  readonly at: number
  readonly title: string
  readonly decision: Decision
  readonly request: ToolRequest | null
  readonly revoked: boolean
}

/** The approvals' part of a session's memory: the CLI's permission requests, and leap's answers to them. */
export interface ApprovalsMemory {
  readonly pending: PendingPermissions
  readonly hooks: HookRules
  /** The decision for a request that no hook has reported; null until rules and mode have given it. */
  readonly unnamedDecision: Decision | null
  readonly rules: boolean
  /** The number of deny and ask rules that only the CLI's hooks enforce. */
  readonly restrictions: number
  readonly auditable: boolean
  /** The dialog (by its first appearance) that leap has answered, or has left to the user for `leftReason`. */
  readonly settled: { readonly since: number | null; readonly leftReason: string | null }
  readonly pressed: PressedAnswer | null
  /** When to consider the dialog on screen again without an event; null for never. */
  readonly considerAt: number | null
  readonly last: { readonly at: number; readonly request: ToolRequest | null; readonly decision: Decision } | null
}

/** The memory before any request. */
export const start: ApprovalsMemory = {
  pending: noPendingPermissions,
  hooks: noRules,
  unnamedDecision: null,
  rules: false,
  restrictions: 0,
  auditable: true,
  settled: { since: null, leftReason: null },
  pressed: null,
  considerAt: null,
  last: null
}

/** The part of the session that a step depends on. */
export interface ApprovalContext {
  readonly now: number
  readonly mode: Modes["autoSend"]
  readonly visible: VisibleDialog
  /**
   * The queue's log is not being written. While a disk stalls leap allows nothing, because it could not log that;
   * refusals and questions for the user do not wait for a disk.
   */
  readonly grants: boolean
}

/** The memory after a step, its commands in order, and whether the CLI took an answer and will close its dialog. */
export interface ApprovalMove {
  readonly approvals: ApprovalsMemory
  readonly commands: ReadonlyArray<ApprovalCommand>
  readonly taken: boolean
}

const stay = (
  approvals: ApprovalsMemory,
  commands: ReadonlyArray<ApprovalCommand> = [],
  taken = false
): ApprovalMove => ({
  approvals,
  commands,
  taken
})

const decide = ({ certain, id, request }: PendingPermission): ApprovalCommand => ({
  _tag: "Decide",
  id,
  request,
  certain
})

/** leap may decide: the mode allows it, or there are rules. */
const isActive = ({ rules }: ApprovalsMemory, mode: Modes["autoSend"]): boolean => mode === "always" || rules

/** Lets the current rules and mode decide every request again. No dialog is answered until then. */
const reconsider = (m: ApprovalsMemory): ApprovalMove =>
  stay(
    {
      ...m,
      unnamedDecision: null,
      pressed: m.pressed === null ? null : { ...m.pressed, revoked: true },
      pending: { ...m.pending, list: m.pending.list.map((one) => ({ ...one, decision: null })) }
    },
    [
      { _tag: "Decide", id: null, request: null, certain: false },
      ...m.pending.list.filter(({ inspected }) => inspected).map(decide)
    ]
  )

const verdictsOf = ({ decisions }: Pick<ApprovalProtocol, "decisions">, event: string) =>
  decisions.find((decision) => decision.event === event)?.verdicts ?? []

/** The CLI waits for a hook of this event: it needs a reply, whatever is decided. */
export const expectsReply = (protocol: Pick<ApprovalProtocol, "decisions">, event: string): boolean =>
  verdictsOf(protocol, event).length > 0

/** A hook of this event runs before every use of a tool and cannot allow it: not refusing is no decision. */
const onlyDenies = (protocol: ApprovalProtocol, event: string): boolean =>
  expectsReply(protocol, event) && !verdictsOf(protocol, event).includes("allow")

const requested = (
  protocol: ApprovalProtocol,
  m: ApprovalsMemory,
  event: Extract<ApprovalEvent, { readonly _tag: "PermissionRequested" }>,
  visible: VisibleDialog
): ApprovalMove => {
  const { at, edit, event: hook, heeds, id, inspected, request } = event
  if (find(m.pending, id) !== null) return stay(m)
  const one: PendingPermission = {
    id,
    at,
    event: hook,
    request,
    heeds,
    inspected,
    certain: inspected && request.paths.length === 0,
    decision: null,
    reply: { _tag: "Open" },
    ...(edit === undefined ? {} : { edit }),
    ...(asksUser(protocol, hook) ? { asks: true } : {})
  }
  const pending = remember(m.pending, one, visible)
  if (pending === null)
    return stay(
      { ...m, pending: { ...m.pending, overflowed: true } },
      expectsReply(protocol, hook) ? [{ _tag: "Reply", id, line: null }] : []
    )
  return stay({ ...m, pending }, inspected ? [decide(one)] : [])
}

const inspected = (
  m: ApprovalsMemory,
  { certain, id, request }: Extract<ApprovalEvent, { readonly _tag: "PermissionInspected" }>
): ApprovalMove => {
  const pending = update(m.pending, id, (one) => ({ ...one, request, certain, inspected: true, decision: null }))
  const one = find(pending, id)
  return stay({ ...m, pending }, one === null ? [] : [decide(one)])
}

type Told = Pick<PendingPermission, "event" | "heeds" | "request">

/**
 * The decision for a waiting hook. A verdict of `ask` becomes a refusal if the hook can only refuse and either the CLI
 * asks nobody, or leap could not read all of the request or of the rules: an unread part may deny it.
 */
const hookDecision = (protocol: ApprovalProtocol, { event, heeds, request }: Told, decision: Decision): Decision => {
  if (decision.verdict !== "ask" || decision.rule === null || !onlyDenies(protocol, event)) return decision
  if (heeds.length === 0 || heeds.some((verdict) => verdict !== "deny")) return decision
  if (request.unread !== undefined || decision.unread === true) return { ...decision, verdict: "deny" }
  return request.unasked === true
    ? {
        ...decision,
        verdict: "deny",
        why: `${decision.why}; the user is to be asked, and in this mode the CLI asks nobody`
      }
    : decision
}

/** The line for a waiting hook; null if the CLI would ignore the verdict, or asks its user in any case. */
export const lineFor = (protocol: ApprovalProtocol, one: Told, decision: Decision): string | null => {
  const { rule, verdict, why } = hookDecision(protocol, one, decision)
  // By itself the CLI might not ask its user: a rule makes it ask, the mode does not.
  const heeded = one.heeds.includes(verdict) && (verdict !== "ask" || rule !== null)
  return heeded && expectsReply(protocol, one.event) ? protocol.reply(one.event, verdict, why) : null
}

const decided = (
  protocol: ApprovalProtocol,
  m: ApprovalsMemory,
  { at, decision, id }: Extract<ApprovalEvent, { readonly _tag: "PermissionDecided" }>,
  { grants, mode }: ApprovalContext
): ApprovalMove => {
  if (id === null) return stay({ ...m, unnamedDecision: decision })
  const one = find(m.pending, id)
  if (one === null) return stay(m)
  const known = { ...one, decision }
  const withRequest = (after: PendingPermission): ApprovalsMemory => ({
    ...m,
    pending: update(m.pending, id, () => after)
  })
  const isOpen = one.reply._tag === "Open"
  // What would be granted is decided again when the log is written.
  if (!grants && decision.verdict === "allow" && isOpen && lineFor(protocol, one, decision) !== null) return stay(m)
  // Its hook has had its reply: the decision is for its dialog.
  if (!isOpen) return stay(withRequest(known))
  const line = lineFor(protocol, one, decision)
  if (line !== null)
    return stay(withRequest({ ...known, reply: { _tag: "Sent", decision: hookDecision(protocol, one, decision) } }), [
      { _tag: "Reply", id, line }
    ])
  const noted = decision.verdict === "deny" || (isActive(m, mode) && !onlyDenies(protocol, one.event))
  return stay(withRequest({ ...known, reply: { _tag: "Closed", at, how: "asked" } }), [
    ...(expectsReply(protocol, one.event) ? [{ _tag: "Reply", id, line: null } as const] : []),
    ...(noted ? [{ _tag: "Audit", at: one.at, entry: auditNote(one.event, one.request, decision, "no") } as const] : [])
  ])
}

const replied = (
  protocol: ApprovalProtocol,
  m: ApprovalsMemory,
  { at, id, outcome }: Extract<ApprovalEvent, { readonly _tag: "PermissionReplied" }>
): ApprovalMove => {
  const one = find(m.pending, id)
  if (one?.reply._tag !== "Sent") return stay(m)
  const { decision } = one.reply
  const taken = outcome === "taken"
  const audit: ApprovalCommand = {
    _tag: "Audit",
    at: one.at,
    entry: auditNote(one.event, one.request, decision, taken ? "hook" : "no")
  }
  // A tool that is refused before its use gets no dialog.
  const pending =
    taken && decision.verdict === "deny" && onlyDenies(protocol, one.event)
      ? forget(m.pending, id)
      : update(m.pending, id, (one) => ({
          ...one,
          reply: { _tag: "Closed", at, how: taken ? "answered" : "asked" }
        }))
  const last = taken ? { at, request: one.request, decision } : m.last
  return stay({ ...m, pending, last }, [audit], taken && decision.verdict !== "ask")
}

const answered = (
  m: ApprovalsMemory,
  { at, why }: Extract<ApprovalEvent, { readonly _tag: "DialogAnswered" }>
): ApprovalMove => {
  const { pressed } = m
  if (pressed === null) return stay(m)
  const { decision, request, title } = pressed
  const outcome =
    why === null
      ? { ...decision, why: `${decision.why}: ${title}` }
      : { ...decision, why: `${decision.why}, but ${why}` }
  return stay({ ...m, pressed: null, last: why === null ? { at, request, decision } : m.last }, [
    { _tag: "Audit", at: pressed.at, entry: auditNote("screen", request, outcome, why === null ? "key" : "no") }
  ])
}

const applyEvent = (
  protocol: ApprovalProtocol,
  m: ApprovalsMemory,
  event: ApprovalEvent,
  context: ApprovalContext
): ApprovalMove => {
  switch (event._tag) {
    case "PermissionRequested":
      return requested(protocol, m, event, context.visible)
    case "PermissionInspected":
      return inspected(m, event)
    case "PermissionDecided":
      return decided(protocol, m, event, context)
    case "PermissionReplied":
      return replied(protocol, m, event)
    case "DialogAnswered":
      return answered(m, event)
    case "PolicyChanged":
      return changed(
        protocol,
        { ...m, rules: event.rules, auditable: event.auditable, restrictions: event.restrictions ?? 0 },
        context
      )
  }
}

/** Rules or mode have changed: everything is decided again, and hooks of other events may have to wait. */
const changed = (protocol: ApprovalProtocol, m: ApprovalsMemory, { mode }: ApprovalContext): ApprovalMove => {
  const { approvals, commands } = reconsider(m)
  const [hooks, more] = awaitHooks(protocol, m, mode)
  return stay({ ...approvals, hooks }, [...commands, ...more])
}

/** Changes around the hooks. Their effect on the requests is a separate event, which recordings keep. */
export const stepHooks = (m: ApprovalsMemory, event: HookRulesEvent): ApprovalMove => {
  if (event._tag === "HooksPlaced") return stay({ ...m, hooks: placed(m.hooks, event) })
  const { at } = event
  const { auditable, restrictions, policy, judge } = { ...m, ...m.hooks, ...event }
  const restated = { _tag: "PolicyChanged", at, rules: hasRules(policy), auditable, restrictions } as const
  return stay({ ...m, hooks: { ...m.hooks, policy, judge } }, [{ _tag: "Restate", event: restated }])
}

/** Answers the dialog on screen once, leaves it to the user, or notes when to look again. */
const considerDialog = (
  protocol: ApprovalProtocol,
  before: ApprovalsMemory,
  { grants, mode, now, visible }: ApprovalContext
): ApprovalMove => {
  const pending = withShown(before.pending, visible, now)
  const m = pending === before.pending ? before : { ...before, pending }
  const { since } = visible
  const isDone = m.settled.since === since && m.settled.leftReason === null
  const unscheduled = m.considerAt === null ? m : { ...m, considerAt: null }
  const isMeant = since !== null && !isDone && m.pressed === null && isActive(m, mode)
  if (!isMeant || !m.auditable || !grants) return stay(unscheduled)
  const step = consider(m.pending, visible, now, m.unnamedDecision, protocol.plainYes)
  switch (step._tag) {
    case "Leave":
      return stay(unscheduled)
    case "Later":
      return stay({ ...m, considerAt: step.at })
    case "Ask": {
      const { decision } = step
      if (m.settled.since === since && m.settled.leftReason === decision.why) return stay(unscheduled)
      return stay({ ...unscheduled, settled: { since, leftReason: decision.why } }, [
        { _tag: "Audit", at: now, entry: auditNote("screen", null, decision, "no") }
      ])
    }
    case "Answer": {
      const { answer, decision, dialog, pending } = step
      const pressed = { at: now, title: dialog.title, decision, request: pending?.request ?? null, revoked: false }
      return stay({ ...unscheduled, settled: { since, leftReason: null }, pressed }, [
        { _tag: "AnswerDialog", dialog, answer }
      ])
    }
  }
}

const andThen = (move: ApprovalMove, next: (m: ApprovalsMemory) => ApprovalMove): ApprovalMove => {
  const after = next(move.approvals)
  return {
    approvals: after.approvals,
    commands: [...move.commands, ...after.commands],
    taken: move.taken || after.taken
  }
}

/** The step after an event about permissions, which then considers the dialog on screen. */
export const step = (
  protocol: ApprovalProtocol,
  m: ApprovalsMemory,
  event: ApprovalEvent,
  context: ApprovalContext
): ApprovalMove => andThen(applyEvent(protocol, m, event, context), (m) => considerDialog(protocol, m, context))

/** As {@link step}, after any other event. `modeChanged`: every request is decided again. */
export const observe = (
  protocol: ApprovalProtocol,
  m: ApprovalsMemory,
  context: ApprovalContext,
  modeChanged: boolean
): ApprovalMove => {
  const [hooks, commands] = retried(m.hooks, context.now)
  const known = hooks === m.hooks ? m : { ...m, hooks }
  const move = modeChanged ? changed(protocol, known, context) : stay(known)
  return andThen(
    andThen(stay(known, commands), () => move),
    (m) => considerDialog(protocol, m, context)
  )
}

/** The step when the log has been written: the requests that could not be allowed meanwhile are decided again. */
export const granting = (protocol: ApprovalProtocol, m: ApprovalsMemory, context: ApprovalContext): ApprovalMove => {
  const open = m.pending.list.filter(({ inspected, reply }) => inspected && reply._tag === "Open")
  return andThen(stay(m, open.map(decide)), (m) => considerDialog(protocol, m, context))
}

/** When a `Tick` is needed if no event comes before, in milliseconds since the epoch; null for never. */
export const wakeAt = ({ considerAt, hooks: { retryAt } }: ApprovalsMemory): number | null =>
  considerAt === null || retryAt === null ? (considerAt ?? retryAt) : Math.min(considerAt, retryAt)
