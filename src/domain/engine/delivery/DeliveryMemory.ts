import { DeliveryCommand } from "./DeliveryCommand.ts"
import type { DeliveryEvidence } from "./DeliveryEvidence.ts"
import type { HookGuard } from "./HookGuard.ts"
import type { LateAnswer } from "./LateAnswer.ts"
import { caughtUp, type LogRetry } from "./LogRetry.ts"
import type { EndedTurn, LateText, SentPhase, TypingPhase, Uncertain, Waiting } from "./Phase.ts"
import type { Gap, Wait } from "./Waits.ts"
import type { TurnFailures } from "../failure/TurnFailures.ts"
import { nameOf as messageName } from "../queue/MessageName.ts"
import type { MessageStatus, TurnOutcome } from "../../words/session/Message.ts"
import { type DeliveryCause, deliveryWords } from "../../words/wording/deliveryWords.ts"
import { shortId } from "../../words/session/shortId.ts"
import {
  applyRecord,
  find,
  type QueueEntry,
  heldRecord,
  QueueRecord,
  type QueueState,
  restate,
  waiting
} from "../queue/Queue.ts"

/** A turn whose end is counted. */
export interface FailedTurn {
  /** The message whose turn it was; null for the user's own prompt. */
  readonly id: string | null
  /** What the model did in this turn was reported after the event of this `seq`; null: maybe not reported at all. */
  readonly actsAfter: number | null
}

/** The last end of a turn that is counted in {@link Delivery.failures}. */
export interface CountedTurnEnd extends FailedTurn {
  /** `seq`: the event at which the end was counted. `start`: the turn's beginning as reported at that time. */
  readonly seq: number
  readonly start: number
  /** The failures before this end was counted: a later report may change this end. */
  readonly before: TurnFailures
}

/** The delivery's part of a session's memory. `queue` is the truth; the log follows it. */
export interface Delivery {
  readonly evidence: DeliveryEvidence
  readonly queue: QueueState
  /** The message that is being typed, in its phase. */
  readonly typing: TypingPhase | null
  /** Messages that the CLI has, and those whose turns are over. */
  readonly sent: ReadonlyArray<SentPhase>
  readonly ended: ReadonlyArray<EndedTurn>
  readonly waiting: Waiting | null
  readonly lateText: LateText | null
  readonly uncertain: Uncertain | null
  /** The fields from here on are not a message's. `lateAnswer`: keys of an answer that came after its dialog closed. */
  readonly lateAnswer: LateAnswer
  /** A suggestion that covers the box. `since`: when it appeared, or was last to be closed. `tries`: the attempts. */
  readonly suggestion: { readonly since: number; readonly tries: number } | null
  /** `seq` at which leap last made the CLI redraw, because old text may have remained on its screen; 0: never. */
  readonly redrawnSeq: number
  /** Since when the user's keys are held back; null while they go to the CLI. */
  readonly heldAt: number | null
  /**
   * Records that are not in the log yet. While leap holds the user's keys it does not write them: no key waits for the
   * disk. It writes them when it releases the keys. Whoever writes earlier writes these first, and reports it with
   * `Recorded`.
   */
  readonly unwritten: ReadonlyArray<QueueRecord>
  readonly log: LogRetry
  /** No message is sent before this time. */
  readonly earliestSend: number
  /**
   * Whether the CLI's hooks report the end of turns. `unheard`: unknown. `expected`: a hook has reported the session's
   * start. `told`, `untold`: the last turn had such a report, or lacked it.
   */
  readonly hookEnds: "unheard" | "expected" | "told" | "untold"
  /** `seq` of the last reported prompt that was matched to a message. */
  readonly lastMatchedPromptSeq: number
  /** `seq` of the attempt of the last message that was sent. */
  readonly lastSentSeq: number
  /** The forced message that waits for the user's draft, and for which this has been announced. */
  readonly announcedWait: string | null
  /** The session's failed turns, why the queue waits because of them, and the last counted end. */
  readonly failures: TurnFailures
  readonly lastCountedTurnEnd: CountedTurnEnd | null
  /** Why the queue waits because of rules that only the CLI's hooks enforce, or of used-up budgets. */
  readonly guard: HookGuard
  /** `seq` at which the CLI last said that it continues by itself after its limit; 0: not since a turn was answered. */
  readonly continuesSeq: number
  /**
   * The last frame with a login request: its event (`seq`), and since when the box is visible without the request
   * (`goneAt`); null for none.
   */
  readonly loginAsked: { readonly seq: number; readonly goneAt: number | null } | null
  /** The last span in which the session could not be observed; null for none. */
  readonly blindSpan: Gap | null
  /** The waits after the last step. */
  readonly waits: ReadonlyArray<Wait>
}

/** The memory after a step, and its commands in order. */
export type DeliveryMove = readonly [Delivery, ReadonlyArray<DeliveryCommand>]

/** A step without commands. */
export const stay = (m: Delivery): DeliveryMove => [m, []]

/** A move, followed by what `f` does with its memory. */
export const andThen = ([m, commands]: DeliveryMove, f: (m: Delivery) => DeliveryMove): DeliveryMove => {
  const [after, more] = f(m)
  return [after, [...commands, ...more]]
}

/** Applies records to the queue at once, and appends them. A log that fell behind gets the whole queue instead. */
export const record = (m: Delivery, records: ReadonlyArray<QueueRecord>): DeliveryMove => {
  const queue = records.reduce(applyRecord, m.queue)
  return [{ ...m, queue, log: caughtUp(m.log) }, [append(m.log.retryAt === null ? records : [restate(queue)])]]
}

/** Appends records that are applied to the queue when they are on disk. */
export const propose = (m: Delivery, records: ReadonlyArray<QueueRecord>): DeliveryMove => [
  { ...m, log: caughtUp(m.log) },
  [append(m.log.retryAt === null ? records : [restate(m.queue), ...records])]
]

const append = (records: ReadonlyArray<QueueRecord>) => DeliveryCommand.cases.Append.make({ records })

/** Writes the next step of a message's receipt. */
export const receipt = (
  m: Delivery,
  id: string,
  status: Exclude<MessageStatus, "queued" | "removed">,
  cause: DeliveryCause | null,
  outcome?: TurnOutcome
): DeliveryMove => {
  const known = { why: cause === null ? null : deliveryWords(cause), ...(outcome === undefined ? {} : { outcome }) }
  return record(m, [QueueRecord.cases.StatusChanged.make({ v: 1, at: m.evidence.at, id, status, ...known })])
}

/** Repeats the "done, completed" record of a finished message, with its former time. */
export const restateAnswered = (m: Delivery, id: string): DeliveryMove => {
  const at = entryOf(m, id)?.at
  const known = { status: "done", why: null, outcome: "completed" } as const
  return at === undefined ? stay(m) : record(m, [QueueRecord.cases.StatusChanged.make({ v: 1, at, id, ...known })])
}

export const announce = (m: Delivery, message: string): DeliveryMove => [
  m,
  [DeliveryCommand.cases.Announce.make({ message })]
]

export const write = (purpose: "text" | "pad" | "submit" | "clear" | "restore" | "dismiss", data: string) =>
  DeliveryCommand.cases.Write.make({ data, purpose })

/** The queue's entry of a message; null for none. */
export const entryOf = (m: Delivery, id: string): QueueEntry | null => find(m.queue, id)

/** The message is queued: leap delivers it without asking the user. */
export const isQueued = (m: Delivery, id: string): boolean =>
  waiting(m.queue).some(({ message }) => message.id === id && message.status === "queued")

/** A message as announcements name it. */
export const nameOf = (m: Delivery, id: string): string => {
  const entry = entryOf(m, id)
  return `message ${entry === null ? shortId(id) : messageName(entry.message)}`
}

/** Holds a message and announces it. Later messages may depend on it, so they are held too until the user decides. */
export const holdMessage = (m: Delivery, id: string, cause: DeliveryCause): DeliveryMove => {
  const { at } = m.evidence
  const behind = waiting(m.queue).filter(({ message }) => message.status === "queued" && message.id !== id)
  const held = heldRecord(id, at, cause)
  const records = [held, ...behind.map(({ message }) => heldRecord(message.id, at, [["behind-held", shortId(id)]]))]
  return andThen(record(m, records), (m) => announce(m, `${nameOf(m, id)} is held: ${held.why}`))
}
