import { Effect, Option, Schema } from "effect"
import type { Preview } from "../domain/picker/Rows.ts"
import type { SessionRecord } from "../domain/sessions/SessionRecord.ts"
import * as UsageState from "../domain/usage/UsageState.ts"
import { FileTail } from "../services/FileTail.ts"
import { providerOf, Providers } from "../services/Providers.ts"

/** Of a transcript no more than this is read, from its end. */
const tailBytes = 1 << 20

const decodeLine = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** The last exchange of a session, from the end of its transcript. Never fails: what cannot be read is null. */
export const previewOf = Effect.fn("previewOf")(function*(session: Pick<SessionRecord, "cli" | "base" | "transcriptPath">) {
  const nothing: Preview = { lastUser: null, lastAssistant: null }
  const provider = providerOf(yield* Providers, session)
  if (provider === undefined || session.transcriptPath === null) return nothing
  const files = yield* FileTail
  // the end of a long file, else all of it
  const end = yield* files.last(session.transcriptPath, tailBytes)
  const lines = end.length > 0 ? end : ((yield* files.document(session.transcriptPath, tailBytes)) ?? "").split("\n")
  const said = lines.flatMap((line) => {
    const record = decodeLine(line)
    return Option.isSome(record) ? provider.usage.record(record.value) : []
  }).reduce(UsageState.fold, UsageState.start)
  return { lastUser: said.prompt?.text ?? null, lastAssistant: said.response?.text ?? null } satisfies Preview
})
