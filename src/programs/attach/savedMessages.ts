import { Effect, Result } from "effect"
import { addSaved, readSaved } from "../../domain/overlay/savedMessages.ts"
import { Paths } from "../../services/Paths.ts"
import { SharedFile } from "../../services/SharedFile.ts"

/** The user's saved messages, newest last, in a file that all sessions share. */
export const savedMessages = Effect.gen(function* () {
  const shared = yield* SharedFile
  const file = `${(yield* Paths).state}/saved-messages.json`
  return {
    /** None where they cannot be read. */
    read: shared.read(file).pipe(
      Effect.map(readSaved),
      Effect.catch(() => Effect.succeed<ReadonlyArray<string>>([]))
    ),
    /** Adds one, and gives all. */
    add: (text: string) =>
      Effect.map(
        shared.change(file, (content) => Result.succeed(addSaved(content, text))),
        readSaved
      )
  }
})
