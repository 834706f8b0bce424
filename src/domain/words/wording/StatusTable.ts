import type { SessionStatus } from "../session/Session.ts"
import { naturalOrder } from "../text/naturalOrder.ts"
import { columnsOf, keepEnd, keepStart } from "../text/columns.ts"
import { oneLine } from "../text/printable.ts"
import { paint, stateIn, stateLine, table } from "./StateLine.ts"
import { contextShort, costText } from "./Format.ts"

export interface TableOptions {
  readonly colour: boolean
  /** The terminal's width in columns; null where the length of a line is not limited. */
  readonly columns: number | null
  /** The user's own directory, which is shown as `~`; none where it is not known. */
  readonly home?: string
}

interface Column {
  readonly name: string
  readonly cell: (session: SessionStatus) => string
  /** Whether a session has something in it; without, where its text is not empty. */
  readonly isFilled?: (session: SessionStatus) => boolean
}

/** Most and fewest columns of a directory; its end tells more than its beginning. */
const directoryMost = 50
const directoryLeast = 20

const directory = (cwd: string, home: string | undefined, limit: number): string => {
  const short =
    home !== undefined && home !== "" && `${cwd}/`.startsWith(`${home}/`) ? `~${cwd.slice(home.length)}` : cwd
  return keepEnd(oneLine(short, Infinity), limit)
}

/** The fewest columns that a tag is cut to. */
const tagLeast = 12

const always = (home: string | undefined, limit: number, tagMost: number): ReadonlyArray<Column> => [
  { name: "TAG", cell: ({ tag }) => keepStart(tag, tagMost) },
  { name: "CLI", cell: ({ cli }) => cli },
  { name: "DIRECTORY", cell: ({ cwd }) => directory(cwd, home, limit) }
]

/** Of a branch's name no more is shown. */
const branchMost = 24

/** Columns that are shown when a session has a value and there is room, the first before the second. */
const figures: ReadonlyArray<Column> = [
  { name: "CONTEXT", cell: contextShort, isFilled: ({ context }) => context !== null },
  { name: "COST", cell: ({ cost }) => costText(cost) },
  { name: "BRANCH", cell: ({ branch }) => keepStart(oneLine(branch ?? "", Infinity), branchMost) }
]

/** The least width of the state's column. */
const stateRoom = 20

/**
 * All sessions by tag, one a line of the terminal: tag, CLI, directory, context and cost where they are known and fit,
 * and as much of the state as there is room for.
 */
export const statusTable = (
  unordered: ReadonlyArray<SessionStatus>,
  { colour, columns, home }: TableOptions
): string => {
  if (unordered.length === 0) return "no sessions; 'leap <tag>' starts one"
  const sessions = unordered.toSorted((a, b) => naturalOrder(a.tag, b.tag))
  const width = ({ cell, name }: Column): number =>
    Math.max(columnsOf(name), ...sessions.map((session) => columnsOf(cell(session)))) + 2
  const [, cli] = always(home, directoryMost, Infinity)
  const beside = width(cli!) + directoryLeast + 2 + stateRoom + 2
  const tagMost = columns === null ? Infinity : Math.max(tagLeast, columns - beside)
  const [tag] = always(home, directoryMost, tagMost)
  const most = columns === null ? Infinity : directoryMost
  const room = columns === null ? most : columns - width(tag!) - width(cli!) - 2 - stateRoom
  const columnsShown = [...always(home, Math.min(most, Math.max(directoryLeast, room)), tagMost)]
  let left =
    columns === null ? Infinity : columns - stateRoom - columnsShown.reduce((sum, column) => sum + width(column), 0)
  for (const column of figures) {
    if (!sessions.some((session) => column.isFilled?.(session) ?? column.cell(session) !== "")) continue
    left -= width(column)
    if (left < 0) break
    columnsShown.push(column)
  }
  const used = columnsShown.reduce((sum, column) => sum + width(column), 0)
  const stateCell = (session: SessionStatus): string =>
    columns === null
      ? stateLine(session, colour, { whole: true })
      : stateIn(session, colour, Math.max(stateRoom, columns - used))
  const [head = "", ...rows] = table([
    [...columnsShown.map(({ name }) => name), "STATE"],
    ...sessions.map((session) => [...columnsShown.map(({ cell }) => cell(session)), stateCell(session)])
  ]).split("\n")
  return [paint(head, 1, colour), ...rows].join("\n")
}
