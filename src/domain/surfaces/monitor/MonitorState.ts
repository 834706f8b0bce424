import type { Changes } from "../../places/worktrees/Changes.ts"
import type { PatchFile } from "../../places/worktrees/patchLines.ts"
import { mayAnswer } from "../../words/session/states.ts"
import { wasCutOff } from "../../words/attention/unexpectedEnd.ts"
import type { Clash } from "../../words/session/WriteClashes.ts"
import * as actions from "../operations/actions.ts"
import { waitsForWord } from "../../words/wording/StateLine.ts"
import type { FeedEvent, FeedSession, FeedSessions } from "../../words/session/Feed.ts"
import type { Question } from "../../words/session/Session.ts"
import type { Call } from "../operations/calls.ts"
import { clean } from "../tui/Cells.ts"
import { type Editor, empty } from "../tui/Editor.ts"
import type { Size } from "../tui/Layout.ts"
import type * as Screen from "../tui/Screen.ts"

/** What the monitor wants done; what became of it comes back as `Said`. */
export type MonitorCommand =
  /** Another program gets the terminal, and gives it back. */
  | { readonly _tag: "Visit"; readonly what: "attach" | "queue" | "editor" | "move"; readonly tag: string }
  /** The same for what begins a session, or shows how they are. */
  | { readonly _tag: "Visit"; readonly what: "start" | "resume" | "demo" }
  /** What this session has changed is wanted; it comes as `Compared`. */
  | { readonly _tag: "Compare"; readonly tag: string }
  /** An operation of each of these sessions. */
  | { readonly _tag: "Do"; readonly tags: ReadonlyArray<string>; readonly call: Call }
  | { readonly _tag: "Forget"; readonly tags: ReadonlyArray<string>; readonly force: boolean }
  | { readonly _tag: "Resume"; readonly tags: ReadonlyArray<string> }
  /** `what`: what it is called when it is told. */
  | { readonly _tag: "Copy"; readonly text: string; readonly what: string }

/** A directory's branch and its changed files; null where it is in no work tree. */
export type GitSeen = { readonly branch: string; readonly changed: number | null } | null

/** What there is to begin with, where there is no session yet. */
export interface Found {
  /** Where one would start, as it is shown, and its branch; null outside of repositories. */
  readonly place: string
  readonly branch: string | null
  /** The CLIs that are installed, in the user's order. */
  readonly clis: ReadonlyArray<{ readonly displayName: string; readonly version: string | null }>
  readonly missing: ReadonlyArray<{ readonly displayName: string; readonly hint: string }>
  /** How many conversations can be gone on with. */
  readonly earlier: number
}

/** What happens to the monitor. */
export type MonitorEvent =
  | Screen.ScreenEvent
  | { readonly _tag: "Fed"; readonly events: ReadonlyArray<FeedEvent>; readonly at: number }
  /** A session's screen as it is now; null where there is none to be had. */
  | { readonly _tag: "Screened"; readonly tag: string; readonly text: string | null }
  | { readonly _tag: "GitRead"; readonly directory: string; readonly git: GitSeen }
  /** What a session has changed, or why nobody can tell. */
  | { readonly _tag: "Compared"; readonly tag: string; readonly found: Changes | string }
  | { readonly _tag: "Said"; readonly text: string; readonly bad: boolean }
  | { readonly _tag: "Found"; readonly found: Found }

/** What a text in the editor is for. */
export type Purpose =
  | { readonly _tag: "Send"; readonly tags: ReadonlyArray<string> }
  | { readonly _tag: "Answer"; readonly tag: string; readonly question: Question | null }

/** A question of the monitor's own: a key chooses. */
export interface Choice {
  readonly key: string
  readonly label: string
  readonly command: MonitorCommand | null
}

/** What a session has changed, file by file. */
export interface ChangesMode {
  readonly _tag: "Changes"
  readonly tag: string
  /** The summary, or why there is none; null while it is looked. */
  readonly said: string | null
  readonly files: ReadonlyArray<PatchFile>
  /** The chosen file, the first row of its patch that is shown, and how far its lines are moved to the left. */
  readonly at: number
  readonly top: number
  readonly left: number
}

/** What the keys are for. */
export type Mode =
  | { readonly _tag: "List" }
  | { readonly _tag: "Filter" }
  | { readonly _tag: "Write"; readonly purpose: Purpose; readonly editor: Editor }
  /** The dialog of a session: one of its options is marked. */
  | { readonly _tag: "Answer"; readonly tag: string; readonly question: Question; readonly marked: number }
  | { readonly _tag: "Choose"; readonly question: string; readonly choices: ReadonlyArray<Choice> }
  | { readonly _tag: "Help"; readonly top: number }
  | ChangesMode

export const sortings = ["need", "tag", "recent"] as const
/** `need`: in groups, those that need the user first. `recent`: what changed last first. */
export type Sorting = (typeof sortings)[number]

/** A row of the list: a session, or the name of the group that follows. */
export type ListRow =
  | { readonly _tag: "Group"; readonly name: string; readonly count: number }
  | { readonly _tag: "Session"; readonly tag: string }

export interface MonitorState extends Screen.ScreenState {
  readonly now: number
  /** The user's home directory, shown as `~`. */
  readonly home: string
  readonly sessions: FeedSessions
  readonly fed: boolean
  readonly names: ReadonlyArray<string>
  /** What is listed; follows from the sessions, the filter and the sorting. */
  readonly list: ReadonlyArray<ListRow>
  readonly selected: string | null
  /** The first row of the list that is shown. */
  readonly top: number
  readonly query: Editor
  readonly sorting: Sorting
  readonly marked: ReadonlySet<string>
  readonly mode: Mode
  readonly details: boolean
  readonly screen: { readonly tag: string; readonly lines: ReadonlyArray<string> | null } | null
  readonly git: ReadonlyMap<string, GitSeen>
  /** Files that several sessions write at a time, by the sessions' tags. */
  readonly clashes: ReadonlyMap<string, ReadonlyArray<Clash>>
  /** One line about what was just done, until the next key. */
  readonly notice: { readonly text: string; readonly bad: boolean } | null
  /** Null until it was looked for. */
  readonly found: Found | null
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

/** The mode has the place of the list and of the details. */
export const takesAll = ({ mode }: MonitorState): boolean => mode._tag === "Help" || mode._tag === "Changes"

export const selectedOf = ({ selected, sessions }: MonitorState): FeedSession | null =>
  selected === null ? null : (sessions.get(selected) ?? null)

/** The sessions that an action is for: those that are marked, else the selected one. */
export const targetsOf = (state: MonitorState): ReadonlyArray<FeedSession> => {
  const tags =
    state.marked.size > 0
      ? state.names.filter((tag) => state.marked.has(tag))
      : [state.selected].filter((tag) => tag !== null)
  return tags.flatMap((tag) => state.sessions.get(tag) ?? [])
}

/** The sessions by name: the one, or how many. */
export const named = (tags: ReadonlyArray<string>): string =>
  tags.length === 1 ? (tags[0] ?? "") : `${tags.length} sessions`

/** Its CLI runs. */
export const runs = ({ status }: FeedSession): boolean => status.state !== "exited"

/** A crash, a reboot or the like ended it. */
export const cutOff = ({ status }: FeedSession): boolean => wasCutOff(status)

/** Messages of it failed, or wait for the user because of a failed turn. */
export const mayRetry = ({ status }: FeedSession): boolean =>
  actions.mayRetry({ ...status, waitsForWord: waitsForWord(status) })

/** The CLI shows a dialog, and its host can be told the answer. */
export const isAsking = ({ link, status }: FeedSession): boolean => link === "live" && mayAnswer(status)
