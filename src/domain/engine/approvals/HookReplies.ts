import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import { decideByMode } from "../../rules/policy/decideByMode.ts"
import type { Decision, Verdict } from "../../rules/policy/Decision.ts"
import type { ToolRequest } from "../../rules/policy/ToolRequest.ts"
import { noPolicy, type Policy } from "../../rules/settings/Policy.ts"
import type { Modes } from "../../words/session/Session.ts"
import type { ApprovalEvent } from "./ApprovalEvent.ts"
import { expectsReply, lineFor } from "./Approvals.ts"
import { awaitedEvents } from "./awaitedEvents.ts"
import {
  asksDisk,
  decideUnknown,
  hasPathRules,
  hasRules,
  type Judge,
  unseen,
  whenUnauditable,
  whileUnread,
  whenUncertain
} from "./decideUncertain.ts"
import type { PendingPermission } from "./PendingPermissions.ts"
import { requestIn } from "./requestIn.ts"
import { restrictions } from "./restrictions.ts"
import { silentAnswers } from "./silentAnswers.ts"

/**
 * The rules in force, and the hooks that wait for a reply: what may not wait for the session's machine, which writes
 * the queue's log in between. The machine decides and gives each hook its reply. Where it has not by the deadline, a
 * hook is told what a rule refuses or keeps for the user; nothing is ever granted here. Each hook is told one line.
 */
export interface HookReplies<H> {
  readonly policy: Policy
  readonly judge: Judge
  /** The audit log can be written. */
  readonly auditable: boolean
  /** The machine has not decided anew since the rules, or the audit log, have changed. */
  readonly outdated: boolean
  readonly waiting: ReadonlyArray<WaitingHook<H>>
  readonly announced: Announcement
  /** That is written where the hooks read it; `retrying`: it is tried again. */
  readonly placed: boolean
  readonly retrying: boolean
}

/** What the CLI's hooks do: the events for which they wait, and what they say by themselves where leap is silent. */
export interface Announcement {
  readonly events: ReadonlyArray<string>
  readonly silent: Readonly<Record<string, string>>
}

type Outcome = "taken" | "late"

/** A hook that waits, with what is known of its request. */
interface WaitingHook<H> {
  readonly id: number
  readonly hook: H
  readonly event: string
  readonly heeds: ReadonlyArray<Verdict>
  readonly request: ToolRequest
  readonly certain: boolean
  /** The line that it was told; `outcome` null: what became of that is not known yet. */
  readonly told: { readonly line: string | null; readonly outcome: Outcome | null } | null
  /** The machine's reply, once it has given it. */
  readonly reply: { readonly line: string | null } | null
}

/** A hook as it was delivered. */
export interface DeliveredHook {
  readonly event: string
  readonly payload: unknown
  readonly flaw: string | null
  readonly sequence: number
  /** It runs inside the session, and is not the session's own. */
  readonly nested: boolean
}

/** What happens to the rules and the hooks. */
export type HookReplyEvent<H> =
  | { readonly _tag: "HookCame"; readonly hook: H }
  /** Where the paths of a request lead; `certain`: all of them could be followed. */
  | { readonly _tag: "PathsFollowed"; readonly id: number; readonly request: ToolRequest; readonly certain: boolean }
  /** A hook has waited as long as it may without the machine. */
  | { readonly _tag: "ReplyDue"; readonly id: number }
  | { readonly _tag: "MachineReplied"; readonly id: number; readonly line: string | null }
  /** What became of the line that a hook was told. */
  | { readonly _tag: "HookTold"; readonly id: number; readonly outcome: Outcome }
  | { readonly _tag: "RulesRead"; readonly policy: Policy; readonly judge: Judge }
  | { readonly _tag: "AuditChanged"; readonly auditable: boolean }
  /** What is announced was written, or could not be. */
  | { readonly _tag: "Announced"; readonly placed: boolean }
  | { readonly _tag: "AnnounceDue" }
  /** The machine decides all requests anew, for the rules or the mode have changed. */
  | { readonly _tag: "Reconsidered" }

/** What is to be done, in this order. */
export type HookReplyCommand<H> =
  /** Give the machine this event. */
  | { readonly _tag: "Offer"; readonly event: ApprovalEvent }
  /** Let the hook end with this line, or with none. What comes of it is `HookTold`. */
  | { readonly _tag: "Tell"; readonly id: number; readonly hook: H; readonly line: string | null }
  /** Look where the paths of a request lead: `PathsFollowed`. */
  | { readonly _tag: "Follow"; readonly id: number; readonly hook: H; readonly request: ToolRequest }
  /** Say `ReplyDue` at the deadline. */
  | { readonly _tag: "Remind"; readonly id: number }
  /** Write down what is `announced`, where the hooks look; then say whether that could be done. */
  | { readonly _tag: "Announce" }
  /** Say `AnnounceDue` after a while. */
  | { readonly _tag: "AnnounceAgain" }
  /** Tell the session whether its hooks know the rules. */
  | { readonly _tag: "TellPlaced"; readonly placed: boolean }

/** The session, as far as a step depends on it. */
export interface HookReplyContext {
  readonly now: number
  readonly mode: Modes["autoSend"]
  /** The directory in which the CLI is. */
  readonly directory: string
  /** The CLI was started so that it asks its user nothing. */
  readonly asksNobody: boolean
  readonly session: { readonly tag: string; readonly clis: ReadonlyArray<string> }
}

/** What is known after a step, and what is to be done. */
export interface HookReplyMove<H> {
  readonly replies: HookReplies<H>
  readonly commands: ReadonlyArray<HookReplyCommand<H>>
}

/** No rules are known, and no hook waits. */
export const start: HookReplies<never> = {
  policy: noPolicy,
  judge: decideByMode,
  auditable: true,
  outdated: true,
  waiting: [],
  announced: { events: [], silent: {} },
  placed: true,
  retrying: false
}

/** The decision by the rules and the mode in force; `request` null: for a request that no hook has named. */
export const decide = (
  { auditable, judge, policy }: Pick<HookReplies<unknown>, "auditable" | "judge" | "policy">,
  mode: Modes["autoSend"],
  request: ToolRequest | null,
  certain: boolean
): Decision => {
  if (request === null) return decideUnknown(policy, mode)
  const judged = whileUnread(policy, judge(mode, certain ? request : unseen(policy, request)))
  const sure = certain || !hasPathRules(policy) ? judged : whenUncertain(judged)
  return auditable ? sure : whenUnauditable(sure)
}

/** What keeps the decision on this request for the user: a rule, or a doubt which rule it is; null for nothing. */
export const keptBy = (
  { outdated, policy }: Pick<HookReplies<unknown>, "outdated" | "policy">,
  { certain, decision }: Pick<PendingPermission, "certain" | "decision">
): string | null => {
  if (decision === null || outdated) return "the rules have not been asked yet"
  if (!certain && hasPathRules(policy)) return "it could not be seen where its paths lead"
  return decision.verdict === "allow" ? null : decision.rule
}

const move = <H>(replies: HookReplies<H>, ...commands: ReadonlyArray<HookReplyCommand<H>>): HookReplyMove<H> => ({
  replies,
  commands
})

/** Hooks wait where the rules and the mode could decide on their event; what is announced already is not again. */
const announce = <H>(
  protocol: PermissionProtocol,
  replies: HookReplies<H>,
  { mode }: HookReplyContext
): HookReplyMove<H> => {
  const { announced, auditable, policy } = replies
  const next = {
    events: auditable ? awaitedEvents(protocol.decisions, policy, mode) : [],
    silent: silentAnswers(protocol, policy)
  }
  return JSON.stringify(next) === JSON.stringify(announced)
    ? move(replies)
    : move({ ...replies, announced: next }, { _tag: "Announce" })
}

/** The machine is told that its decisions are out of date, and the hooks whom to wait for, without waiting for it. */
const changed = <H>(
  protocol: PermissionProtocol,
  known: HookReplies<H>,
  context: HookReplyContext
): HookReplyMove<H> => {
  const { auditable, policy } = known
  const { commands, replies } = announce(protocol, { ...known, outdated: true }, context)
  const event = {
    _tag: "PolicyChanged",
    at: context.now,
    rules: hasRules(policy),
    auditable,
    restrictions: restrictions(protocol.decisions, policy, context.session).length
  } as const
  return move(replies, { _tag: "Offer", event }, ...commands)
}

const came = <H extends DeliveredHook>(
  protocol: PermissionProtocol,
  replies: HookReplies<H>,
  hook: H,
  { asksNobody, directory, now }: HookReplyContext
): HookReplyMove<H> => {
  const { event, sequence: id } = hook
  const waits = expectsReply(protocol, event)
  // What runs inside the session is not the session: its user decides for it.
  const asked = hook.nested ? null : requestIn(protocol, hook)
  if (asked === null) return waits ? move(replies, { _tag: "Tell", id, hook, line: null }) : move(replies)
  const { heeds } = asked
  const cwd = asked.request.cwd === "" ? directory : asked.request.cwd
  const request = { ...asked.request, cwd, ...(asksNobody ? { unasked: true } : {}) }
  const { policy, waiting } = replies
  const inspected = (request.paths.length === 0 && request.command === null) || !asksDisk(policy)
  const seen = inspected ? request : unseen(policy, request)
  const one = { id, hook, event, heeds, request: seen, certain: inspected, told: null, reply: null }
  return move<H>(
    waits ? { ...replies, waiting: [...waiting.filter((other) => other.id !== id), one] } : replies,
    ...(waits ? [{ _tag: "Remind", id } as const] : []),
    { _tag: "Offer", event: { _tag: "PermissionRequested", at: now, id, event, request, heeds, inspected } },
    ...(inspected ? [] : [{ _tag: "Follow", id, hook, request } as const])
  )
}

/** Changes what is known of a hook. The machine hears what came of its reply as soon as both are known. */
const known = <H>(replies: HookReplies<H>, one: WaitingHook<H>, now: number): HookReplyMove<H> => {
  const { id, reply, told } = one
  const others = replies.waiting.map((other) => (other.id === id ? one : other))
  if (reply === null || told === null || told.outcome === null) return move({ ...replies, waiting: others })
  const left = { ...replies, waiting: replies.waiting.filter((other) => other.id !== id) }
  // Where it was told another line by the deadline, the machine's came too late.
  const outcome = told.line === reply.line ? told.outcome : "late"
  return reply.line === null
    ? move(left)
    : move(left, { _tag: "Offer", event: { _tag: "PermissionReplied", at: now, id, outcome } })
}

const tell = <H>(replies: HookReplies<H>, one: WaitingHook<H>, line: string | null, now: number): HookReplyMove<H> => {
  const told = known(replies, { ...one, told: { line, outcome: null } }, now)
  return move(told.replies, { _tag: "Tell", id: one.id, hook: one.hook, line }, ...told.commands)
}

/** What is known after an event, and what is to be done. */
export const step = <H extends DeliveredHook>(
  protocol: PermissionProtocol,
  replies: HookReplies<H>,
  event: HookReplyEvent<H>,
  context: HookReplyContext
): HookReplyMove<H> => {
  const { mode, now } = context
  const one = "id" in event ? replies.waiting.find(({ id }) => id === event.id) : undefined
  switch (event._tag) {
    case "HookCame":
      return came(protocol, replies, event.hook, context)
    case "PathsFollowed": {
      const { certain, id } = event
      const request = certain ? event.request : unseen(replies.policy, event.request)
      const next = one === undefined ? replies : known(replies, { ...one, request, certain }, now).replies
      return move(next, { _tag: "Offer", event: { _tag: "PermissionInspected", at: now, id, request, certain } })
    }
    case "ReplyDue": {
      if (one === undefined || one.told !== null) return move(replies)
      const decision = decide(replies, mode, one.request, one.certain)
      const line = decision.verdict === "allow" ? null : lineFor(protocol, one, decision)
      return line === null ? move(replies) : tell(replies, one, line, now)
    }
    case "MachineReplied": {
      const { id, line } = event
      // The machine waits for what came of a line, whatever has become of its hook.
      if (one === undefined)
        return line === null
          ? move(replies)
          : move(replies, { _tag: "Offer", event: { _tag: "PermissionReplied", at: now, id, outcome: "late" } })
      const replied = { ...one, reply: { line } }
      return one.told === null ? tell(replies, replied, line, now) : known(replies, replied, now)
    }
    case "HookTold":
      return one === undefined || one.told === null
        ? move(replies)
        : known(replies, { ...one, told: { ...one.told, outcome: event.outcome } }, now)
    case "RulesRead":
      return changed(protocol, { ...replies, policy: event.policy, judge: event.judge }, context)
    case "AuditChanged":
      return changed(protocol, { ...replies, auditable: event.auditable }, context)
    case "Announced": {
      const { placed } = event
      return move(
        { ...replies, placed, retrying: replies.retrying || !placed },
        ...(placed === replies.placed ? [] : [{ _tag: "TellPlaced", placed } as const]),
        ...(placed || replies.retrying ? [] : [{ _tag: "AnnounceAgain" } as const])
      )
    }
    case "AnnounceDue":
      return move({ ...replies, retrying: false }, ...(replies.placed ? [] : [{ _tag: "Announce" } as const]))
    case "Reconsidered":
      return announce(protocol, { ...replies, outdated: false }, context)
  }
}
