import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type LogEntry, logEntries } from "../../domain/record/LogEntry.ts"
import { logLines } from "../../domain/record/logLine.ts"
import { searchQuery } from "../../domain/record/searchQuery.ts"
import { Tag } from "../../domain/session/Tag.ts"
import { oneLine } from "../../domain/text/printable.ts"
import { Output } from "../../services/Output.ts"
import { type RecordQuery, RecordStore } from "../../services/RecordStore.ts"
import { fail } from "../exit.ts"
import { jsonFlag, print } from "./common.ts"
import { isoTime, localTime, runningLives, sinceFlag, timeOf } from "./recordQuery.ts"

const day = 86_400_000
/** Of a search all that is recorded. */
const ever = 3_650 * day

/** What was said about something, the newest last. */
const found = Effect.fnUntraced(function* (query: RecordQuery, given: string, json: boolean) {
  const words = searchQuery(given)
  if (words === null) return yield* fail("usage", "--search: there is no word in it to search for")
  const texts = [...(yield* (yield* RecordStore).search(query, words))].reverse()
  yield* print(json, { schema: 1, found: texts.map(({ at, ...text }) => ({ at: isoTime(at), ...text })) }, () =>
    texts.length === 0
      ? "nothing is recorded with these words"
      : texts
          .map(({ at, excerpt, kind, tag }) => `${localTime(at)}  ${tag}  ${kind}: ${oneLine(excerpt, 300)}`)
          .join("\n")
  )
})

/** With its times as ISO 8601. */
const inIso = (entry: LogEntry) => ({
  ...entry,
  at: isoTime(entry.at),
  ...("until" in entry ? { until: entry.until === null ? null : isoTime(entry.until) } : {})
})

export const log = Command.make(
  "log",
  {
    tag: Argument.String("tag").pipe(
      Argument.withDescription("Only this session; also one that is forgotten"),
      Argument.withSchema(Tag),
      Argument.optional
    ),
    since: sinceFlag,
    last: Flag.Int("last").pipe(
      Flag.withDescription("Only the last N lines (200)"),
      Flag.filter(
        (count) => count > 0 && count <= 100_000,
        () => "expected a number from 1 to 100000"
      ),
      Flag.withDefault(200)
    ),
    search: Flag.String("search").pipe(
      Flag.withDescription("Messages, prompts and answers with all of these words, of all time"),
      Flag.optional
    ),
    json: jsonFlag
  },
  Effect.fn(function* ({ json, last, search, since, tag }) {
    const output = yield* Output
    const { from } = yield* timeOf(since, Option.isSome(search) ? ever : day)
    const query = { tag: Option.getOrNull(tag), from, limit: last }
    if (Option.isSome(search)) return yield* found(query, search.value, json)
    const source = yield* (yield* RecordStore).log(query)
    const entries = logEntries(source, from, yield* runningLives).slice(-last)
    yield* print(json, { schema: 1, entries: entries.map(inIso) }, () =>
      entries.length === 0
        ? "nothing is recorded of this time: --since reaches further back (--since 7d)"
        : logLines(entries, localTime, output.colour).join("\n")
    )
  })
).pipe(Command.withDescription("What happened in a session, or in all, line by line (of a day); what was said"))
