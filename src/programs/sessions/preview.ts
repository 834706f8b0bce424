import { Effect, Option } from "effect"
import type { Preview } from "../../domain/surfaces/picker/Rows.ts"
import { parseJson } from "../../domain/words/reading/Json.ts"
import type { SessionRecord } from "../../domain/places/sessions/SessionRecord.ts"
import * as UsageState from "../../domain/cli/usage/UsageState.ts"
import { FileTail } from "../../services/FileTail.ts"
import { providerOf, Providers } from "../../services/Providers.ts"

/** At most this much of a transcript is read, from its end. */
const tailBytes = 1 << 20

/** The last exchange of a session, from the end of its transcript. Never fails: what cannot be read is null. */
export const previewOf = Effect.fn("previewOf")(function* (
  session: Pick<SessionRecord, "cli" | "base" | "transcriptPath">
) {
  const nothing: Preview = { lastUser: null, lastAssistant: null }
  const provider = Option.getOrUndefined(yield* providerOf(yield* Providers, session))
  if (provider === undefined || session.transcriptPath === null) return nothing
  const files = yield* FileTail
  // the end of a long file, all of a shorter one
  const end = yield* files.last(session.transcriptPath, tailBytes)
  const lines = end.length > 0 ? end : ((yield* files.document(session.transcriptPath, tailBytes)) ?? "").split("\n")
  const usage = lines
    .flatMap((line) => {
      const record = parseJson(line)
      return Option.isSome(record) ? provider.usage.record(record.value) : []
    })
    .reduce(UsageState.fold, UsageState.start)
  return { lastUser: usage.prompt?.text ?? null, lastAssistant: usage.response?.text ?? null } satisfies Preview
})
