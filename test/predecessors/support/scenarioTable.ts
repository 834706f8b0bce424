import { assert, it } from "@effect/vitest"
import { Effect } from "effect"

/** One row of the predecessor's tables, by its id there, and what shows that leap does as it says. */
export interface ScenarioRow {
  readonly id: string
  /** What the row asks for, in leap's words. */
  readonly says: string
  /** Where leap answers differently on purpose: what, and why. The check then covers the rest. */
  readonly differs?: string
  readonly check: () => void | Effect.Effect<void, unknown>
}

/** Rows that nothing in leap answers to, with the reason. */
export interface ListedRows {
  readonly ids: ReadonlyArray<string>
  readonly why: string
}

/** `numbered("A", 3)` is. */
export const numbered = (prefix: string, last: number, first = 1, digits = 2): ReadonlyArray<string> =>
  Array.from({ length: last - first + 1 }, (_, i) => `${prefix}-${String(first + i).padStart(digits, "0")}`)

/**
 * Runs a table, and holds it against the ids that it has to account for: each exactly once, as a row or in the list.
 */
export const scenarios = (
  ids: ReadonlyArray<string>,
  rows: ReadonlyArray<ScenarioRow>,
  listed: ReadonlyArray<ListedRows>
): void => {
  it("accounts for every row, once", () => {
    const said = [...rows.map((row) => row.id), ...listed.flatMap((list) => list.ids)]
    assert.deepStrictEqual(said.toSorted(), [...ids].toSorted())
    for (const why of [...rows.flatMap((row) => row.differs ?? []), ...listed.map((list) => list.why)])
      assert.match(why, /\S+ \S+ \S+/)
  })
  for (const { check, differs, id, says } of rows) {
    it.effect(`${id} ${says}${differs === undefined ? "" : " (in part)"}`, () =>
      Effect.suspend(() => check() ?? Effect.void)
    )
  }
}
