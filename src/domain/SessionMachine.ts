import type { Command, QueueEvent } from "./Command.ts"
import * as Delivery from "./Delivery.ts"
import type { Detection } from "./Detection.ts"
import type { Facts } from "./Facts.ts"
import type { InputProtocol } from "./InputProtocol.ts"
import type { QueueState } from "./Queue.ts"
import type { Modes } from "./Session.ts"
import type { KeyKind, SessionEvent } from "./SessionEvent.ts"
import * as Tracker from "./Tracker.ts"

/** All that can happen to a session and its queue. */
export type MachineEvent = SessionEvent | QueueEvent

/** What the machine has to know of the CLI: what its signs mean, and how it is typed into. */
export interface SessionProfile {
  readonly detection: Pick<Detection, "tells">
  readonly input: InputProtocol
}

/** The memory of one hosted session. */
export interface SessionMemory {
  readonly tracker: Tracker.TrackerMemory
  readonly delivery: Delivery.Delivery
}

export interface SessionStart {
  readonly at: number
  readonly modes: Modes
  /** The queue that it found, of which `Queue.recover` has been recorded. */
  readonly queue: QueueState
  /** See `Tracker.start`. */
  readonly zone?: string
  /** The earlier session that the CLI is to go on with. */
  readonly resumes?: Pick<Facts, "sessionId" | "transcriptPath">
}

/** A session at its start. */
export const start = (options: SessionStart): SessionMemory => {
  const begun = Tracker.start(options.at, options.modes, options.zone)
  const tracker = options.resumes === undefined ? begun : { ...begun, facts: { ...begun.facts, ...options.resumes } }
  return { tracker, delivery: Delivery.start(options.at, tracker.view, options.queue) }
}

/** The queue as it is now. */
export const queueOf = ({ delivery }: SessionMemory): QueueState => delivery.queue

const isQueueEvent = (event: MachineEvent): event is QueueEvent =>
  event._tag === "QueueChanged" || event._tag === "Recorded" || event._tag === "NotRecorded"

/** One event: the new memory, and the commands to run in order (see {@link Command}). */
export const step = ({ detection, input }: SessionProfile) => {
  const track = Tracker.track(detection)
  return (memory: SessionMemory, event: MachineEvent): readonly [SessionMemory, ReadonlyArray<Command>] => {
    const tracker = isQueueEvent(event) ? memory.tracker : track(memory.tracker, event)
    const [delivery, commands] = isQueueEvent(event)
      ? Delivery.stepQueue(input, memory.delivery, event)
      : Delivery.step(input, memory.delivery, event, tracker.view)
    return [{ tracker: commands.flatMap(told(event.at)).reduce(track, tracker), delivery }, commands]
  }
}

const kinds = { text: "paste", pad: "text", submit: "enter", clear: "edit", restore: "paste" } as const satisfies Record<string, KeyKind>

/** What the tracker learns of leap's own writes: as a recording tells it, a `Send` and the keys. */
const told = (at: number) => (command: Command): ReadonlyArray<SessionEvent> => {
  if (command._tag !== "Write") return []
  const keys = { _tag: "Input", at, keys: [kinds[command.purpose]], by: "leap" } as const
  return command.purpose === "text" ? [{ _tag: "Send", at }, keys] : [keys]
}

/** When the driver has to step the machine with a `Tick` if nothing else happens; null for never. */
export const wakeAt = ({ delivery, tracker }: SessionMemory): number | null => {
  const moments = [tracker.view.changesAt, Delivery.wakeAt(delivery)].filter((moment) => moment !== null)
  return moments.length === 0 ? null : Math.min(...moments)
}
