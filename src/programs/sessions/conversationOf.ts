import { Effect, Option, Schedule } from "effect"
import type { UsageFact } from "../../domain/cli/usage/UsageReader.ts"
import { keptText } from "../../domain/engine/history/keptText.ts"
import { type ToldTurn, turnsIn } from "../../domain/engine/history/retelling.ts"
import { parseJson } from "../../domain/words/formats/Json.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { runs } from "../../domain/words/session/states.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import { FileTail } from "../../services/FileTail.ts"
import { providerOf, Providers } from "../../services/Providers.ts"
import { RecordStore } from "../../services/RecordStore.ts"
import { transcriptPathOf } from "../host/CliCommand.ts"
import { locate } from "../starting/locateCli.ts"

/** What a transcript says within its last `bytes`. `isWhole`: that is all of it. An unreadable one says nothing. */
export const factsAtEnd = Effect.fnUntraced(function* (
  provider: Pick<Provider, "usage"> | undefined,
  path: string | null,
  bytes: number
) {
  const nothing: ReadonlyArray<UsageFact> = []
  if (provider === undefined || path === null) return { facts: nothing, isWhole: true }
  const files = yield* FileTail
  // the end of a long file, all of a shorter one
  const end = yield* files.last(path, bytes)
  const lines = end.length > 0 ? end : ((yield* files.document(path, bytes)) ?? "").split("\n")
  return {
    facts: lines.flatMap((line) =>
      Option.match(parseJson(line), { onNone: () => nothing, onSome: (value) => provider.usage.record(value) })
    ),
    isWhole: end.length === 0
  }
})

/** The most bytes of a transcript, and turns of the record, that are read for a conversation. */
const conversationBytes = 16 << 20
const mostTurns = 500
/** A host writes the record a little later than it tells of an answer; no longer than this is waited for that. */
const recordWait = { schedule: Schedule.spaced("250 millis"), times: 5 }

/**
 * What was said in a session's conversation, the latest turn last: by its transcript, else by leap's record of texts,
 * else the last exchange. `isWhole`: the first turn is the conversation's first, as far as is known.
 */
export const conversationOf = Effect.fn("conversationOf")(function* (session: SessionStatus) {
  const { baseCli, cli, lastMessage, lastResponse, sessionId, tag } = session
  const provider = Option.getOrUndefined(yield* providerOf(yield* Providers, { cli, base: baseCli }))
  const path = provider === undefined ? null : transcriptPathOf(provider, (yield* locate(provider)).env, session)
  const { facts, isWhole } = yield* factsAtEnd(provider, path, conversationBytes)
  const turns = turnsIn(facts)
  if (turns.length > 0) return { turns, isWhole }
  const rows = yield* (yield* RecordStore).said({ tag, sessionId, limit: mostTurns }).pipe(
    Effect.repeat({
      ...recordWait,
      until: ([last]) => !runs(session) || lastResponse === null || last?.answer === keptText(lastResponse)
    })
  )
  const recorded = rows
    .map(({ answer, prompt }): ToldTurn => ({ prompt: prompt ?? "", answer: answer ?? "" }))
    .filter(({ answer, prompt }) => prompt !== "" || answer !== "")
    .toReversed()
  if (recorded.length > 0) return { turns: recorded, isWhole: rows.length < mostTurns }
  return { turns: [{ prompt: lastMessage ?? "", answer: lastResponse ?? "" }], isWhole: false }
})
