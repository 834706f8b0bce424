import type { View } from "../../words/session/Session.ts"
import type { SessionEvent } from "../../words/session/SessionEvent.ts"
import type { DeliveryCommand } from "../delivery/DeliveryCommand.ts"

/**
 * The events that wait while the queue's log is being written. A disk may stall: the session is still followed, hooks
 * may be refused but not granted, and the user's keys pass. The queue does nothing, so its log and its memory have the
 * same order.
 */
export interface LogLane {
  /** The writer: the machine, or a change that another part makes durable. Null: nobody writes. */
  readonly busy: "machine" | "change" | null
  /** The moment for which the machine was to be woken when the writing began; null for none. See `Delivery.asOf`. */
  readonly asked: number | null
  /** The delivery's commands after the `Append` in progress. */
  readonly behind: ReadonlyArray<DeliveryCommand>
  /** What the delivery has not heard yet, oldest first. */
  readonly inbox: ReadonlyArray<Heard>
}

/** An event as the delivery sees it, with the view of that moment. `concerns`: its turn is the session's own. */
export interface Heard {
  readonly event: SessionEvent
  readonly view: View
  readonly concerns: boolean
}

export const freeLane: LogLane = { busy: null, asked: null, behind: [], inbox: [] }

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

/** An event waits. Of successive ticks with the same view only the last is kept: it has the time that has passed. */
export const heardLater = (lane: LogLane, heard: Heard): LogLane => {
  const last = lane.inbox.at(-1)
  const isSame = heard.event._tag === "Tick" && last?.event._tag === "Tick" && last.view === heard.view
  return { ...lane, inbox: [...(isSame ? lane.inbox.slice(0, -1) : lane.inbox), heard] }
}
