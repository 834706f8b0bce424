import { Command } from "./Command.ts"
import type { Evidence } from "./DeliveryEvidence.ts"
import type { InputProtocol } from "./InputProtocol.ts"
import { deliveredText } from "./MessageText.ts"
import type { MessageStatus } from "./Message.ts"
import { applyRecord, find, type QueueEntry, QueueRecord, type QueueState, restate, waiting } from "./Queue.ts"

/** Milliseconds. Each wait of a delivery is bounded by one of these. */
export const timing = {
  /** The way must have been free for this long before a message goes out. */
  debounce: 300,
  /** The user's last key, or a resize, is this far back. */
  quiet: 500,
  /** After the attempt was recorded: what the disk's time brought is taken in before the first byte is written. */
  recorded: 20,
  /** For the text to show in the box; when the user's keys got in between, for the box to settle. */
  echo: 5_000,
  mixedEcho: 1_000,
  /** Between the text seen and Enter: a suggestion menu opens in this time. */
  settle: 100,
  /** For a suggestion menu to close on a blank. */
  menu: 1_000,
  /** For the box to let go of the text, after the last Enter. */
  submit: 3_000,
  /** The same, before Enter is pressed once more: one that is only heard late may send the text twice then. */
  resubmit: 8_000,
  maxEnters: 2,
  /** A box that is gone for this long, with nothing over it, has let go of its text. */
  boxGone: 500,
  /** For the box to be empty after it was cleared, and to show a draft that was put back. */
  clear: 2_000,
  /** After a dialog: for the screen to tell what became of the text, and for the box to come back. */
  afterDialog: 300,
  boxBack: 5_000,
  /** A view that says "running" for this long is a witness of its own. */
  viewStart: 3_500,
  /** At rest for this long with no turn seen: a command of the CLI had none, another text will have none. */
  noTurnCommand: 1_500,
  noTurn: 10_000,
  /** A text that stands in the box again for this long was given back. */
  givenBack: 1_000,
  /** A turn whose begin was seen and whose running was not is over after this. */
  unseenTurn: 1_500,
  /** A message that was typed while a turn ran: the CLI may need this long from one turn to the next. */
  aheadEnd: 3_000,
  maxAttempts: 3,
  backoff: [1_000, 5_000] as ReadonlyArray<number>,
  /** For a turn to show that a key of the user's, or an Enter that was heard late, sent the text. */
  doubt: 3_000,
  /** Before the log is tried again that could not be written. */
  logRetry: 10_000
} as const

/** What becomes of a message whose text is taken out of the box again. Null: no message is concerned. */
export type Outcome =
  | { readonly _tag: "Requeue"; readonly counted: boolean; readonly why: string }
  | { readonly _tag: "Hold"; readonly why: string }
  | null

/** The message in hand, from its attempt until the CLI's box let go of it. One at a time. */
export interface Flight {
  readonly id: string
  /** What is typed, and what the box must show. */
  readonly text: string
  readonly force: boolean
  readonly step: "recording" | "recorded" | "clearing" | "typing" | "settling" | "submitting" | "withdrawing" | "restoring"
  /** When the step began, and how many frames had been seen then. */
  readonly since: number
  readonly look: number
  /** The events at which the attempt began and Enter was first pressed; the user's keys until the attempt. */
  readonly begun: number
  readonly sent: number
  readonly userKeys: number
  readonly enters: number
  /** As what the text was seen in the box; a blank was added behind it. */
  readonly shownAs: string | null
  readonly padded: boolean
  /** A turn was running when Enter was pressed. */
  readonly ahead: boolean
  /** Something covers the box now; and what did since the step's text was written: a dialog, or pickers only. */
  readonly covered: boolean
  readonly interrupted: "picker" | "dialog" | null
  /** The user's unsent text, to be put back, and whether that was written. */
  readonly draft: string | null
  readonly restored: boolean
  readonly outcome: Outcome
}

/** A message that the CLI took: its turn has not begun, or is not over. */
export interface Taken {
  readonly id: string
  readonly text: string
  readonly ahead: boolean
  readonly begun: number
  readonly sent: number
  readonly submittedAt: number
  readonly look: number
  /** Since when the text is back in the box. */
  readonly backSince: number | null
  readonly started: { readonly at: number; readonly seq: number; readonly seenBusy: boolean } | null
}

/** Text that was written, never seen, and may yet show. */
export interface Residue {
  readonly id: string
  readonly text: string
  readonly userKeys: number
  readonly since: number | null
}

/** A message that was taken back after keys of the user's that may have sent it: a turn that begins now may be its own. */
export interface Doubt {
  readonly id: string
  readonly text: string
  readonly seq: number
}

/** All that the sender remembers. `queue` is what is true; the log follows it. */
export interface Delivery {
  readonly evidence: Evidence
  readonly queue: QueueState
  readonly flight: Flight | null
  readonly taken: ReadonlyArray<Taken>
  readonly residue: Residue | null
  readonly doubt: Doubt | null
  /** Since when the way has been free for the message that is next. */
  readonly clearSince: { readonly id: string; readonly at: number } | null
  readonly notBefore: number
  readonly keysHeld: boolean
  /** The last prompt event that was counted for a message. */
  readonly promptUsed: number
  /** The log lacks something that happened, and is to be tried again then; null when it tells of `queue`. */
  readonly retryAt: number | null
  /** The last record could not be written, and this has been said. */
  readonly logFails: boolean
  /** The forced message that waits for the user's draft, said once. */
  readonly told: string | null
}

/** Memory and the commands wanted so far, in order. */
export type Move = readonly [Delivery, ReadonlyArray<Command>]

export const stay = (m: Delivery): Move => [m, []]

/** Goes on from a move. */
export const andThen = ([m, commands]: Move, f: (m: Delivery) => Move): Move => {
  const [after, more] = f(m)
  return [after, [...commands, ...more]]
}

/** Makes records true and has them written. A log that fell behind is told the whole queue. */
export const record = (m: Delivery, records: ReadonlyArray<QueueRecord>): Move => {
  const queue = records.reduce(applyRecord, m.queue)
  return [{ ...m, queue, retryAt: null }, [append(m.retryAt === null ? records : [restate(queue)])]]
}

/** Has records written that become true when they are. */
export const propose = (m: Delivery, records: ReadonlyArray<QueueRecord>): Move =>
  [{ ...m, retryAt: null }, [append(m.retryAt === null ? records : [restate(m.queue), ...records])]]

const append = (records: ReadonlyArray<QueueRecord>) => Command.cases.Append.make({ records })

/** Writes the next step of a message's receipt. */
export const receipt = (
  m: Delivery,
  id: string,
  status: Exclude<MessageStatus, "queued">,
  why: string | null
): Move => record(m, [QueueRecord.cases.StatusChanged.make({ v: 1, at: m.evidence.at, id, status, why })])

/** Keeps the user's keys back, or lets them go. */
export const holdKeys = (m: Delivery, on: boolean): Move =>
  m.keysHeld === on ? stay(m) : [{ ...m, keysHeld: on }, [Command.cases.HoldKeys.make({ on })]]

export const say = (m: Delivery, message: string): Move => [m, [Command.cases.Announce.make({ message })]]

/** Bytes for the CLI. */
export const write = (purpose: "text" | "pad" | "submit" | "clear" | "restore", data: string) =>
  Command.cases.Write.make({ data, purpose })

/** The queue's entry of a message. */
export const entryOf = (m: Delivery, id: string): QueueEntry | null => find(m.queue, id)

/** The message waits to go out by itself. */
export const isQueued = (m: Delivery, id: string): boolean =>
  waiting(m.queue).some(({ message }) => message.id === id && message.status === "queued")

/** How people know a message: its beginning. */
export const nameOf = (m: Delivery, id: string): string => {
  const entry = entryOf(m, id)
  const text = entry === null ? "" : deliveredText(entry.message).replace(/\s+/g, " ")
  return `message ${id} (“${text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text}”)`
}

/**
 * Holds a message, and says so. What waits behind it may build on it, so it waits too: messages go out in order or not
 * at all, until the user has decided.
 */
export const holdMessage = (m: Delivery, id: string, why: string): Move => {
  const held = (id: string, why: string) =>
    QueueRecord.cases.StatusChanged.make({ v: 1, at: m.evidence.at, id, status: "held", why })
  const behind = waiting(m.queue).filter(({ message }) => message.status === "queued" && message.id !== id)
  const records = [held(id, why), ...behind.map(({ message }) => held(message.id, `the message before it is held (${id})`))]
  return andThen(record(m, records), (m) => say(m, `${nameOf(m, id)} is held: ${why}`))
}

/** What the CLI's box shows, "" when it is empty, null when there is none to be seen. */
export const draftOf = (m: Delivery): string | null => m.evidence.screen?.box?.draft ?? null

/** The box shows exactly this text. */
export const shows = (input: InputProtocol, m: Delivery, text: string): boolean => {
  const draft = draftOf(m)
  return draft !== null && draft !== "" && input.showsPasted(draft, text)
}

/** Texts that a CLI takes as commands of its own, which may start no turn. */
export const isCommand = (text: string): boolean => /^[/!]/.test(text)

/** A draft that can be read off the screen with certainty: one line, and no placeholder that stands for more. */
export const canPutBack = (draft: string): boolean =>
  draft.length <= 200 && !/[\n[\]\p{Cc}]/u.test(draft)

/** Where a text and the user's own keys stand side by side: the user's part, or null when they cannot be told apart. */
export const userPart = (draft: string, text: string): string | null => {
  const before = draft.endsWith(text) ? draft.slice(0, -text.length) : null
  const after = draft.startsWith(text) ? draft.slice(text.length) : null
  const part = before !== null && after !== null && before !== after ? null : before ?? after
  return part !== null && canPutBack(part) ? part : null
}

/** What in the box is the user's: the draft without what an earlier attempt of leap's left in it; null when that cannot be told. */
export const userDraft = (m: Delivery): string | null => {
  const draft = draftOf(m)
  return m.residue === null || draft === null || !draft.includes(m.residue.text) ? draft : userPart(draft, m.residue.text)
}
