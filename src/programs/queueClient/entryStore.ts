import { Effect, Option, Result } from "effect"
import { decodeEntries, encodeEntries, withEntry } from "../../domain/surfaces/queueClient/EntryHistory.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { Paths } from "../../services/Paths.ts"
import { SharedFile } from "../../services/SharedFile.ts"

/** What was entered in the queue clients of one session: kept with the session, and forgotten with it. */
export interface EntryStore {
  /** Oldest first; none where they cannot be read. */
  readonly read: Effect.Effect<ReadonlyArray<string>>
  /** Adds one; some where it could not be kept, with why. */
  readonly add: (entry: string) => Effect.Effect<Option.Option<string>>
}

const entriesOf = (content: Uint8Array | null): ReadonlyArray<string> =>
  content === null ? [] : decodeEntries(new TextDecoder().decode(content))

/** The entries of a session; several clients add to them. */
export const entryStore = Effect.fn("entryStore")(function* (tag: Tag) {
  const files = yield* SharedFile
  const file = `${(yield* Paths).session(tag).dir}/entries.json`
  const store: EntryStore = {
    read: files.read(file).pipe(
      Effect.map(entriesOf),
      Effect.orElseSucceed(() => [])
    ),
    add: (entry) =>
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
  return store
})
