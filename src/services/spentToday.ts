import { Clock, DateTime, Effect } from "effect"
import { type Spent, spentIn } from "../domain/cli/usage/Budget.ts"
import { sizeOf } from "../domain/cli/usage/UsageReader.ts"
import { dayAround } from "../domain/engine/history/daysIn.ts"
import type { LifeSeen } from "../domain/engine/history/Report.ts"
import { RecordStore } from "./RecordStore.ts"

/** What sessions and headless runs have spent today, by the record; `counts`: whose. `until`: the day's end. */
export const spentToday = Effect.fnUntraced(function* (counts: (life: Pick<LifeSeen, "since" | "tag">) => boolean) {
  const day = dayAround(yield* Clock.currentTimeMillis, DateTime.zoneMakeLocal())
  const { lives, usage } = yield* (yield* RecordStore).report([day])
  const ids = new Set(lives.filter(counts).map(({ id }) => id))
  const parts = usage.flatMap(({ floor = false, life, usd, ...tokens }): ReadonlyArray<Spent> =>
    ids.has(life) ? [{ tokens: sizeOf(tokens), usd: usd ?? 0, floor }] : []
  )
  return { spent: spentIn(parts), until: day.to }
})
