import type { RecordRow } from "./RecordRow.ts"

/** The rows to keep if there is no room for all: the ends of what was open before them, and the life's end. */
export const dropOldRows = (rows: ReadonlyArray<RecordRow>): ReadonlyArray<RecordRow> => {
  const ends = (end: "IntervalEnded" | "TurnEnded", begin: "Interval" | "Turn") => {
    const begun = new Set(rows.flatMap((row) => (row._tag === begin ? [row.n] : [])))
    // The last of repeated ends counts.
    return new Map(
      rows.flatMap((row) => (row._tag === end && !begun.has(row.n) ? [[row.n, row] as const] : []))
    ).values()
  }
  const kept = new Set<RecordRow | undefined>([
    ...ends("IntervalEnded", "Interval"),
    ...ends("TurnEnded", "Turn"),
    rows.find(({ _tag }) => _tag === "LifeEnded")
  ])
  return rows.filter((row) => kept.has(row))
}

export const sizeOf = (row: RecordRow): number => (row._tag === "Text" ? 200 + 2 * row.text.length : 200)
