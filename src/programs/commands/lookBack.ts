import { Clock, DateTime, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { sinceTime } from "../../domain/words/arguments/since.ts"
import { daysIn } from "../../domain/engine/history/daysIn.ts"
import { foundPage, logLength, logPage, lookBack, reportPage } from "../../domain/engine/history/recordPages.ts"
import { searchQuery } from "../../domain/engine/history/searchQuery.ts"
import { Output } from "../../services/Output.ts"
import { RecordStore } from "../../services/RecordStore.ts"
import { allStatuses } from "../client/statuses.ts"
import { fail } from "../exit.ts"
import { jsonFlag, optionalTag, print, textFlag } from "./shared/common.ts"

const sinceFlag = textFlag("since", "From then on: so long ago (90m, 12h, 3d, 2w), or a date (2026-11-23)")

const timeOf = Effect.fnUntraced(function* (since: Option.Option<string>, otherwise: number) {
  const now = yield* Clock.currentTimeMillis
  if (Option.isNone(since)) return { from: now - otherwise, now }
  const from = sinceTime(since.value, now)
  if (from === null)
    return yield* fail(
      "usage",
      `--since: '${since.value}' will not do: so long ago (90m, 12h, 3d, 2w), or a date (2026-11-23)`
    )
  return { from, now }
})

export const log = Command.make(
  "log",
  {
    tag: optionalTag("Only this session; also one that is forgotten"),
    since: sinceFlag,
    last: Flag.Int("last").pipe(
      Flag.withDescription(`Only the last N lines (${logLength.usual})`),
      Flag.filter(
        (count) => count > 0 && count <= logLength.most,
        () => `expected a number from 1 to ${logLength.most}`
      ),
      Flag.withDefault(logLength.usual)
    ),
    search: textFlag("search", "Messages, prompts and answers with all of these words, of all time"),
    json: jsonFlag
  },
  Effect.fn(function* ({ json, last, search, since, tag }) {
    const { colour } = yield* Output
    const store = yield* RecordStore
    const { from } = yield* timeOf(since, Option.isSome(search) ? lookBack.search : lookBack.log)
    const query = { tag: Option.getOrNull(tag), from, limit: last }
    if (Option.isNone(search)) {
      const { document, text } = logPage(yield* store.log(query), query, yield* allStatuses(), colour)
      return yield* print(json, document, text)
    }
    const words = searchQuery(search.value)
    if (words === null) return yield* fail("usage", "--search: there is no word in it to search for")
    const { document, text } = foundPage(yield* store.search(query, words))
    yield* print(json, document, text)
  })
).pipe(Command.withDescription("What happened in a session, or in all, line by line (of a day); what was said"))

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
    const { colour } = yield* Output
    const { from, now } = yield* timeOf(since, lookBack.report)
    const { names, spans } =
      by === "day" ? daysIn(from, now, DateTime.zoneMakeLocal()) : { spans: [{ from, to: now }], names: [] }
    const source = yield* (yield* RecordStore).report(spans)
    const statuses = yield* allStatuses()
    const { document, text } = reportPage(source, { by, spans, names, now, statuses, colour })
    yield* print(json, document, text)
  })
).pipe(
  Command.withDescription("What your sessions did, how long they waited for you, and what it cost (of a week)"),
  Command.withShortDescription("What your sessions did in a week, and what it cost")
)
