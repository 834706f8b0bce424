import type { RecordRow } from "./RecordRow.ts"

/**
 * What is kept of rows for which there is no more room: the ends of what was open before the first of them, and the end
 * of the life.
 */
export const shed = (rows: ReadonlyArray<RecordRow>): ReadonlyArray<RecordRow> => {
  const first = (tag: RecordRow["_tag"]) => rows.find(({ _tag }) => _tag === tag)
  const kept = new Set([first("IntervalEnded"), first("TurnEnded"), first("LifeEnded")])
  return rows.filter((row) => kept.has(row))
}

/** How much room a row takes, roughly, in bytes. */
export const sizeOf = (row: RecordRow): number => (row._tag === "Text" ? 200 + 2 * row.text.length : 200)
