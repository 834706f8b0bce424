import type { SessionEvent } from "../../words/session/SessionEvent.ts"
import type { DeliveryCommand } from "../delivery/DeliveryCommand.ts"

/**
 * What waits while the queue's log is being written. A disk may stall: the session is followed all the while, hooks are
 * refused, and the user's keys go on; but nothing of the queue happens, so that its log and its memory have one order.
 */
export interface LogLane {
  /** Who writes: the machine, or a change that somebody else makes durable. Null while nobody does. */
  readonly busy: "machine" | "change" | null
  /** The delivery's commands behind the `Append` that is being carried out. */
  readonly behind: ReadonlyArray<DeliveryCommand>
  /** What the delivery has not heard yet, oldest first. */
  readonly inbox: ReadonlyArray<Heard>
}

/** An event for the delivery. `concerns`: its turn is the session's own. */
export interface Heard {
  readonly event: SessionEvent
  readonly concerns: boolean
}

export const freeLane: LogLane = { busy: null, behind: [], inbox: [] }

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

/** An event waits. A tick says only that time has passed, which the next event says as well. */
export const heardLater = (lane: LogLane, heard: Heard): LogLane =>
  heard.event._tag === "Tick" ? lane : { ...lane, inbox: [...lane.inbox, heard] }
