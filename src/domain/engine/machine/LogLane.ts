import type { SessionEvent } from "../../words/session/SessionEvent.ts"
import type { DeliveryCommand } from "../delivery/DeliveryCommand.ts"

/**
 * The events that wait while the queue's log is being written. A disk may stall: the session is still followed, hooks
 * are refused, and the user's keys pass; but the queue does nothing, so its log and its memory have the same order.
 */
export interface LogLane {
  /** The writer: the machine, or a change that another part makes durable. Null: nobody writes. */
  readonly busy: "machine" | "change" | null
  /** The delivery's commands after the `Append` in progress. */
  readonly behind: ReadonlyArray<DeliveryCommand>
  /** What the delivery has not heard yet, oldest first. */
  readonly inbox: ReadonlyArray<Heard>
  /** Time has passed since the last event of the inbox: the session may have become ready. */
  readonly ticked: boolean
}

/** An event for the delivery. `concerns`: its turn is the session's own. */
export interface Heard {
  readonly event: SessionEvent
  readonly concerns: boolean
}

export const freeLane: LogLane = { busy: null, behind: [], inbox: [], ticked: false }

/** The commands that may be carried out now, up to the first `Append`; the others wait for its outcome. */
export const inOrder = (
  lane: LogLane,
  commands: ReadonlyArray<DeliveryCommand>
): readonly [LogLane, ReadonlyArray<DeliveryCommand>] => {
  if (lane.busy !== null) return [{ ...lane, behind: [...lane.behind, ...commands] }, []]
  const end = commands.findIndex(({ _tag }) => _tag === "Append") + 1
  return end === 0
    ? [lane, commands]
    : [{ ...lane, busy: "machine", behind: commands.slice(end) }, commands.slice(0, end)]
}

/** An event waits. A tick only reports that time has passed; any later event does so, too. */
export const heardLater = (lane: LogLane, heard: Heard): LogLane =>
  heard.event._tag === "Tick" ? { ...lane, ticked: true } : { ...lane, inbox: [...lane.inbox, heard], ticked: false }
