import type { SessionStatus } from "./Session.ts"
import { oneLine, paint, stateLine, table } from "./StateLine.ts"
import { contextShort, costText } from "./usage/Format.ts"

export interface TableOptions {
  readonly colour: boolean
  /** Columns of the terminal it is for; null where nothing limits a line. */
  readonly columns: number | null
}

interface Column {
  readonly name: string
  readonly cell: (session: SessionStatus) => string
}

const always: ReadonlyArray<Column> = [
  { name: "TAG", cell: ({ tag }) => tag },
  { name: "CLI", cell: ({ cli }) => cli },
  { name: "DIRECTORY", cell: ({ cwd }) => oneLine(cwd, 50) }
]

/** Shown when any session has one and there is room for it, the first before the second. */
const figures: ReadonlyArray<Column> = [
  { name: "CONTEXT", cell: ({ context }) => contextShort(context) },
  { name: "COST", cell: ({ cost }) => costText(cost) }
]

/** What a session does has at least this room. */
const stateRoom = 20

const length = (text: string): number => [...text].length

/** All sessions, one a line: name, CLI, directory, what they use where it is known and fits, and what they do. */
export const statusTable = (sessions: ReadonlyArray<SessionStatus>, { colour, columns }: TableOptions): string => {
  if (sessions.length === 0) return "no sessions; 'leap <tag>' starts one"
  const width = ({ cell, name }: Column): number => Math.max(length(name), ...sessions.map((session) => length(cell(session)))) + 2
  const shown = [...always]
  let left = columns === null ? Infinity : columns - stateRoom - always.reduce((sum, column) => sum + width(column), 0)
  for (const column of figures) {
    if (!sessions.some((session) => column.cell(session) !== "")) continue
    left -= width(column)
    if (left < 0) break
    shown.push(column)
  }
  const [head = "", ...rows] = table([
    [...shown.map(({ name }) => name), "STATE"],
    ...sessions.map((session) => [...shown.map(({ cell }) => cell(session)), stateLine(session, colour)])
  ]).split("\n")
  return [paint(head, 1, colour), ...rows].join("\n")
}
