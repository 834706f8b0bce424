import { Effect, Option, Schedule } from "effect"
import type { SessionStatus } from "../domain/Session.ts"
import { isOf } from "../domain/sessions/RecordBook.ts"
import type { SessionRecord } from "../domain/sessions/SessionRecord.ts"
import type { Tag } from "../domain/Tag.ts"
import { Output } from "../services/Output.ts"
import { Paths } from "../services/Paths.ts"
import { SessionLock } from "../services/SessionLock.ts"
import { SessionMover } from "../services/SessionMover.ts"
import { SessionRecords } from "../services/SessionRecords.ts"
import { StatusStore } from "../services/StatusStore.ts"
import { fail } from "./exit.ts"

const leaving = Schedule.max([Schedule.spaced("100 millis"), Schedule.recurs(30)])

/** Settles the moves whose movers died, and tells of it: the first thing that a command does which resumes or moves sessions. */
export const recoverMoves = Effect.gen(function*() {
  const output = yield* Output
  const recovered = yield* (yield* SessionMover).recoverAll.pipe(
    Effect.catch((error) => Effect.as(output.note(`leap: moves that were cut off could not be looked for: ${error.message}`), []))
  )
  for (const { key, leftovers, outcome, why } of recovered) {
    const session = key.slice(key.indexOf(".") + 1)
    yield* output.note(outcome === "refused" ? `leap: ${why}` : `leap: an earlier move of session ${session} was cut off; it was ${outcome}`)
    for (const { path, why } of leftovers) yield* output.note(`leap: ${JSON.stringify(path)} stays: ${why}`)
  }
})

/** The running session that has this conversation. */
export const liveAs = (statuses: ReadonlyArray<SessionStatus>, session: Pick<SessionRecord, "cli" | "sessionId">): SessionStatus | null =>
  statuses.find((status) => status.state !== "exited" && status.cli === session.cli && status.sessionId === session.sessionId) ?? null

/** Tags under which the session was seen. */
const tagsOf = Effect.fnUntraced(function*(session: SessionRecord) {
  const books = yield* (yield* SessionRecords).all
  return books.filter(({ book }) => book.some(({ record }) => isOf(record, { cli: session.base, sessionId: session.sessionId }))).map(({ tag }) => tag)
})

/** What `leap status` says of an ended session's directory goes with the session. */
const restate = Effect.fnUntraced(function*(tag: Tag, { base, cwd, sessionId, transcriptPath }: SessionRecord) {
  const store = yield* StatusStore
  const file = (yield* Paths).session(tag).status
  const last = yield* store.read(file)
  if (Option.isNone(last) || last.value.sessionId !== sessionId || last.value.baseCli !== base) return
  yield* store.write(file, { ...last.value, cwd, transcriptPath: transcriptPath ?? last.value.transcriptPath }, true)
})

/**
 * Moves a session that nobody runs to another directory, and tells what the user must know of it. Until it is there no host
 * starts under any of the session's tags.
 */
export const relocate = Effect.fn("relocate")(function*(session: SessionRecord, to: string) {
  const output = yield* Output
  const paths = yield* Paths
  const locks = yield* SessionLock
  const known = new Set(yield* paths.tags)
  const tags = (yield* tagsOf(session)).filter((tag) => known.has(tag))
  for (const tag of tags) {
    yield* locks.acquire(paths.session(tag).lock).pipe(
      // a host that is about to go still holds its session for a moment
      Effect.retry({ while: (error) => error._tag === "SessionBusyError", schedule: leaving }),
      Effect.catchTag("SessionBusyError", () => fail("refused", `session '${tag}' runs, and knows this conversation too; 'leap stop ${tag}' ends it`))
    )
  }
  const moved = yield* (yield* SessionMover).move(session, to)
  for (const tag of tags) yield* restate(tag, moved.session).pipe(Effect.catchCause((cause) => Effect.logWarning("the session's status was not brought up to date", cause)))
  for (const { path, why } of moved.leftovers) yield* output.note(`leap: ${JSON.stringify(path)} stays: ${why}`)
  if (moved.pending !== null) yield* output.note(`leap: the session was moved, but not all of it could be cleared away where it was: ${moved.pending}; the next 'leap resume' or 'leap move' tries again`)
  return moved
}, Effect.scoped)
