import { readCommon } from "../../cli/provider/CommonScreen.ts"
import { matchRow, type RowPattern } from "../../words/reading/RowPattern.ts"
import {
  blankFacts,
  type CommonReading,
  type Dialog,
  type InputBox,
  type ScreenFacts,
  type ScreenView
} from "../../words/session/Screen.ts"
import { patternsOf, restingBox } from "../../store/settings/screenPatterns.ts"
import type { ScreenPatterns } from "../../store/settings/Settings.ts"

/** The rows from the bottom in which idle signs and dialogs count: above is conversation. Work may show anywhere. */
const reach = 24
/** The rows from the bottom in which the box may be: below it there are only status rows. */
const boxReach = 12
const draftRows = 30

interface Patterns {
  readonly box: ReadonlyArray<RowPattern>
  readonly busy: ReadonlyArray<RowPattern>
  readonly done: ReadonlyArray<RowPattern>
  readonly dialog: ReadonlyArray<RowPattern>
  readonly boxRests: boolean
}

/** Reads a screen by patterns, else by the common reading, whose box alone does not prove idleness. Total. */
export const patternReader = (given: ScreenPatterns): ((view: ScreenView) => ScreenFacts) => {
  const patterns: Patterns = {
    box: patternsOf(given, "box"),
    busy: patternsOf(given, "busy"),
    done: patternsOf(given, "done"),
    dialog: patternsOf(given, "dialog"),
    boxRests: given.done?.includes(restingBox) === true
  }
  return (view) => read(patterns, view)
}

const read = (patterns: Patterns, view: ScreenView): ScreenFacts => {
  const last = view.lines.findLastIndex((row) => row.trim() !== "")
  if (last < 0) return blankFacts
  const found = findBox(patterns, view, last)
  const common = readCommon(
    found === null ? view : { ...view, lines: view.lines.map((row, y) => (y > found.y ? row : "")) }
  )
  const asks = fitting(patterns.dialog, view, last)
  const dialog = asks === null ? common.dialog : askedIn(view, asks)
  const busy = patterns.busy.length === 0 ? null : fitting(patterns.busy, view, last, last)
  const working = dialog === null && (patterns.busy.length === 0 ? readWork(view, common) : busy !== null)
  const box = dialog === null ? (found?.box ?? common.box) : null
  const isDone = !working && box !== null && (patterns.boxRests || fitting(patterns.done, view, last) !== null)
  const isKnown = dialog === null ? found !== null || isDone : asks !== null
  return {
    ...blankFacts,
    blank: false,
    box,
    dialog,
    working,
    activity: working ? (busy?.trim().slice(0, 120) ?? null) : null,
    picker: dialog === null && box === null && common.ownsKeys,
    ...(patterns.done.length > 0 || patterns.boxRests ? { resting: isDone } : {}),
    ...(isKnown || (box === null && dialog === null) ? {} : { unknown: true })
  }
}

/** Work is looked for below the box, and in the screen's last rows wherever the box is: a sign may be above it. */
const readWork = (view: ScreenView, below: CommonReading): boolean => below.working || readCommon(view).working

/** The lowest row that matches a pattern, or the title; null: none. */
const fitting = (
  patterns: ReadonlyArray<RowPattern>,
  { lines, title }: ScreenView,
  last: number,
  rows = reach
): string | null => {
  for (const pattern of patterns) if (pattern.of === "title" && matchRow(pattern, title.trim()) !== null) return title
  for (let y = last; y >= Math.max(0, last - rows); y--) {
    const row = (lines[y] ?? "").trimEnd()
    if (row !== "" && patterns.some((pattern) => pattern.of === "row" && matchRow(pattern, row) !== null)) return row
  }
  return null
}

const edge = /^[\s│╭╮╰╯┌┐└┘├┤┃╹╻]*[─━═▀▄╌]{8,}/u
const borders = /[│┃║|▌▐█╎╏┆┇┊┋╹╻]/gu

const findBox = (
  { box: patterns, busy, dialog, done }: Patterns,
  view: ScreenView,
  last: number
): { readonly y: number; readonly box: InputBox } | null => {
  for (let y = last; y >= Math.max(0, last - boxReach); y--) {
    const row = (view.lines[y] ?? "").trimEnd()
    for (const pattern of row === "" ? [] : patterns) {
      const match = matchRow(pattern, row)
      if (match === null) continue
      if (match.draft === null) return { y, box: { draft: "" } }
      const { from, to } = match.draft
      const text = row.slice(from, to)
      if (text.trim() === "" || view.faint(y).slice(from, to).trimEnd() === text.trimEnd())
        return { y, box: { draft: "" } }
      const column = from + text.search(/\S/)
      const others = [...busy, ...done, ...dialog]
      const more: Array<string> = []
      // A program that lets the terminal wrap a row continues in the first column.
      const isFull = (above: number) => (view.lines[above] ?? "").trimEnd().length >= view.cols - 2
      for (let below = y + 1; below <= last && more.length < draftRows; below++) {
        const next = (view.lines[below] ?? "").trimEnd()
        const bare = next.replaceAll(borders, " ")
        const isOther = others.some((it) => it.of === "row" && matchRow(it, next) !== null)
        if (bare.trim() === "" || edge.test(next) || isOther || (bare.search(/\S/) < column && !isFull(below - 1)))
          break
        more.push(bare.trim())
      }
      return { y, box: { draft: [text.trim(), ...more].join("\n") } }
    }
  }
  return null
}

const askedIn = (view: ScreenView, row: string): Dialog =>
  readCommon(view).dialog ?? { kind: "other", title: row.trim().slice(0, 200), options: [] }
