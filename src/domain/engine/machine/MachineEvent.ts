import { Schema } from "effect"
import { ApprovalEvent } from "../approvals/ApprovalEvent.ts"
import { QueueEvent } from "../delivery/DeliveryCommand.ts"
import { NightEvent } from "../continuation/LimitContinuation.ts"
import { SessionEvent } from "../../words/session/SessionEvent.ts"

/** Everything that can happen to a session, its queue and its permissions. */
export const MachineEvent = Schema.Union([SessionEvent, QueueEvent, ApprovalEvent, NightEvent])
export type MachineEvent = typeof MachineEvent.Type

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
  CostKnown: "night",
  NightSet: "night"
} as const satisfies Record<MachineEvent["_tag"], "session" | "queue" | "approval" | "night">

export const isQueueEvent = (event: MachineEvent): event is QueueEvent => parts[event._tag] === "queue"

export const isNightEvent = (event: MachineEvent): event is NightEvent => parts[event._tag] === "night"

export const isApprovalEvent = (event: MachineEvent): event is ApprovalEvent => parts[event._tag] === "approval"
