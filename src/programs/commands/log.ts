import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { logEntries } from "../../domain/engine/history/LogEntry.ts"
import { foundPage, logLength, logPage, lookBack } from "../../domain/engine/history/recordPages.ts"
import { runningLives } from "../../domain/engine/history/recordTimes.ts"
import { searchQuery } from "../../domain/engine/history/searchQuery.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { Output } from "../../services/Output.ts"
import { type RecordQuery, RecordStore } from "../../services/RecordStore.ts"
import { allStatuses } from "../client/statuses.ts"
import { fail } from "../exit.ts"
import { jsonFlag, print } from "./shared/common.ts"
import { sinceFlag, timeOf } from "./shared/recordQuery.ts"

const found = Effect.fnUntraced(function* (query: RecordQuery, given: string, json: boolean) {
  const words = searchQuery(given)
  if (words === null) return yield* fail("usage", "--search: there is no word in it to search for")
  const { document, text } = foundPage(yield* (yield* RecordStore).search(query, words))
  yield* print(json, document, text)
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
      Flag.withDescription(`Only the last N lines (${logLength.usual})`),
      Flag.filter(
        (count) => count > 0 && count <= logLength.most,
        () => `expected a number from 1 to ${logLength.most}`
      ),
      Flag.withDefault(logLength.usual)
    ),
    search: Flag.String("search").pipe(
      Flag.withDescription("Messages, prompts and answers with all of these words, of all time"),
      Flag.optional
    ),
    json: jsonFlag
  },
  Effect.fn(function* ({ json, last, search, since, tag }) {
    const output = yield* Output
    const { from } = yield* timeOf(since, Option.isSome(search) ? lookBack.search : lookBack.log)
    const query = { tag: Option.getOrNull(tag), from, limit: last }
    if (Option.isSome(search)) return yield* found(query, search.value, json)
    const source = yield* (yield* RecordStore).log(query)
    const entries = logEntries(source, from, runningLives(yield* allStatuses())).slice(-last)
    const { document, text } = logPage(entries, output.colour)
    yield* print(json, document, text)
  })
).pipe(Command.withDescription("What happened in a session, or in all, line by line (of a day); what was said"))
