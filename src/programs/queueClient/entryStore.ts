import { Effect, Option, Result } from "effect"
import { decodeEntries, encodeEntries, withEntry } from "../../domain/surfaces/queueClient/EntryHistory.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { Paths } from "../../services/Paths.ts"
import { SharedFile } from "../../services/SharedFile.ts"

const entriesOf = (content: Uint8Array | null): ReadonlyArray<string> =>
  content === null ? [] : decodeEntries(new TextDecoder().decode(content))

/** The texts that users have entered for a session. */
export const entryStore = Effect.fn("entryStore")(function* (tag: Tag) {
  const files = yield* SharedFile
  const file = `${(yield* Paths).session(tag).dir}/entries.json`
  return {
    /** Oldest first; empty if the file cannot be read. */
    read: files.read(file).pipe(
      Effect.map(entriesOf),
      Effect.orElseSucceed(() => [])
    ),
    /** Adds an entry. Returns the reason if it could not be stored. */
    add: (entry: string): Effect.Effect<Option.Option<string>> =>
      files
        .change(file, (content) =>
          Result.succeed(new TextEncoder().encode(encodeEntries(withEntry(entriesOf(content), entry))))
        )
        .pipe(
          Effect.match({
            onSuccess: () => Option.none(),
            onFailure: (error) => Option.some(`not kept for later: ${error.message}`)
          })
        )
  }
})

export type EntryStore = Effect.Success<ReturnType<typeof entryStore>>
