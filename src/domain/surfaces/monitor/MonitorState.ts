import type { Changes } from "../../store/worktrees/Changes.ts"
import type { Moment } from "../../store/worktrees/moments.ts"
import type { PatchFile, PatchLine } from "../../store/worktrees/patchLines.ts"
import type { Part } from "../../store/worktrees/sideBySide.ts"
import { mayAnswer } from "../../words/session/states.ts"
import { wasCutOff } from "../../words/attention/unexpectedEnd.ts"
import type { Clash } from "../../words/session/WriteClashes.ts"
import * as actions from "../operations/actions.ts"
import { pauseEnd } from "../../words/session/queuePause.ts"
import type { FeedEvent, FeedSession, FeedSessions } from "../../words/session/Feed.ts"
import type { Question } from "../../words/session/Session.ts"
import { isHere } from "../../words/session/RemoteHost.ts"
import type { Call } from "../operations/calls.ts"
import { clean } from "../tui/Cells.ts"
import { type Editor, empty } from "../tui/Editor.ts"
import type { Size } from "../tui/Layout.ts"
import type * as Screen from "../tui/Screen.ts"

/** What the monitor wants done. The outcome comes back as `Said`, that of `Compare` as `Compared`. */
export type MonitorCommand =
  /** Hands the terminal to another program, until it gives it back. */
  | {
      readonly _tag: "Visit"
      readonly what: "attach" | "queue" | "editor" | "hand" | "move" | "finish"
      readonly tag: string
    }
  /** The same for programs that begin a session, or demonstrate one. */
  | { readonly _tag: "Visit"; readonly what: "start" | "resume" | "demo" }
  | { readonly _tag: "Compare"; readonly tag: string; readonly against: Moment | null }
  | { readonly _tag: "Do"; readonly tags: ReadonlyArray<string>; readonly call: Call }
  | { readonly _tag: "Forget"; readonly tags: ReadonlyArray<string>; readonly force: boolean }
  | { readonly _tag: "Resume"; readonly tags: ReadonlyArray<string> }
  /** `what`: the name of the text in the message about it. */
  | { readonly _tag: "Copy"; readonly text: string; readonly what: string }

/** A directory's branch and its number of changed files; null outside of work trees. */
export type GitSeen = { readonly branch: string; readonly changed: number | null } | null

/** What there is to begin with when no session exists. */
export interface Found {
  /** The directory to start in, as shown, and its branch; null outside of repositories. */
  readonly place: string
  readonly branch: string | null
  readonly clis: ReadonlyArray<{ readonly displayName: string; readonly version: string | null }>
  readonly missing: ReadonlyArray<{ readonly displayName: string; readonly hint: string }>
  readonly earlier: number
}

export type MonitorEvent =
  | Screen.ScreenEvent
  | { readonly _tag: "Fed"; readonly events: ReadonlyArray<FeedEvent>; readonly at: number }
  | { readonly _tag: "Screened"; readonly tag: string; readonly text: string | null }
  | { readonly _tag: "GitRead"; readonly directory: string; readonly git: GitSeen }
  | {
      readonly _tag: "Compared"
      readonly tag: string
      readonly against: Moment | null
      readonly found: Changes | string
    }
  | { readonly _tag: "Said"; readonly text: string; readonly bad: boolean }
  | { readonly _tag: "Found"; readonly found: Found }
  /** `why` another machine is not reached; null: it is. */
  | { readonly _tag: "HostTold"; readonly host: string; readonly why: string | null }

export type Purpose =
  | { readonly _tag: "Send"; readonly tags: ReadonlyArray<string> }
  | { readonly _tag: "Answer"; readonly tag: string; readonly question: Question | null }

export interface Choice {
  readonly key: string
  readonly label: string
  readonly command: MonitorCommand | null
}

export interface ChangesMode {
  readonly _tag: "Changes"
  readonly tag: string
  /** Null: the base. */
  readonly against: Moment | null
  /** The summary, or why there is none; null while it is fetched. */
  readonly said: string | null
  readonly files: ReadonlyArray<PatchFile>
  /** Where lines differ from those that take their place. */
  readonly parts: ReadonlyMap<PatchLine, Part>
  /** It is a linked worktree, which can be finished. */
  readonly worktree: boolean
  /** The chosen file, the first row of its patch in sight, and how far its lines are moved to the left. */
  readonly at: number
  readonly top: number
  readonly left: number
}

export type Mode =
  | { readonly _tag: "List" }
  | { readonly _tag: "Filter" }
  | { readonly _tag: "Write"; readonly purpose: Purpose; readonly editor: Editor }
  | { readonly _tag: "Answer"; readonly tag: string; readonly question: Question; readonly marked: number }
  | { readonly _tag: "Choose"; readonly question: string; readonly choices: ReadonlyArray<Choice> }
  | { readonly _tag: "Help"; readonly top: number }
  | ChangesMode

export const sortings = ["need", "tag", "recent"] as const
/** `need`: in groups, those that need the user first. `recent`: the last changed first. */
export type Sorting = (typeof sortings)[number]

export type ListRow =
  | { readonly _tag: "Group"; readonly name: string; readonly count: number }
  | { readonly _tag: "Session"; readonly tag: string }

export interface MonitorState extends Screen.ScreenState {
  readonly now: number
  readonly home: string
  readonly sessions: FeedSessions
  readonly fed: boolean
  readonly names: ReadonlyArray<string>
  /** Derived from the sessions, the filter and the sorting. */
  readonly list: ReadonlyArray<ListRow>
  readonly selected: string | null
  readonly top: number
  readonly query: Editor
  readonly sorting: Sorting
  readonly marked: ReadonlySet<string>
  readonly mode: Mode
  readonly details: boolean
  readonly screen: { readonly tag: string; readonly lines: ReadonlyArray<string> | null } | null
  readonly git: ReadonlyMap<string, GitSeen>
  readonly clashes: ReadonlyMap<string, ReadonlyArray<Clash>>
  /** One line about the last action, until the next key. */
  readonly notice: { readonly text: string; readonly bad: boolean } | null
  /** Null until the search has ended. */
  readonly found: Found | null
  /** The machines that are not reached. */
  readonly unreached: ReadonlyArray<string>
}

export type Updated = Screen.Updated<MonitorState, MonitorCommand>

export const start = (size: Size, now: number, home: string): MonitorState => ({
  size,
  now,
  home,
  sessions: new Map(),
  fed: false,
  names: [],
  list: [],
  selected: null,
  top: 0,
  query: empty,
  sorting: "need",
  marked: new Set(),
  mode: { _tag: "List" },
  details: true,
  screen: null,
  git: new Map(),
  clashes: new Map(),
  notice: null,
  found: null,
  unreached: [],
  redraws: 0,
  left: false
})

export const only = (state: MonitorState): Updated => ({ state, commands: [] })
export const doing = (state: MonitorState, ...commands: ReadonlyArray<MonitorCommand>): Updated => ({ state, commands })
export const noticed = (state: MonitorState, text: string, bad = false): MonitorState => ({
  ...state,
  notice: { text: clean(text), bad }
})
export const inMode = (state: MonitorState, mode: Mode): MonitorState => ({ ...state, mode })
export const listing = (state: MonitorState): MonitorState => inMode(state, { _tag: "List" })

export const takesAll = ({ mode }: MonitorState): boolean => mode._tag === "Help" || mode._tag === "Changes"

export const selectedOf = ({ selected, sessions }: MonitorState): FeedSession | null =>
  selected === null ? null : (sessions.get(selected) ?? null)

/** The sessions that an action applies to: the marked ones, else the selected one. */
export const targetsOf = (state: MonitorState): ReadonlyArray<FeedSession> => {
  const tags =
    state.marked.size > 0
      ? state.names.filter((tag) => state.marked.has(tag))
      : [state.selected].filter((tag) => tag !== null)
  return tags.flatMap((tag) => state.sessions.get(tag) ?? [])
}

/** What git says of the session's directory, which is read on this machine alone. */
export const gitOf = ({ git }: Pick<MonitorState, "git">, { status }: FeedSession): GitSeen =>
  isHere(status.tag) ? (git.get(status.cwd) ?? null) : null

export const named = (tags: ReadonlyArray<string>): string =>
  tags.length === 1 ? (tags[0] ?? "") : `${tags.length} sessions`

export const runs = ({ status }: FeedSession): boolean => status.state !== "exited"

export const cutOff = ({ status }: FeedSession): boolean => wasCutOff(status)

export const mayRetry = ({ status }: FeedSession): boolean =>
  actions.mayRetry({ ...status, pauseEnd: pauseEnd(status) })

/** The CLI shows a dialog, and its host can take the answer. */
export const isAsking = ({ link, status }: FeedSession): boolean => link === "live" && mayAnswer(status)
