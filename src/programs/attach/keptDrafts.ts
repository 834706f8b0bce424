import { Clock, Effect, Queue, Result, Semaphore } from "effect"
import { type Draft, readDrafts, withDrafts, withoutDrafts } from "../../domain/surfaces/overlay/drafts.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { Paths } from "../../services/Paths.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { SharedFile } from "../../services/SharedFile.ts"
import { System } from "../../services/System.ts"

/** Changes within this time are written to the disk together. */
const pause = "250 millis"
/** For how many milliseconds a new id may be used. */
const idLifetime = 60_000

/** Stores the unfinished message of this terminal on disk, because a terminal may close at any moment. */
export const keptDrafts = Effect.fnUntraced(function* (tag: Tag) {
  const shared = yield* SharedFile
  const table = yield* ProcessTable
  const { newId, pid } = yield* System
  const file = `${(yield* Paths).session(tag).dir}/drafts.json`
  const [own] = yield* table.ancestry(pid)
  const writer = { pid, birth: own?.birth ?? null }
  let text = ""
  /** The text that leaves the CLI's box and is not yet part of the draft. */
  let coming = ""
  /** The id of the future message, and when it was created. */
  const made = Effect.map(Effect.all([newId, Clock.currentTimeMillis]), ([id, at]) => ({ id, at }))
  let name = yield* made
  /** The text that was sent under that id, and whether its outcome is unknown. */
  let tried: { readonly text: string; readonly unclear: boolean } | null = null
  /**
   * Begins another message, in one step so that no text already sent is stored under the new id. `of`: only if the
   * present message has this id.
   */
  const begin = (its: (now: string) => string, of: string | null = null) =>
    Effect.map(made, (fresh) => {
      if (of !== null && of !== name.id) return
      name = fresh
      tried = null
      text = its(text)
    })

  let written = { id: name.id, text, coming }
  const oneAtATime = yield* Semaphore.make(1)
  const write = (isClosing: boolean) =>
    Effect.suspend(() => {
      const now = { id: name.id, text, coming }
      const isEmpty = text === "" && coming === ""
      const isWritten = text === written.text && coming === written.coming && (text === "" || now.id === written.id)
      if (isWritten && !(isClosing && !isEmpty)) return Effect.void
      const drafts = [{ text: coming }, { text, id: now.id }]
      return shared
        .change(file, (content) => Result.succeed(withDrafts(content, writer, drafts, isClosing)))
        .pipe(Effect.andThen(Effect.sync(() => void (written = now))), Effect.ignore)
    }).pipe(oneAtATime.withPermits(1))
  const changed = yield* Queue.sliding<null>(1)
  yield* Effect.addFinalizer(() => write(true))
  yield* Queue.take(changed).pipe(
    Effect.andThen(write(false)),
    Effect.andThen(Effect.sleep(pause)),
    Effect.forever,
    Effect.forkScoped
  )
  const isLeft = ({ writer }: Draft): Effect.Effect<boolean> =>
    // a zombie is still in the process table, so the signal decides
    writer === null ? Effect.succeed(true) : Effect.map(table.signal(writer, 0), (alive) => !alive)
  return {
    keep: Effect.fnUntraced(function* (now: string) {
      // another text becomes another message
      if (tried !== null && now !== tried.text) yield* begin(() => now)
      else text = now
      if (now.startsWith(coming)) coming = ""
      yield* Queue.offer(changed, null)
    }),
    /** Stores a text before it is taken out of the CLI's box, until it is part of the draft or back in the box. */
    coming: (from: string) =>
      Effect.suspend(() => {
        coming = from
        return write(false)
      }),
    /**
     * Sends this text under its id, once. The stored draft has the same id: if this terminal dies before it deletes the
     * draft, the next one finds the id in the queue and drops the draft. A retry after an unknown outcome uses the same
     * id.
     */
    send: Effect.fnUntraced(function* <A, E extends { readonly _tag: string }>(
      what: string,
      request: (id: string) => Effect.Effect<A, E>
    ) {
      const isAgain = tried?.unclear === true && tried.text === what
      // an old id could be taken for that of a message that was sent and forgotten
      if (!isAgain && (tried !== null || (yield* Clock.currentTimeMillis) - name.at > idLifetime))
        yield* begin(() => what)
      const { id } = name
      text = what
      tried = { text: what, unclear: false }
      if (written.id !== id) yield* write(false)
      return yield* request(id).pipe(
        Effect.tapError(({ _tag }) => {
          // the queue did not take the id: sent again, the message gets a new one
          if (_tag === "RefusedError") return begin((its) => its, id)
          return Effect.sync(() => void (tried = name.id === id ? { text: what, unclear: true } : tried))
        }),
        // it is no longer a draft, unless another one was begun
        Effect.tap(() => begin(() => "", id)),
        Effect.tap(() => Queue.offer(changed, null))
      )
    }),
    /** Passes closed terminals' unsent messages to `take`, oldest first. `queued`: all ids that the queue knows. */
    takeLeft: <E, E2>(
      queued: Effect.Effect<ReadonlySet<string>, E2>,
      take: (text: string) => Effect.Effect<unknown, E>
    ) =>
      Effect.gen(function* () {
        const left = yield* Effect.filter(readDrafts(yield* shared.read(file)), isLeft)
        if (left.length === 0) return 0
        const known = left.some(({ id }) => id !== undefined) ? yield* queued : new Set<string>()
        const unsent = left.filter(({ id }) => id === undefined || !known.has(id))
        for (const draft of unsent) yield* take(draft.text)
        yield* shared.change(file, (content) => Result.succeed(withoutDrafts(content, left)))
        return unsent.length
      })
  }
})
