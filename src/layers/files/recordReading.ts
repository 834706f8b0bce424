import type { Effect } from "effect"
import { nothingSpent } from "../../domain/cli/usage/Budget.ts"
import type { RecordedCourse } from "../../domain/engine/history/RecordedCourse.ts"
import type { RecordedLife } from "../../domain/engine/history/RecordedLife.ts"
import type { RecordStore, Said } from "../../services/RecordStore.ts"
import type { StoreError } from "../../services/StoreError.ts"
import { newer, onDisk } from "./recordDatabase.ts"
import { afterIn, courseIn, foundIn, logIn, reportIn, saidIn, spentIn, nothing, selectRecord } from "./recordReader.ts"
import type { Select } from "./select.ts"

type Reading = Pick<RecordStore["Service"], "after" | "course" | "log" | "report" | "said" | "search" | "spent">

/** The readers of a record, which is empty if there is none. */
export const readersOf = (file: string): Reading => {
  const reading = <A>(otherwise: A, run: (select: Select) => NoInfer<A>): Effect.Effect<A, StoreError> =>
    onDisk(file, () => {
      const found = selectRecord(file, otherwise, run)
      if ("later" in found) throw newer(file, found.later)
      return found.value
    })
  const noCourse: RecordedCourse = { intervals: [], usage: [] }
  const noLives: ReadonlyArray<RecordedLife> = []
  return {
    report: (spans) => reading(nothing.report, (select) => reportIn(select, spans)),
    spent: (span) => reading(nothingSpent, (select) => spentIn(select, span)[0] ?? nothingSpent),
    course: (from) => reading(noCourse, (select) => courseIn(select, from)),
    log: (query) => reading(nothing.log, (select) => logIn(select, query)),
    said: (query) => reading<ReadonlyArray<Said>>([], (select) => saidIn(select, query)),
    after: (from, known) => reading(noLives, (select) => afterIn(select, from, known)),
    search: (query, words) => reading(nothing.search, (select) => foundIn(select, query, words))
  }
}
