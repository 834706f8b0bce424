import { Clock, Effect, Queue, Result, Semaphore } from "effect"
import { type Draft, readDrafts, withDrafts, withoutDrafts } from "../../domain/surfaces/overlay/drafts.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { Paths } from "../../services/Paths.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { SharedFile } from "../../services/SharedFile.ts"
import { System } from "../../services/System.ts"

/** Keys that come within this time are written to the disk together. */
const pause = "250 millis"
/** An id that was made longer ago, in milliseconds, is not sent any more. */
const oldest = 60_000

/** The message that is written at this terminal, kept on the disk meanwhile: a terminal may close at any moment. */
export const keptDrafts = Effect.fnUntraced(function* (tag: Tag) {
  const shared = yield* SharedFile
  const table = yield* ProcessTable
  const { newId, pid } = yield* System
  const file = `${(yield* Paths).session(tag).dir}/drafts.json`
  const [own] = yield* table.ancestry(pid)
  const writer = { pid, birth: own?.birth ?? null }
  let text = ""
  /** What is on its way here out of the CLI's box. */
  let coming = ""
  /** The id of the message that the text becomes, and when it was made. */
  const made = Effect.map(Effect.all([newId, Clock.currentTimeMillis]), ([id, at]) => ({ id, at }))
  let name = yield* made
  /** What was sent under that id, and whether it is not known what became of it. */
  let tried: { readonly text: string; readonly unclear: boolean } | null = null
  /** Another message, in one step: under a new id nothing that was sent may come to the disk. `of`: only behind it. */
  const begin = (its: (now: string) => string, of: string | null = null) =>
    Effect.map(made, (fresh) => {
      if (of !== null && of !== name.id) return
      name = fresh
      tried = null
      text = its(text)
    })

  let written = { id: name.id, text, coming }
  const oneAtATime = yield* Semaphore.make(1)
  const write = (left: boolean) =>
    Effect.suspend(() => {
      const now = { id: name.id, text, coming }
      const isEmpty = text === "" && coming === ""
      const isWritten = text === written.text && coming === written.coming && (text === "" || now.id === written.id)
      if (isWritten && !(left && !isEmpty)) return Effect.void
      const drafts = [{ text: coming }, { text, id: now.id }]
      return shared
        .change(file, (content) => Result.succeed(withDrafts(content, writer, drafts, left)))
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
    // a process that has died and is not buried yet is still in the table
    writer === null ? Effect.succeed(true) : Effect.map(table.signal(writer, 0), (alive) => !alive)
  return {
    /** The text as it is now; empty: nothing is written. */
    keep: (now: string) =>
      Effect.gen(function* () {
        // another text is another message
        if (tried !== null && now !== tried.text) yield* begin(() => now)
        else text = now
        if (now.startsWith(coming)) coming = ""
        yield* Queue.offer(changed, null)
      }),
    /** On the disk before it leaves the CLI's box, and until it is a part of what is kept or stands there again. */
    coming: (from: string) =>
      Effect.suspend(() => {
        coming = from
        return write(false)
      }),
    /**
     * Sends this text under its id, once and for all: what is on the disk of it has that id, so that a terminal which
     * dies before it has forgotten it leaves nothing that the queue does not know. Sent again where it is not known
     * what became of it, it has the same id.
     */
    send: <A, E extends { readonly _tag: string }>(what: string, request: (id: string) => Effect.Effect<A, E>) =>
      Effect.gen(function* () {
        const isAgain = tried?.unclear === true && tried.text === what
        // one that is old could be taken for that of a message which was sent and forgotten
        if (!isAgain && (tried !== null || (yield* Clock.currentTimeMillis) - name.at > oldest))
          yield* begin(() => what)
        const { id } = name
        text = what
        tried = { text: what, unclear: false }
        if (written.id !== id) yield* write(false)
        return yield* request(id).pipe(
          Effect.tapError(({ _tag }) => {
            // refused, it is nobody's message; sent again it is a new one
            if (_tag === "RefusedError") return begin((its) => its, id)
            return Effect.sync(() => void (tried = name.id === id ? { text: what, unclear: true } : tried))
          }),
          // it is no draft any more, unless another one is written by now
          Effect.tap(() => begin(() => "", id)),
          Effect.tap(() => Queue.offer(changed, null))
        )
      }),
    /**
     * What terminals that are gone have left and did not send: given to `take`, oldest first, and forgotten when that
     * has it. `queued`: the ids of all messages that the session's queue knows.
     */
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
