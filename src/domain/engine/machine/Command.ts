import type { ApprovalCommand } from "../approvals/ApprovalCommand.ts"
import type { DeliveryCommand } from "../delivery/DeliveryCommand.ts"

/** A command of the machine. {@link Driver} orders commands and their answers. */
export type Command = DeliveryCommand | ApprovalCommand
