import type { TuiKey } from "../tui/Keys.ts"
import { layoutOf, type Size, window } from "../tui/Layout.ts"
import { edit } from "./Query.ts"
import {
  entriesOf,
  type PickEntry,
  type PickRow,
  type Preview,
  search,
  type Widest,
  widestOf,
  wordsOf
} from "./Rows.ts"

/** The picker's result: a row, or none. */
export interface Done {
  readonly picked: PickRow | null
}

/** Everything that decides what the picker shows. */
export interface PickerState {
  readonly entries: ReadonlyArray<PickEntry>
  readonly widest: Widest
  /** The CLIs among them, in the order of their ids. */
  readonly clis: ReadonlyArray<string>
  readonly query: string
  /** Only sessions of the directory that leap runs in. */
  readonly onlyHere: boolean
  /** The entries that match, in the order in which they are listed. */
  readonly matches: ReadonlyArray<PickEntry>
  /** The index of the selected one among them; 0 if there are none. */
  readonly selected: number
  /** The index of the first one on the screen. */
  readonly top: number
  readonly size: Size
  /** The last exchanges that are known, by the entries' keys; null: none was found. */
  readonly previews: ReadonlyMap<string, Preview | null>
  /** How often the user asked to redraw the screen. */
  readonly redraws: number
  readonly done: Done | null
}

/** A picker of these rows. */
export const start = (options: {
  readonly rows: ReadonlyArray<PickRow>
  readonly home: string
  readonly cwd: string
  readonly size: Size
}): PickerState => {
  const entries = entriesOf(options.rows, options.home, options.cwd)
  return {
    entries,
    matches: entries,
    widest: widestOf(entries),
    clis: [...new Set(entries.map(({ row }) => row.cli))].sort(),
    query: "",
    onlyHere: false,
    selected: 0,
    top: 0,
    size: options.size,
    previews: new Map(),
    redraws: 0,
    done: null
  }
}

/** The selected entry, if there is any. */
export const selectedOf = (state: PickerState): PickEntry | null => state.matches[state.selected] ?? null

/** Keeps the selection among the matches, and on the screen. */
const settled = (state: PickerState): PickerState => {
  const count = state.matches.length
  const height = Math.max(1, window(count, layoutOf(state.size).list.rows))
  const selected = Math.min(Math.max(0, state.selected), Math.max(0, count - 1))
  const top = Math.max(0, Math.min(Math.max(state.top, selected - height + 1), selected, count - height))
  return selected === state.selected && top === state.top ? state : { ...state, selected, top }
}

const matchesOf = (state: PickerState): ReadonlyArray<PickEntry> =>
  search(state.onlyHere ? state.entries.filter(({ here }) => here) : state.entries, wordsOf(state.query))

const move = (state: PickerState, to: number): PickerState => settled({ ...state, selected: to })

/** Up and down wrap around; pages and ends do not. */
const moves: Partial<Record<TuiKey["key"], (state: PickerState, page: number) => number>> = {
  up: ({ selected, matches }) => (selected === 0 ? matches.length - 1 : selected - 1),
  down: ({ selected, matches }) => (selected >= matches.length - 1 ? 0 : selected + 1),
  "page-up": ({ selected }, page) => selected - page,
  "page-down": ({ selected }, page) => selected + page,
  home: () => 0,
  end: ({ matches }) => matches.length - 1
}

/** The picker after a key; once it is done nothing changes any more. */
export const update = (state: PickerState, key: TuiKey): PickerState => {
  if (state.done !== null) return state
  const query = edit(state.query, key)
  if (query !== null) return searched(state, query)
  const target = moves[key.key]
  if (target !== undefined)
    return move(state, target(state, Math.max(1, window(state.matches.length, layoutOf(state.size).list.rows))))
  switch (key.key) {
    case "enter": {
      const entry = selectedOf(state)
      return entry === null ? state : { ...state, done: { picked: entry.row } }
    }
    case "escape":
      return state.query === "" ? { ...state, done: { picked: null } } : searched(state, "")
    case "cancel":
      return { ...state, done: { picked: null } }
    case "tab": {
      const before = selectedOf(state)
      const next = { ...state, onlyHere: !state.onlyHere }
      const matches = matchesOf(next)
      return settled({ ...next, matches, selected: before === null ? 0 : Math.max(0, matches.indexOf(before)) })
    }
    case "redraw":
      return { ...state, redraws: state.redraws + 1 }
    default:
      return state
  }
}

/** Selects the best match of a new query; an unchanged query changes nothing. */
const searched = (state: PickerState, query: string): PickerState => {
  if (query === state.query) return state
  const next = { ...state, query }
  return settled({ ...next, matches: matchesOf(next), selected: 0, top: 0 })
}

/** The picker in a terminal of another size. */
export const resized = (state: PickerState, size: Size): PickerState => settled({ ...state, size })

/** How much of a message is kept: what the largest terminal would show. */
const messageLimit = 8192
const truncated = (text: string | null): string | null => (text === null ? null : text.slice(0, messageLimit))

/** The picker with an entry's last exchange. */
export const previewed = (state: PickerState, key: string, preview: Preview | null): PickerState => ({
  ...state,
  previews: new Map(state.previews).set(
    key,
    preview === null ? null : { lastUser: truncated(preview.lastUser), lastAssistant: truncated(preview.lastAssistant) }
  )
})

/** The entry whose last exchange is to be shown and is not known yet. */
export const wantsPreview = (state: PickerState): PickEntry | null => {
  const entry = selectedOf(state)
  return entry === null || state.previews.has(entry.key) || layoutOf(state.size).preview === null ? null : entry
}
