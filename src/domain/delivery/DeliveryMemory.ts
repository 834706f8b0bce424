import { DeliveryCommand } from "./DeliveryCommand.ts"
import type { DeliveryEvidence } from "./DeliveryEvidence.ts"
import type { StrayAnswer } from "./StrayAnswer.ts"
import type { InputProtocol } from "../provider/InputProtocol.ts"
import { nameOf as messageName } from "../queue/MessageName.ts"
import type { MessageStatus, TurnOutcome } from "../session/Message.ts"
import type { CountedEnd } from "./FailedTurns.ts"
import type { TurnFailures } from "../failure/TurnFailures.ts"
import { shortId } from "../session/shortId.ts"
import { applyRecord, find, type QueueEntry, QueueRecord, type QueueState, restate, waiting } from "../queue/Queue.ts"

/**
 * What becomes of a message that was not sent. `counted`: as one of `maxAttempts`. Null: that has been recorded
 * already.
 */
export type Outcome =
  | { readonly _tag: "Requeue"; readonly counted: boolean; readonly why: string }
  | { readonly _tag: "Hold"; readonly why: string }
  | null

/** The delivery of one message, from its attempt until its text has left the box. There is one at a time. */
export interface Flight {
  readonly id: string
  /** The text that is typed, and that the box must show. */
  readonly text: string
  readonly force: boolean
  readonly step:
    | "recording"
    | "recorded"
    | "clearing"
    | "typing"
    | "settling"
    | "submitting"
    | "withdrawing"
    | "restoring"
  /** When the step began, and the number of whole frames by then. */
  readonly since: number
  readonly frameCount: number
  /**
   * `seq` at which the attempt began; `seq` at which Enter was first pressed, 0 before; the number of the user's keys
   * by the attempt.
   */
  readonly attemptSeq: number
  readonly enterSeq: number
  readonly userKeys: number
  readonly enters: number
  /** What the box showed for the text, null before; whether a blank was typed after it. */
  readonly displayedAs: string | null
  readonly padded: boolean
  /** A turn was running when Enter was pressed. */
  readonly ahead: boolean
  /** Whether a dialog or picker covers the box now; what has covered it since the step began. */
  readonly covered: boolean
  readonly interrupted: "picker" | "dialog" | null
  /** The user's unsent text that is to be put back, and whether it has been typed. */
  readonly draft: string | null
  readonly restored: boolean
  readonly outcome: Outcome
}

/** A message that the CLI accepted, and whose turn is not over. */
export interface Submitted {
  readonly id: string
  readonly text: string
  readonly ahead: boolean
  readonly attemptSeq: number
  readonly enterSeq: number
  readonly submittedAt: number
  readonly frameCount: number
  /** Since when the text is back in the box. */
  readonly backSince: number | null
  readonly started: { readonly at: number; readonly seq: number; readonly seenBusy: boolean } | null
  /** The beginning of its turn as the CLI told it, and whether another prompt's was told before its end. */
  readonly told: number | null
  readonly merged: boolean
}

/** A message whose turn is over, and of which more may be told: hooks may come late. */
export interface Over extends Submitted {
  readonly outcome: TurnOutcome | null
  readonly why: string | null
  readonly overSeq: number
}

/** Text of an earlier attempt that has not shown in the box, and may still do so. */
export interface LateText {
  readonly id: string
  readonly text: string
  readonly userKeys: number
  readonly since: number | null
}

/** A message that was requeued after keys of the user's that may have sent it: a turn that begins may be its turn. */
export interface Doubt {
  readonly id: string
  readonly text: string
  readonly seq: number
}

/** The delivery's part of a session's memory. `queue` is the truth; the log follows it. */
export interface Delivery {
  readonly evidence: DeliveryEvidence
  readonly queue: QueueState
  readonly flight: Flight | null
  readonly submitted: ReadonlyArray<Submitted>
  readonly over: ReadonlyArray<Over>
  readonly lateText: LateText | null
  readonly doubt: Doubt | null
  readonly stray: StrayAnswer
  /** The session's failed turns, and what the queue waits for because of them. */
  readonly failures: TurnFailures
  readonly countedEnd: CountedEnd | null
  /** Since when the next message could have been typed. */
  readonly freeSince: { readonly id: string; readonly at: number } | null
  readonly notBefore: number
  readonly keysHeld: boolean
  /** `seq` of the last reported prompt that was matched to a message. */
  readonly promptUsed: number
  /** The log is behind `queue`, and is to be written again at this time; null when it is up to date. */
  readonly retryAt: number | null
  /** The last record could not be written, and this has been announced. */
  readonly logFails: boolean
  /** The forced message that waits for the user's draft, and for which this has been announced. */
  readonly announcedWait: string | null
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
  return [{ ...m, queue, retryAt: null }, [append(m.retryAt === null ? records : [restate(queue)])]]
}

/** Appends records that are applied to the queue when they are on disk. */
export const propose = (m: Delivery, records: ReadonlyArray<QueueRecord>): DeliveryMove => [
  { ...m, retryAt: null },
  [append(m.retryAt === null ? records : [restate(m.queue), ...records])]
]

const append = (records: ReadonlyArray<QueueRecord>) => DeliveryCommand.cases.Append.make({ records })

/** Writes the next step of a message's receipt. */
export const receipt = (
  m: Delivery,
  id: string,
  status: Exclude<MessageStatus, "queued" | "removed">,
  why: string | null,
  outcome?: TurnOutcome
): DeliveryMove => {
  const known = outcome === undefined ? {} : { outcome }
  return record(m, [QueueRecord.cases.StatusChanged.make({ v: 1, at: m.evidence.at, id, status, why, ...known })])
}

/** Says anew how the turn of a message that is done ended, as of then. */
export const restateEnding = (m: Delivery, id: string, why: string | null, outcome: TurnOutcome): DeliveryMove => {
  const at = entryOf(m, id)?.at
  return at === undefined
    ? stay(m)
    : record(m, [QueueRecord.cases.StatusChanged.make({ v: 1, at, id, status: "done", why, outcome })])
}

/** Holds the user's keys back, or lets them go; no command where they already are. */
export const holdKeys = (m: Delivery, on: boolean): DeliveryMove =>
  m.keysHeld === on ? stay(m) : [{ ...m, keysHeld: on }, [DeliveryCommand.cases.HoldKeys.make({ on })]]

/** Shows a text to the user. */
export const announce = (m: Delivery, message: string): DeliveryMove => [
  m,
  [DeliveryCommand.cases.Announce.make({ message })]
]

/** Bytes for the CLI. */
export const write = (purpose: "text" | "pad" | "submit" | "clear" | "restore", data: string) =>
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
export const holdMessage = (m: Delivery, id: string, why: string): DeliveryMove => {
  const held = (id: string, why: string) =>
    QueueRecord.cases.StatusChanged.make({ v: 1, at: m.evidence.at, id, status: "held", why })
  const behind = waiting(m.queue).filter(({ message }) => message.status === "queued" && message.id !== id)
  const records = [
    held(id, why),
    ...behind.map(({ message }) => held(message.id, `the message before it is held (${shortId(id)})`))
  ]
  return andThen(record(m, records), (m) => announce(m, `${nameOf(m, id)} is held: ${why}`))
}

/** The unsent text in the box, "" when it is empty; null when no box is on screen. */
export const draftOf = (m: Delivery): string | null => m.evidence.screen?.box?.draft ?? null

/** The box shows exactly this text. */
export const boxShows = (input: InputProtocol, m: Delivery, text: string): boolean => {
  const draft = draftOf(m)
  return draft !== null && draft !== "" && input.showsPasted(draft, text)
}

/** Texts that a CLI takes as commands of its own, which may start no turn. */
export const isCommand = (text: string): boolean => /^[/!]/.test(text)

/** The draft can be read off the screen with certainty: one line, and no placeholder that stands for more. */
export const canPutBack = (draft: string): boolean => draft.length <= 200 && !/[\n[\]\p{Cc}]/u.test(draft)

/** Such a draft goes back as it was: a first `!` may have made it a command of the CLI's own shell. */
export const isSameAgain = (draft: string): boolean => canPutBack(draft) && !draft.startsWith("!")

/** The user's part of a draft that also holds `text` of leap's; null when the two cannot be told apart. */
export const userPart = (draft: string, text: string): string | null => {
  const before = draft.endsWith(text) ? draft.slice(0, -text.length) : null
  const after = draft.startsWith(text) ? draft.slice(text.length) : null
  const part = before !== null && after !== null && before !== after ? null : (before ?? after)
  return part !== null && canPutBack(part) ? part : null
}

/** The draft without the text that an earlier attempt of leap's left in it; null when the two cannot be told apart. */
export const userDraft = (m: Delivery): string | null => {
  const draft = draftOf(m)
  return m.lateText === null || draft === null || !draft.includes(m.lateText.text)
    ? draft
    : userPart(draft, m.lateText.text)
}

/** Enters a step: its time starts now, and only later frames are evidence for it. */
export const enterStep = (m: Delivery, f: Flight, step: Flight["step"], changes: Partial<Flight> = {}): Delivery => ({
  ...m,
  flight: { ...f, step, since: m.evidence.at, frameCount: m.evidence.frames, ...changes }
})
