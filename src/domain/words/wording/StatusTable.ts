import type { SessionStatus } from "../session/Session.ts"
import { naturalOrder } from "../text/naturalOrder.ts"
import { columnsOf, keepEnd, keepStart } from "../text/columns.ts"
import { oneLine } from "../text/printable.ts"
import { paint, stateIn, stateLine, table } from "./StateLine.ts"
import { contextShort, costText } from "./Format.ts"

export interface TableOptions {
  readonly colour: boolean
  /** The terminal's width in columns; null for no limit. */
  readonly columns: number | null
  /** The user's home directory, shown as `~`; absent if unknown. */
  readonly home?: string
}

interface Column {
  readonly name: string
  readonly cell: (session: SessionStatus) => string
  /** Whether the column has a value for this session; by default, whether its text is not empty. */
  readonly isFilled?: (session: SessionStatus) => boolean
}

/** Most and fewest columns of a directory. Its end is kept: it says more than its beginning. */
const directoryMost = 50
const directoryLeast = 20

const directory = (cwd: string, home: string | undefined, limit: number): string => {
  const short =
    home !== undefined && home !== "" && `${cwd}/`.startsWith(`${home}/`) ? `~${cwd.slice(home.length)}` : cwd
  return keepEnd(oneLine(short, Infinity), limit)
}

const tagLeast = 12

const always = (home: string | undefined, limit: number, tagMost: number): ReadonlyArray<Column> => [
  { name: "TAG", cell: ({ tag }) => keepStart(tag, tagMost) },
  { name: "CLI", cell: ({ cli }) => cli },
  { name: "DIRECTORY", cell: ({ cwd }) => directory(cwd, home, limit) }
]

const branchMost = 24

/** Columns that are shown if a session has a value and there is room; earlier ones have precedence. */
const figures: ReadonlyArray<Column> = [
  { name: "CONTEXT", cell: contextShort, isFilled: ({ context }) => context !== null },
  { name: "COST", cell: ({ cost }) => costText(cost) },
  { name: "BRANCH", cell: ({ branch }) => keepStart(oneLine(branch ?? "", Infinity), branchMost) }
]

const stateRoom = 20

/** All sessions by tag, one per terminal line, with the figures and as much of the state as fit. */
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
