import { Effect, Result } from "effect"
import { addSaved, leftMost, readSaved, withoutSaved } from "../../domain/surfaces/overlay/savedMessages.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { Paths } from "../../services/Paths.ts"
import { SharedFile } from "../../services/SharedFile.ts"

/** The messages that ↑ brings back, newest last: those saved, for all sessions, and this session's last behind them. */
export const savedMessages = Effect.fnUntraced(function* (tag: Tag) {
  const shared = yield* SharedFile
  const paths = yield* Paths
  const file = `${paths.state}/saved-messages.json`
  const left = `${paths.session(tag).dir}/left-messages.json`
  /** None where they cannot be read. */
  const messagesOf = (path: string) =>
    shared.read(path).pipe(
      Effect.map(readSaved),
      Effect.catch(() => Effect.succeed<ReadonlyArray<string>>([]))
    )
  const read = Effect.map(Effect.all([messagesOf(file), messagesOf(left)]), ([saved, kept]) => [
    ...saved.filter((text) => !kept.includes(text)),
    ...kept
  ])
  const keep = (text: string) =>
    Effect.andThen(
      shared.change(left, (content) => Result.succeed(addSaved(content, text, leftMost))),
      read
    )
  return {
    read,
    /** Saves one, and gives all. */
    add: (text: string) =>
      Effect.andThen(
        shared.change(file, (content) => Result.succeed(addSaved(content, text))),
        keep(text).pipe(Effect.catch(() => read))
      ),
    /** Keeps one that was left, and gives all. */
    keep,
    /** It was sent after all. */
    sent: (text: string) =>
      Effect.flatMap(messagesOf(left), (kept) =>
        kept.includes(text)
          ? Effect.ignore(shared.change(left, (content) => Result.succeed(withoutSaved(content, text))))
          : Effect.void
      )
  }
})
