import type { ApprovalEvent, HookRulesEvent } from "../approvals/ApprovalEvent.ts"
import type { QueueEvent } from "../delivery/DeliveryCommand.ts"
import type { BudgetEvent } from "../delivery/HookGuard.ts"
import type { NightEvent } from "../continuation/LimitContinuation.ts"
import type { SessionEvent } from "../../words/session/SessionEvent.ts"

/** Another writer of the queue's log begins (`LogTaken`), and is done (`LogFree`): see `LogLane`. */
export type LogEvent =
  | { readonly _tag: "LogTaken"; readonly at: number }
  | { readonly _tag: "LogFree"; readonly at: number }

/** Everything that can happen to a session, its queue and its permissions. */
export type MachineEvent =
  | SessionEvent
  | QueueEvent
  | ApprovalEvent
  | NightEvent
  | BudgetEvent
  | HookRulesEvent
  | LogEvent

/** The part of the machine that handles an event. A new kind of event does not compile until it is listed here. */
const parts = {
  Output: "session",
  Input: "session",
  Signal: "session",
  Reported: "session",
  Send: "session",
  Resize: "session",
  Decided: "session",
  HooksFound: "session",
  ModesChanged: "session",
  Tick: "session",
  Exited: "session",
  QueueChanged: "queue",
  Recorded: "queue",
  NotRecorded: "queue",
  PermissionRequested: "approval",
  PermissionInspected: "approval",
  PermissionDecided: "approval",
  PermissionReplied: "approval",
  DialogAnswered: "approval",
  PolicyChanged: "approval",
  RulesRead: "hooks",
  AuditChanged: "hooks",
  HooksPlaced: "hooks",
  LogTaken: "log",
  LogFree: "log",
  CostKnown: "night",
  NightSet: "night",
  BudgetKnown: "budget"
} as const satisfies Record<
  MachineEvent["_tag"],
  "session" | "queue" | "approval" | "hooks" | "log" | "night" | "budget"
>

export const isQueueEvent = (event: MachineEvent): event is QueueEvent => parts[event._tag] === "queue"

export const isNightEvent = (event: MachineEvent): event is NightEvent => parts[event._tag] === "night"

export const isBudgetEvent = (event: MachineEvent): event is BudgetEvent => parts[event._tag] === "budget"

export const isApprovalEvent = (event: MachineEvent): event is ApprovalEvent => parts[event._tag] === "approval"

export const isHookRulesEvent = (event: MachineEvent): event is HookRulesEvent => parts[event._tag] === "hooks"

export const isLogEvent = (event: MachineEvent): event is LogEvent => parts[event._tag] === "log"
