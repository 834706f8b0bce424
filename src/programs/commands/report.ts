import { DateTime, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { daysIn } from "../../domain/engine/history/daysIn.ts"
import * as Report from "../../domain/engine/history/Report.ts"
import { lookBack, reportPage } from "../../domain/engine/history/recordPages.ts"
import { runningLives } from "../../domain/engine/history/recordTimes.ts"
import { Output } from "../../services/Output.ts"
import { RecordStore } from "../../services/RecordStore.ts"
import { allStatuses } from "../client/statuses.ts"
import { jsonFlag, print } from "./shared/common.ts"
import { sinceFlag, timeOf } from "./shared/recordQuery.ts"

export const report = Command.make(
  "report",
  {
    since: sinceFlag,
    by: Flag.Literals("by", ["tag", "cli", "day"]).pipe(
      Flag.withDescription("A line for each session's name, for each CLI, or for each day"),
      Flag.withDefault("tag" as const)
    ),
    json: jsonFlag
  },
  Effect.fn(function* ({ by, json, since }) {
    const output = yield* Output
    const { from, now } = yield* timeOf(since, lookBack.report)
    const { names, spans } =
      by === "day" ? daysIn(from, now, DateTime.zoneMakeLocal()) : { spans: [{ from, to: now }], names: [] }
    const source = yield* (yield* RecordStore).report(spans)
    const statuses = yield* allStatuses()
    const folded = Report.fold(source, { by, spans, names, now, runs: runningLives(statuses) })
    const shown = { by, colour: output.colour, now, since: spans[0]?.from ?? from, statuses }
    const { document, text } = reportPage(folded, shown)
    yield* print(json, document, text)
  })
).pipe(
  Command.withDescription("What your sessions did, how long they waited for you, and what it cost (of a week)"),
  Command.withShortDescription("What your sessions did in a week, and what it cost")
)
