import { Effect, Queue, Result } from "effect"
import { type Draft, readDrafts, withDraft, withoutDrafts } from "../../domain/overlay/drafts.ts"
import type { Tag } from "../../domain/session/Tag.ts"
import { Paths } from "../../services/Paths.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { SharedFile } from "../../services/SharedFile.ts"
import { System } from "../../services/System.ts"

/** Keys that come within this time are written to the disk together. */
const pause = "250 millis"

/**
 * The message that is written at this terminal, on the disk while it is: a terminal may close at any moment. What
 * cannot be written is in nobody's way.
 */
export const keptDrafts = Effect.fnUntraced(function* (tag: Tag) {
  const shared = yield* SharedFile
  const table = yield* ProcessTable
  const { pid } = yield* System
  const file = `${(yield* Paths).session(tag).dir}/drafts.json`
  const [own] = yield* table.ancestry(pid)
  const writer = { pid, birth: own?.birth ?? null }
  let text = ""
  let written = ""
  /** What is on its way here out of the CLI's box. */
  let coming = ""
  const write = (left: boolean) =>
    Effect.suspend(() => {
      const now = coming + text
      if (now === written && !(left && now !== "")) return Effect.void
      return shared
        .change(file, (content) => Result.succeed(withDraft(content, writer, now, left)))
        .pipe(Effect.andThen(Effect.sync(() => void (written = now))), Effect.ignore)
    })
  const changed = yield* Queue.sliding<null>(1)
  yield* Effect.addFinalizer(() => write(true))
  yield* Queue.take(changed).pipe(
    Effect.andThen(write(false)),
    Effect.andThen(Effect.sleep(pause)),
    Effect.forever,
    Effect.forkScoped
  )
  const isLeft = ({ writer }: Draft): Effect.Effect<boolean> =>
    // a process that has died and is not buried yet is still in the table
    writer === null ? Effect.succeed(true) : Effect.map(table.signal(writer, 0), (alive) => !alive)
  return {
    /** The text as it is now; empty: nothing is written. */
    keep: (now: string) =>
      Effect.suspend(() => {
        text = now
        if (now.startsWith(coming)) coming = ""
        return Queue.offer(changed, null)
      }),
    /** On the disk before it leaves the CLI's box, and until it is a part of what is kept or stands there again. */
    coming: (from: string) =>
      Effect.suspend(() => {
        coming = from
        return write(false)
      }),
    /** What was sent is a draft no more, unless another one is written by now. */
    sent: (what: string) =>
      Effect.suspend(() => {
        if (text === what) text = ""
        return Queue.offer(changed, null)
      }),
    /** What terminals that are gone have left: given to `take`, oldest first, and forgotten when that has it. */
    takeLeft: <E>(take: (text: string) => Effect.Effect<unknown, E>) =>
      Effect.gen(function* () {
        const left = yield* Effect.filter(readDrafts(yield* shared.read(file)), isLeft)
        for (const draft of left) yield* take(draft.text)
        if (left.length > 0) yield* shared.change(file, (content) => Result.succeed(withoutDrafts(content, left)))
        return left.length
      })
  }
})
