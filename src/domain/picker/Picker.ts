import type { Key } from "./Keys.ts"
import { layoutOf, type Size, window } from "./Layout.ts"
import { edit } from "./Query.ts"
import { entriesOf, type Entry, type PickRow, type Preview, search, type Widest, widestOf, wordsOf } from "./Rows.ts"

/** How the picker ended: with a row, or none. */
export interface Done {
  readonly picked: PickRow | null
}

/** Everything that decides what the picker shows. */
export interface PickerState {
  readonly entries: ReadonlyArray<Entry>
  readonly widest: Widest
  /** The CLIs among them, in the order of their ids. */
  readonly clis: ReadonlyArray<string>
  readonly query: string
  /** Only sessions of the directory that leap runs in. */
  readonly onlyHere: boolean
  /** The entries that match, in the order in which they are listed. */
  readonly shown: ReadonlyArray<Entry>
  /** The selected one's place among them; 0 when there are none. */
  readonly selected: number
  /** The first one that is on the screen. */
  readonly top: number
  readonly size: Size
  /** What is known of the last exchanges, by the entries' keys; null: nothing could be found out. */
  readonly previews: ReadonlyMap<string, Preview | null>
  /** How often the user asked to have the screen drawn anew. */
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
    entries, shown: entries, widest: widestOf(entries), clis: [...new Set(entries.map(({ row }) => row.cli))].sort(), query: "", onlyHere: false, selected: 0, top: 0, size: options.size, previews: new Map(), redraws: 0, done: null
  }
}

/** The selected entry, if there is any. */
export const selectedOf = (state: PickerState): Entry | null => state.shown[state.selected] ?? null

/** The selection is one of those shown, and on the screen. */
const settled = (state: PickerState): PickerState => {
  const count = state.shown.length
  const height = Math.max(1, window(count, layoutOf(state.size).list.rows))
  const selected = Math.min(Math.max(0, state.selected), Math.max(0, count - 1))
  const top = Math.max(0, Math.min(Math.max(state.top, selected - height + 1), selected, count - height))
  return selected === state.selected && top === state.top ? state : { ...state, selected, top }
}

const found = (state: PickerState): ReadonlyArray<Entry> =>
  search(state.onlyHere ? state.entries.filter(({ here }) => here) : state.entries, wordsOf(state.query))

const move = (state: PickerState, to: number): PickerState => settled({ ...state, selected: to })

/** Up and down go on at the other end; pages and ends do not. */
const moves: Partial<Record<Key["key"], (state: PickerState, page: number) => number>> = {
  up: ({ selected, shown }) => selected === 0 ? shown.length - 1 : selected - 1,
  down: ({ selected, shown }) => selected >= shown.length - 1 ? 0 : selected + 1,
  "page-up": ({ selected }, page) => selected - page,
  "page-down": ({ selected }, page) => selected + page,
  home: () => 0,
  end: ({ shown }) => shown.length - 1
}

/** The picker after a key; nothing changes any more once it is done. */
export const update = (state: PickerState, key: Key): PickerState => {
  if (state.done !== null) return state
  const query = edit(state.query, key)
  if (query !== null) return searched(state, query)
  const target = moves[key.key]
  if (target !== undefined) return move(state, target(state, Math.max(1, window(state.shown.length, layoutOf(state.size).list.rows))))
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
      const shown = found(next)
      return settled({ ...next, shown, selected: before === null ? 0 : Math.max(0, shown.indexOf(before)) })
    }
    case "redraw":
      return { ...state, redraws: state.redraws + 1 }
    default:
      return state
  }
}

/** A new query has its best match selected; one that stayed the same changes nothing. */
const searched = (state: PickerState, query: string): PickerState => {
  if (query === state.query) return state
  const next = { ...state, query }
  return settled({ ...next, shown: found(next), selected: 0, top: 0 })
}

/** The picker in a terminal of another size. */
export const resized = (state: PickerState, size: Size): PickerState => settled({ ...state, size })

/** Of a message no more is kept than the largest of terminals would show. */
const messageLimit = 8192
const begun = (text: string | null): string | null => text === null ? null : text.slice(0, messageLimit)

/** The picker that knows an entry's last exchange. */
export const previewed = (state: PickerState, key: string, preview: Preview | null): PickerState => ({
  ...state,
  previews: new Map(state.previews).set(
    key,
    preview === null ? null : { lastUser: begun(preview.lastUser), lastAssistant: begun(preview.lastAssistant) }
  )
})

/** The entry whose last exchange would be shown and is not known yet. */
export const wantsPreview = (state: PickerState): Entry | null => {
  const entry = selectedOf(state)
  return entry === null || state.previews.has(entry.key) || layoutOf(state.size).preview === null ? null : entry
}
