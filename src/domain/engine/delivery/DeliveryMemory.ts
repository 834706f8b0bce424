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

/** The last end of a turn that is counted in {@link Delivery.failures}. */
export interface CountedTurnEnd {
  /** The event with which it was counted, and the beginning of its turn by then, as it was told. */
  readonly seq: number
  readonly start: number
  /** What had been counted before it: more may be told of the same end. */
  readonly before: TurnFailures
  /** The message whose turn it was; null for the user's own prompt. */
  readonly id: string | null
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
  /** What is not about a message: an answer to a dialog that came too late, held keys, the log. */
  readonly lateAnswer: LateAnswer
  /** A suggestion of the CLI's that is in the way: since when it is, or was last tried to be closed, and how often. */
  readonly suggestion: { readonly since: number; readonly tries: number } | null
  /** `seq` at which the CLI was last made to draw anew for what might be a trace on its screen; 0 for never. */
  readonly redrawnSeq: number
  /** Since when the user's keys are held back; null while they go to the CLI. */
  readonly heldAt: number | null
  /**
   * Records of what was done while keys are held: no key waits for the log, which gets them when keys go again. Who
   * writes to it before writes these first, and says so with `Recorded`.
   */
  readonly unwritten: ReadonlyArray<QueueRecord>
  readonly log: LogRetry
  /** No message goes out before. */
  readonly earliestSend: number
  /**
   * Whether the CLI's hooks tell how turns end, as the last turn that was over has shown: `told`, `untold`. Where no
   * hook has called at all: `unheard`. `expected`: one has told of the session since.
   */
  readonly hookEnds: "unheard" | "expected" | "told" | "untold"
  /** `seq` of the last reported prompt that was matched to a message. */
  readonly lastMatchedPromptSeq: number
  /** The forced message that waits for the user's draft, and for which this has been announced. */
  readonly announcedWait: string | null
  /** The session's failed turns, what the queue waits for because of them, and the last end that is counted. */
  readonly failures: TurnFailures
  readonly lastCountedTurnEnd: CountedTurnEnd | null
  /** What the queue waits for because of rules that only the CLI's hooks hold. */
  readonly guard: HookGuard
  /** `seq` at which the CLI last said that it goes on by itself after its limit; 0 where it has not since a turn. */
  readonly continuesSeq: number
  /**
   * The last frame that asked for a login: its event, and since when its box is there without that; null where none
   * has.
   */
  readonly loginAsked: { readonly seq: number; readonly goneAt: number | null } | null
  /** The last span in which the session could not be looked at; null where there was none. */
  readonly blindSpan: Gap | null
  /** What is waited for since the last step. */
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

/** Says anew that the turn of a message that is done was answered, as of then. */
export const restateAnswered = (m: Delivery, id: string): DeliveryMove => {
  const at = entryOf(m, id)?.at
  const known = { status: "done", why: null, outcome: "completed" } as const
  return at === undefined ? stay(m) : record(m, [QueueRecord.cases.StatusChanged.make({ v: 1, at, id, ...known })])
}

/** Shows a text to the user. */
export const announce = (m: Delivery, message: string): DeliveryMove => [
  m,
  [DeliveryCommand.cases.Announce.make({ message })]
]

/** Bytes for the CLI. */
export const write = (purpose: "text" | "pad" | "submit" | "clear" | "restore" | "dismiss", data: string) =>
  DeliveryCommand.cases.Write.make({ data, purpose })

/** The queue's entry of a message; null for none. */
export const entryOf = (m: Delivery, id: string): QueueEntry | null => find(m.queue, id)

/** The message is queued: it is delivered without a word of the user's. */
export const isQueued = (m: Delivery, id: string): boolean =>
  waiting(m.queue).some(({ message }) => message.id === id && message.status === "queued")

/** A message as announcements name it. */
export const nameOf = (m: Delivery, id: string): string => {
  const entry = entryOf(m, id)
  return `message ${entry === null ? shortId(id) : messageName(entry.message)}`
}

/**
 * Holds a message, and announces it. Messages behind it may build on it, so that they are held too: messages are
 * delivered in order or not at all, until the user has decided.
 */
export const holdMessage = (m: Delivery, id: string, cause: DeliveryCause): DeliveryMove => {
  const { at } = m.evidence
  const behind = waiting(m.queue).filter(({ message }) => message.status === "queued" && message.id !== id)
  const held = heldRecord(id, at, cause)
  const records = [held, ...behind.map(({ message }) => heldRecord(message.id, at, [["behind-held", shortId(id)]]))]
  return andThen(record(m, records), (m) => announce(m, `${nameOf(m, id)} is held: ${held.why}`))
}
