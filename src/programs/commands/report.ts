import { DateTime, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { daysIn } from "../../domain/record/daysIn.ts"
import * as Report from "../../domain/record/Report.ts"
import { reportText } from "../../domain/record/reportText.ts"
import { Output } from "../../services/Output.ts"
import { RecordStore } from "../../services/RecordStore.ts"
import { jsonFlag, print } from "./common.ts"
import { isoTime, runningLives, sinceFlag, timeOf } from "./recordQuery.ts"

const week = 7 * 86_400_000

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
    const { from, now } = yield* timeOf(since, week)
    const { names, spans } =
      by === "day" ? daysIn(from, now, DateTime.zoneMakeLocal()) : { spans: [{ from, to: now }], names: [] }
    const source = yield* (yield* RecordStore).report(spans)
    const folded = Report.fold(source, { by, spans, names, now, runs: yield* runningLives })
    yield* print(json, { schema: 1, since: isoTime(spans[0]?.from ?? from), until: isoTime(now), by, ...folded }, () =>
      folded.rows.length === 0
        ? "nothing is recorded of this time: --since reaches further back (--since 30d)"
        : reportText(folded, by, output.colour)
    )
  })
).pipe(Command.withDescription("What your sessions did, how long they waited for you, and what it cost (of a week)"))
