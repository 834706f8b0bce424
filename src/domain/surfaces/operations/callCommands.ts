import type { QueueVerb } from "../../words/arguments/queueVerbs.ts"
import { changesText } from "../../store/worktrees/changesText.ts"
import { spanOf } from "../../words/reading/span.ts"
import type { SessionStatus } from "../../words/session/Session.ts"
import { longLine, oneLine } from "../../words/text/printable.ts"
import { answeredLine } from "../../words/wording/answeredLine.ts"
import { obstacleText, pauseNote, queueListing } from "../../words/wording/queueListing.ts"
import { blockedText } from "../../words/wording/StateLine.ts"
import type { CommandName } from "../../words/session/commandGroups.ts"
import type { Call, Done, DoneOf } from "./calls.ts"
import { proposalText } from "./proposalLines.ts"
import { doneLine } from "./doneWords.ts"
import { whyDocument, whyText } from "./whyText.ts"

/** Operands and flags by their names. A flag without a value is "". */
export type ParsedArguments = Readonly<Record<string, string | undefined>>

export interface OperandSpec {
  readonly name: string
  readonly text: string
  readonly optional?: true
  readonly integer?: true
  /** `-` stands for standard input. */
  readonly stdin?: true
}

/** A flag with a value, which `is` must accept. `expected`: the error for another value. */
export interface FlagSpec {
  readonly name: string
  readonly text: string
  readonly is: (value: string) => boolean
  readonly expected: string
}

/** A command whose work is one call. Its parser, help, completion and quick form (src/quick) are generated from it. */
export interface CallCommand {
  readonly name: CommandName | `queue ${QueueVerb}`
  readonly text: string
  readonly shortText?: string
  /** `one`: takes one tag. `known`, `running`: takes tags, patterns and `--all` of these, and `--json`. */
  readonly sessions: "one" | "known" | "running"
  /** With `sessions: "one"`: it has `--json` too. */
  readonly json?: true
  readonly operands?: ReadonlyArray<OperandSpec>
  readonly flags?: ReadonlyArray<FlagSpec>
  /** `now`: milliseconds since the epoch. */
  readonly call: (given: ParsedArguments, now: number) => Call
  /** Its output. Without this it only says what it did, and has no JSON. */
  readonly shown?: (done: Done, facts: ShownFacts) => Shown
  /** `shown` also needs the session's status. */
  readonly status?: true
  /** Its output for a session that has ended. */
  readonly left?: (status: SessionStatus, facts: ShownFacts) => Shown
  /** A note afterwards, from the session's present status; null for none. */
  readonly then?: (now: SessionStatus) => string | null
  readonly alsoEnded?: true
}

export interface ShownFacts {
  readonly tag: string
  readonly json: boolean
  readonly colour: boolean
  /** Of the terminal; null without one. */
  readonly columns: number | null
  /** Its `queueProblem` tells of damage to the queue's log. Null where the command does not ask for a status. */
  readonly status: SessionStatus | null
}

/** A command's output, as JSON (after the tag; null: none) and as text. `failure`: how it ends, after its output. */
export interface Shown {
  readonly document: object | null
  readonly text?: string
  readonly notes?: ReadonlyArray<string>
  readonly failure?: { readonly code: "failed" | "refused"; readonly why: string }
}

const id: OperandSpec = { name: "id", text: "The message's id, as 'leap queue' or 'leap send' shows it" }
const idOrAll = { ...id, optional: true } as const
const idOf = ({ id }: ParsedArguments): string | null => id ?? null

const muteOf = (done: Done): string => (done._tag === "SetModes" ? (done.call.modes.mute ?? "off") : "off")

/** Why queued messages wait; null if none is queued, or no reason is known. */
const blockedNote = (now: SessionStatus, reason: string | null): string | null =>
  reason !== null && now.queue.some(({ status }) => status === "queued") ? `leap: what is queued ${reason}` : null

const queueShown = (
  { queue, recent }: DoneOf<"Queue">["result"],
  { columns, json, tag, status }: ShownFacts,
  { pause = null, queueProblem = null }: Pick<SessionStatus, "pause" | "queueProblem">
): Shown => {
  const waits = pauseNote({ pause, tag })
  // a message's own time says nothing of what is in its way
  const note = waits !== null ? `leap: ${waits}` : status === null ? null : blockedNote(status, obstacleText(status))
  const notes = [
    ...(json || queue.length > 0 || queueProblem !== null ? [] : [`nothing waits in the queue of '${tag}'`]),
    ...(json || note === null ? [] : [note])
  ]
  const shown = {
    document: { queue, recent, queueProblem, pause },
    text: queueListing(queue, recent, columns === null)
  }
  if (queueProblem === null) return { ...shown, notes }
  const { kind, message } = queueProblem
  // unreadable must not look like empty
  return kind === "damaged"
    ? { ...shown, notes: [...notes, `leap: ${message}`] }
    : { ...shown, notes, failure: { code: "failed", why: message } }
}

const questionShown = (
  { message, proposal = null, question, reason, state }: SessionStatus,
  { columns, json, tag }: ShownFacts
): Shown => {
  if (question === undefined || question === null) {
    const why = `there is no dialog to answer: '${tag}' is ${state} (${oneLine(reason, 100)})`
    return { document: null, failure: { code: "refused", why } }
  }
  const { options, title } = question
  // one line of a terminal, or a long line for a program
  const cut = (text: string, limit: number) => (columns === null ? longLine(text) : oneLine(text, limit))
  const lines = [
    cut(title === "" ? (message ?? "") : title, 200),
    ...(proposal === null ? [] : proposalText(proposal)),
    ...options.map(({ label, number }) => `${String(number ?? "-").padStart(3)}  ${cut(label, 160)}`)
  ]
  const note =
    options.length === 0
      ? `its options cannot be read: 'leap attach ${tag}' shows it`
      : `answer with 'leap answer ${tag} <number, or a name or its beginning>'`
  return {
    document: { dialog: title, options, ...(proposal === null ? {} : { proposal }) },
    text: lines.join("\n"),
    notes: json ? [] : [note]
  }
}

const isoTime = (at: number): string => new Date(at).toISOString()

/** In the order of the help. */
export const callCommands: ReadonlyArray<CallCommand> = [
  {
    name: "queue list",
    text: "The same as show",
    sessions: "one",
    json: true,
    call: () => ({ _tag: "Queue" }),
    status: true,
    shown: (done, facts) => queueShown((done as DoneOf<"Queue">).result, facts, facts.status ?? {}),
    left: ({ queue, queueProblem = null }, facts) => queueShown({ queue, recent: [] }, facts, { queueProblem })
  },
  {
    name: "queue edit",
    text: "Change a message that waits",
    sessions: "one",
    operands: [id, { name: "text", text: "The text, or - for standard input", stdin: true }],
    call: ({ id = "", text = "" }) => ({ _tag: "QueueEdit", id, text })
  },
  {
    name: "queue move",
    text: "Move a message to a position",
    sessions: "one",
    operands: [id, { name: "position", text: "1 is next", integer: true }],
    call: ({ id = "", position }) => ({ _tag: "QueueMove", id, position: Number(position) })
  },
  {
    name: "queue remove",
    text: "Take a message out",
    sessions: "one",
    operands: [id],
    call: ({ id = "" }) => ({ _tag: "QueueRemove", id })
  },
  {
    name: "queue clear",
    text: "Take all waiting messages out",
    sessions: "one",
    call: () => ({ _tag: "QueueClear" })
  },
  {
    name: "queue hold",
    text: "Keep waiting messages back until they are released: one, or all",
    sessions: "one",
    operands: [idOrAll],
    call: (given) => ({ _tag: "QueueHold", id: idOf(given) })
  },
  {
    name: "queue release",
    text: "Send held messages: one, or all",
    sessions: "one",
    operands: [idOrAll],
    call: (given) => ({ _tag: "QueueRelease", id: idOf(given) }),
    then: (now) => blockedNote(now, blockedText(now) ?? obstacleText(now))
  },
  {
    name: "queue retry",
    text: "Send a message again whose turn failed, or all of these, then the messages behind it",
    sessions: "one",
    operands: [{ name: "id", text: "the message, or all" }],
    call: ({ id = "all" }) => ({ _tag: "QueueRetry", id: id === "all" ? null : id })
  },
  {
    name: "queue force",
    text: "Type a waiting message as soon as the box is free (never into a dialog)",
    sessions: "one",
    operands: [id],
    call: ({ id = "" }) => ({ _tag: "QueueForce", id })
  },
  {
    name: "answer",
    text: "Answer the dialog on the session's screen, or list its options",
    shortText: "Answer the dialog on the screen, or list its options",
    sessions: "one",
    json: true,
    operands: [
      {
        name: "answer",
        text: "The number of an option, its name or the beginning of it, or a text; none lists them",
        optional: true
      }
    ],
    call: ({ answer }) => (answer === undefined ? { _tag: "Status" } : { _tag: "Answer", answer }),
    shown: (done, facts) => {
      if (done._tag === "Status") return questionShown(done.result, facts)
      const { result } = done as DoneOf<"Answer">
      return { document: result, text: answeredLine(result, facts.columns === null) }
    }
  },
  {
    name: "why",
    text: "Why a session is in its state: the rule that decided, and what is known",
    shortText: "Why a session is in its state",
    sessions: "one",
    json: true,
    call: () => ({ _tag: "Why" }),
    status: true,
    shown: (done, { columns, status, tag }) => {
      const { result } = done as DoneOf<"Why">
      return { document: whyDocument(tag, result), text: status === null ? "" : whyText(result, status, columns) }
    }
  },
  {
    name: "interrupt",
    text: "Interrupt the turn",
    sessions: "one",
    call: () => ({ _tag: "Interrupt" }),
    shown: () => ({ document: null })
  },
  {
    name: "dismiss",
    text: "Dismiss what a session needs from you: leap shows no reminder until it needs something else",
    shortText: "Dismiss what a session needs from you",
    sessions: "known",
    alsoEnded: true,
    call: () => ({ _tag: "Dismiss", needs: null }),
    shown: (done) => ({ document: done._tag === "Dismiss" ? done.result : {}, text: doneLine(done, undefined) })
  },
  {
    name: "mute",
    text: "Mute a session's notifications, for a while or until you unmute it",
    sessions: "running",
    alsoEnded: true,
    flags: [
      {
        name: "for",
        text: "For this long: 30m, 1h, 1h30m, 2d",
        is: (value) => spanOf(value) !== null,
        expected: "expected a time like 30m, 1h or 2d"
      }
    ],
    call: (given, now) => {
      const span = given["for"] === undefined ? null : spanOf(given["for"])
      return { _tag: "SetModes", modes: { mute: span === null ? "on" : isoTime(now + span) } }
    },
    shown: (done, { tag }) => {
      const mute = muteOf(done)
      return { document: { mute }, text: mute === "on" ? `muted until 'leap unmute ${tag}'` : `muted until ${mute}` }
    }
  },
  {
    name: "unmute",
    text: "Turn a session's notifications on again",
    sessions: "running",
    alsoEnded: true,
    call: () => ({ _tag: "SetModes", modes: { mute: "off" } }),
    shown: (done) => ({ document: { mute: muteOf(done) }, text: "not muted" })
  },
  {
    name: "diff",
    text:
      "Show the changes in a session's work tree since the last commit, with new files; in a linked worktree since " +
      "it branched off",
    shortText: "Show the changes in a session's work tree",
    sessions: "known",
    alsoEnded: true,
    flags: [
      {
        name: "against",
        text: "Against this commit or branch, or when its last turn (:turn) or the session (:start) began",
        is: (value) => value !== "",
        expected: "expected a commit, a branch, :turn or :start"
      }
    ],
    call: (given) => ({ _tag: "Changes", against: given["against"] ?? null }),
    shown: (done, { colour }) => ({
      document: done._tag === "Changes" ? done.result : {},
      text: done._tag === "Changes" ? changesText(done.result, colour) : ""
    })
  }
]
