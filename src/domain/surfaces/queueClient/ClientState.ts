import { mayAnswer } from "../../words/session/states.ts"
import { isFailed, isGivenUp } from "../../words/session/failedMessage.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import type { Call } from "../operations/calls.ts"
import type { SessionStatus, Question } from "../../words/session/Session.ts"
import * as Editor from "../tui/Editor.ts"
import type { Size } from "../tui/Layout.ts"
import type * as Screen from "../tui/Screen.ts"
import type { Completion, CompletionKind } from "./Completion.ts"
import { type EntryHistory, emptyHistory } from "./EntryHistory.ts"

/** The connection. `Away`: it ended, or its host (if it `runs`) cannot be asked; the client waits for its return. */
export type Link =
  | { readonly _tag: "Joining" }
  | { readonly _tag: "Live" }
  | { readonly _tag: "Away"; readonly why: string; readonly runs?: boolean }

export interface LogEntry {
  readonly kind: "sent" | "answer" | "note" | "bad"
  readonly text: string
}

export interface Outgoing {
  readonly text: string
  readonly images: ReadonlyArray<string>
  readonly front: boolean
  readonly force: boolean
}

export type ClientCommand =
  | ({ readonly _tag: "Send"; readonly ref: number } & Outgoing)
  /** An operation of the session, whose outcome is shown. `everywhere`: also the default of new sessions. */
  | { readonly _tag: "Do"; readonly call: Call; readonly everywhere?: true }
  /** Asks for the CLI's answer to a message whose turn is over. */
  | { readonly _tag: "Ask"; readonly id: string }
  | {
      readonly _tag: "Complete"
      readonly kind: CompletionKind
      readonly word: string
      readonly ref: number
    }
  | { readonly _tag: "Remember"; readonly entry: string }
  /** `line`: the entered line, to be corrected if there is no picture; "" for none. */
  | { readonly _tag: "TakeImage"; readonly line: string }
  | { readonly _tag: "FindImage"; readonly path: string; readonly text: string; readonly line: string }

export type ClientEvent =
  | Screen.ScreenEvent
  | { readonly _tag: "Came"; readonly status: SessionStatus; readonly at: number }
  | { readonly _tag: "Left"; readonly why: string; readonly runs?: boolean }
  | { readonly _tag: "Sent"; readonly ref: number; readonly id: string }
  /** `inDoubt`: it may be in the queue nevertheless, as `why` says. */
  | { readonly _tag: "NotSent"; readonly ref: number; readonly why: string; readonly inDoubt: boolean }
  | { readonly _tag: "Said"; readonly text: string; readonly bad: boolean }
  | {
      readonly _tag: "Answered"
      readonly id: string
      readonly text: string | null
      readonly failure: string | null
    }
  | { readonly _tag: "Found"; readonly ref: number; readonly items: ReadonlyArray<string> }
  | { readonly _tag: "Recalled"; readonly entries: ReadonlyArray<string> }
  /** `text`: the pasted text, which is inserted if there is no picture at `path`. */
  | {
      readonly _tag: "Pictured"
      readonly path: string | null
      readonly text: string
      readonly line: string
      readonly why: string
    }

export interface Choice {
  readonly key: string
  readonly label: string
  readonly commands: ReadonlyArray<ClientCommand>
  readonly takesText: boolean
}

export type Mode =
  | { readonly _tag: "Compose" }
  | { readonly _tag: "List"; readonly selected: string | null }
  /** A queued message is in the editor. `was`: its text as the user knows it; `kept`: the editor's former text. */
  | {
      readonly _tag: "Edit"
      readonly id: string
      readonly name: string
      readonly was: string
      readonly kept: Editor.Editor
    }
  | {
      readonly _tag: "Choose"
      readonly question: string
      readonly choices: ReadonlyArray<Choice>
      readonly back: Exclude<Mode, { readonly _tag: "Choose" }>
    }
  | { readonly _tag: "Help"; readonly top: number }

export interface ClientState extends Screen.ScreenState {
  readonly tag: string
  readonly now: number
  readonly link: Link
  readonly status: SessionStatus | null
  readonly askedAt: number | null
  readonly mode: Mode
  readonly editor: Editor.Editor
  readonly history: EntryHistory
  readonly completion: Completion | null
  readonly log: ReadonlyArray<LogEntry>
  readonly scroll: number
  /** One line about the last action, until the next key. */
  readonly notice: { readonly text: string; readonly bad: boolean } | null
  /** Ended messages that the log has shown, or that ended before the client joined, newest last. */
  readonly told: ReadonlyArray<string>
  readonly asked: ReadonlyMap<string, string>
  readonly lastShown: string | null
  readonly outgoing: ReadonlyMap<number, Outgoing & { readonly editor: Editor.Editor }>
  readonly ref: number
  /** Whether messages are logged as they are sent. */
  readonly tellsSent: boolean
}

export type Updated = Screen.Updated<ClientState, ClientCommand>

export const start = (tag: string, size: Size, now: number): ClientState => ({
  tag,
  size,
  now,
  link: { _tag: "Joining" },
  status: null,
  askedAt: null,
  mode: { _tag: "Compose" },
  editor: Editor.empty,
  history: emptyHistory,
  completion: null,
  log: [],
  scroll: 0,
  notice: null,
  told: [],
  asked: new Map(),
  lastShown: null,
  outgoing: new Map(),
  ref: 1,
  tellsSent: true,
  redraws: 0,
  left: false
})

export const only = (state: ClientState): Updated => ({ state, commands: [] })
export const doing = (state: ClientState, ...commands: ReadonlyArray<ClientCommand>): Updated => ({ state, commands })

export const noticed = (state: ClientState, text: string, bad = false): ClientState => ({
  ...state,
  notice: { text, bad }
})

const logMost = 400

export const logged = (state: ClientState, ...entries: ReadonlyArray<LogEntry>): ClientState =>
  entries.length === 0 ? state : { ...state, log: [...state.log, ...entries].slice(-logMost) }

const changeable: ReadonlySet<string> = new Set(["queued", "held"])
const under: ReadonlySet<string> = new Set(["queued", "held", "typed", "submitted", "started"])

/** Messages that need a person or time: first the failed ones, then the unfinished ones in order. */
export const unfinished = ({ status }: Pick<ClientState, "status">): ReadonlyArray<QueuedMessage> =>
  status?.queue.filter((message) => under.has(message.status) || isGivenUp(message)) ?? []

export const failed = (state: Pick<ClientState, "status">): ReadonlyArray<QueuedMessage> =>
  unfinished(state).filter(isFailed)

/** Messages that can still be changed, in order. */
export const waiting = (state: Pick<ClientState, "status">): ReadonlyArray<QueuedMessage> =>
  unfinished(state).filter((message) => changeable.has(message.status))

/** The first message of a list: the first that can be changed, if any. */
export const firstOf = (state: Pick<ClientState, "status">): QueuedMessage | undefined =>
  waiting(state)[0] ?? unfinished(state)[0]

export const isAsking = ({ link, status }: Pick<ClientState, "link" | "status">): boolean =>
  link._tag === "Live" && status !== null && mayAnswer(status)

/** Answers the dialog that was seen. `question`: null if the screen shows none that can be identified. */
export const answering = (answer: string, question: Question | null): ClientCommand => ({
  _tag: "Do",
  call: { _tag: "Answer", answer, ...(question === null ? {} : { question }) }
})
