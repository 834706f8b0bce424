import * as Editor from "../tui/Editor.ts"
import { bareOf, type Key } from "../tui/Keys.ts"
import { layoutOf, type Size, window } from "../tui/Layout.ts"
import { placeAfter, stepOf } from "../tui/List.ts"
import { redrawn, type ScreenEvent, type ScreenState, type Updated } from "../tui/Screen.ts"
import * as Rows from "./Rows.ts"

export interface PickerState extends ScreenState {
  readonly entries: ReadonlyArray<Rows.PickEntry>
  readonly widest: Rows.Widest
  readonly clis: ReadonlyArray<string>
  readonly query: Editor.Editor
  /** Only sessions of the directory that leap runs in. */
  readonly onlyHere: boolean
  readonly matches: ReadonlyArray<Rows.PickEntry>
  readonly selected: number
  readonly top: number
  /** The known last exchanges by the entries' keys; null: none was found. */
  readonly previews: ReadonlyMap<string, Rows.Preview | null>
  readonly picked: Rows.PickRow | null
}

export const start = (options: {
  readonly rows: ReadonlyArray<Rows.PickRow>
  readonly home: string
  readonly cwd: string
  readonly size: Size
}): PickerState => {
  const entries = Rows.entriesOf(options.rows, options.home, options.cwd)
  return {
    entries,
    matches: entries,
    widest: Rows.widestOf(entries),
    clis: [...new Set(entries.map(({ row }) => row.cli))].sort(),
    query: Editor.empty,
    onlyHere: false,
    selected: 0,
    top: 0,
    size: options.size,
    previews: new Map(),
    redraws: 0,
    left: false,
    picked: null
  }
}

export const selectedOf = (state: PickerState): Rows.PickEntry | null => state.matches[state.selected] ?? null

const withSelectionInView = (state: PickerState): PickerState => {
  const count = state.matches.length
  const height = Math.max(1, window(count, layoutOf(state.size).list.rows))
  const selected = Math.min(Math.max(0, state.selected), Math.max(0, count - 1))
  const top = Math.max(0, Math.min(Math.max(state.top, selected - height + 1), selected, count - height))
  return selected === state.selected && top === state.top ? state : { ...state, selected, top }
}

const matchesOf = (state: PickerState): ReadonlyArray<Rows.PickEntry> =>
  Rows.search(state.onlyHere ? state.entries.filter(({ here }) => here) : state.entries, Rows.wordsOf(state.query.text))

/** Keys that move in the list; in texts elsewhere they cut and break lines. */
const moves: Readonly<Record<string, number>> = { "ctrl+k": -1, "ctrl+j": 1 }

const left = (state: PickerState, picked: Rows.PickRow | null): PickerState => ({ ...state, left: true, picked })

export const update = (state: PickerState, key: Key): PickerState => {
  if (state.left) return state
  const count = state.matches.length
  // Ctrl+J moves down as in other pickers; so the line breaks of a paste without brackets pick nothing.
  const by = moves[key.key] ?? stepOf(key, Math.max(1, window(count, layoutOf(state.size).list.rows)))
  // Up and down wrap around; pages and ends do not.
  if (by !== null) return withSelectionInView({ ...state, selected: placeAfter(state.selected, by, count, true) })
  switch (bareOf(key)) {
    case "enter": {
      const entry = selectedOf(state)
      return entry === null ? state : left(state, entry.row)
    }
    case "escape":
      return Editor.isEmpty(state.query) ? left(state, null) : searched(state, Editor.empty)
    case "ctrl+c":
    case "ctrl+d":
      return left(state, null)
    case "tab": {
      const before = selectedOf(state)
      const next = { ...state, onlyHere: !state.onlyHere }
      const matches = matchesOf(next)
      return withSelectionInView({
        ...next,
        matches,
        selected: before === null ? 0 : Math.max(0, matches.indexOf(before))
      })
    }
    case "ctrl+l":
      return redrawn(state)
    default:
      return searched(state, Editor.pressLine(state.query, key) ?? state.query)
  }
}

const searched = (state: PickerState, query: Editor.Editor): PickerState => {
  const next = { ...state, query }
  if (query.text === state.query.text) return next
  return withSelectionInView({ ...next, matches: matchesOf(next), selected: 0, top: 0 })
}

export const resized = (state: PickerState, size: Size): PickerState => withSelectionInView({ ...state, size })

/** The most characters of a message that are kept: enough for the largest terminal. */
const messageLimit = 8192
const truncated = (text: string | null): string | null => (text === null ? null : text.slice(0, messageLimit))

export const previewed = (state: PickerState, key: string, preview: Rows.Preview | null): PickerState => ({
  ...state,
  previews: new Map(state.previews).set(
    key,
    preview === null ? null : { lastUser: truncated(preview.lastUser), lastAssistant: truncated(preview.lastAssistant) }
  )
})

/** The selected entry, if its last exchange is to be shown and is not known yet. */
export const wantsPreview = (state: PickerState): Rows.PickEntry | null => {
  const entry = selectedOf(state)
  return entry === null || state.previews.has(entry.key) || layoutOf(state.size).preview === null ? null : entry
}

export type PickerEvent =
  | ScreenEvent
  | { readonly _tag: "Previewed"; readonly key: string; readonly preview: Rows.Preview | null }

export const take = (state: PickerState, event: PickerEvent): Updated<PickerState, never> => {
  switch (event._tag) {
    case "Pressed":
      return { state: update(state, event.key), commands: [] }
    case "Resized":
      return { state: resized(state, event.size), commands: [] }
    case "Previewed":
      return { state: previewed(state, event.key, event.preview), commands: [] }
    case "TimePassed":
      return { state, commands: [] }
  }
}
