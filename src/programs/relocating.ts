import { Effect, FileSystem, Option, Schedule } from "effect"
import { keyOf } from "../domain/relocation/Names.ts"
import type { SessionStatus } from "../domain/Session.ts"
import * as RecordBook from "../domain/sessions/RecordBook.ts"
import type { SessionRecord } from "../domain/sessions/SessionRecord.ts"
import { oneLine } from "../domain/StateLine.ts"
import type { Tag } from "../domain/Tag.ts"
import { FileLock } from "../services/FileLock.ts"
import { Output } from "../services/Output.ts"
import { Paths } from "../services/Paths.ts"
import { SessionLock } from "../services/SessionLock.ts"
import { SessionMover } from "../services/SessionMover.ts"
import { SessionRecords } from "../services/SessionRecords.ts"
import { StatusStore } from "../services/StatusStore.ts"
import { allStatuses } from "./client.ts"
import { runningElsewhere } from "./elsewhere.ts"
import { CommandError, describe, fail } from "./exit.ts"

/** Another leap needs no longer than this to resume a session, or to move one of a common size. */
const claimPatience = "10 seconds"

const leaving = Schedule.max([Schedule.spaced("100 millis"), Schedule.recurs(30)])

/**
 * Settles the moves whose movers died, and tells of it: the first thing that a command does which resumes or moves sessions.
 * Gives what it said of those that cannot be settled.
 */
export const recoverMoves = Effect.gen(function*() {
  const output = yield* Output
  const recovered = yield* (yield* SessionMover).recoverAll.pipe(
    Effect.catch((error) => Effect.as(output.note(`leap: moves that were cut off could not be looked for: ${error.why}`), []))
  )
  const unsettled = new Set<string>()
  for (const { key, leftovers, outcome, why } of recovered) {
    if (outcome === "refused") unsettled.add(why)
    const session = key.slice(key.indexOf(".") + 1)
    yield* output.note(outcome === "refused" ? `leap: ${why}` : `leap: an earlier move of session ${session} was cut off; it was ${outcome}`)
    for (const { path, why } of leftovers) yield* output.note(`leap: ${JSON.stringify(path)} stays: ${why}`)
  }
  return unsettled
})

/** A failure of which the user has been told is not told twice. */
export const untold = (told: ReadonlySet<string>) => (error: unknown): CommandError => {
  const { exitCode, message } = describe(error)
  return new CommandError({ message: told.has(message) ? "" : message, exitCode })
}

/** Holds the conversation until the scope ends: no other leap resumes or moves it meanwhile, under whatever tag. */
export const claim = Effect.fn("claim")(function*(session: Pick<SessionRecord, "base" | "sessionId">) {
  const paths = yield* Paths
  const fs = yield* FileSystem.FileSystem
  yield* paths.ensureBase
  // a tag has no dot, so the file is nobody else's
  const file = `${paths.state}/${keyOf({ cli: session.base, sessionId: session.sessionId })}.lock`
  yield* (yield* FileLock).acquire(file, claimPatience).pipe(
    Effect.catchTag("FileBusyError", () =>
      fail("refused", `another leap resumes or moves session ${session.sessionId} at this moment; wait until it has finished, then look where the session is`))
  )
  // while it is held: whoever opened the deleted file tries again
  yield* Effect.addFinalizer(() => Effect.ignore(fs.remove(file)))
})

/** The session as the records have it now. */
export const current = Effect.fn("current")(function*(session: SessionRecord) {
  return RecordBook.current(yield* (yield* SessionRecords).all, session)
})

/** Whether a program can be started in the directory: it is there, and its permissions let this user in. */
export const enterable = Effect.fn("enterable")(function*(directory: string) {
  // to look at the dot in it takes the permission to enter it, and nothing more
  return (yield* Effect.option((yield* FileSystem.FileSystem).stat(`${directory}/.`)))._tag === "Some"
})

/** The running session that has this conversation; variants of one CLI may share their conversations. */
export const liveAs = (statuses: ReadonlyArray<SessionStatus>, session: Pick<SessionRecord, "base" | "sessionId">): SessionStatus | null =>
  statuses.find((status) => status.state !== "exited" && status.baseCli === session.base && status.sessionId === session.sessionId) ?? null

const asks: ReadonlySet<string> = new Set(["needs_permission", "needs_input"])

/** Tells the user when a session that goes on where nobody looks asks something, as a CLI does in a directory that it does not trust yet. */
export const tellAsked = Effect.fn("tellAsked")(function*(tag: Tag, status: Option.Option<SessionStatus>) {
  if (Option.isSome(status) && asks.has(status.value.state)) yield* (yield* Output).note(`leap: session '${tag}' asks you something: 'leap attach ${tag}'`)
})

/** The session cannot be touched: the variant of a CLI that ran it is not there any more. */
export const withoutCli = ({ base, cli, sessionId }: SessionRecord, why: string) =>
  fail("refused", `session ${sessionId} was run by '${cli}', and ${why}${base === cli ? "" : `; 'leap clis add ${cli} --base ${base} …' brings it back`}`)

/** It runs, and with another conversation. */
const hasAnother = (status: SessionStatus, session: SessionRecord): boolean =>
  status.state !== "exited" && status.sessionId !== null && liveAs([status], session) === null

/** Tags under which the session was seen. */
const tagsOf = Effect.fnUntraced(function*(session: SessionRecord) {
  const books = yield* (yield* SessionRecords).all
  return books.filter(({ book }) => book.some(({ record }) => RecordBook.isOf(record, { cli: session.base, sessionId: session.sessionId }))).map(({ tag }) => tag)
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
 * starts under any of the session's tags; those that run with another conversation go on.
 */
export const relocate = Effect.fn("relocate")(function*(session: SessionRecord, to: string) {
  const output = yield* Output
  const paths = yield* Paths
  const locks = yield* SessionLock
  const known = new Set(yield* paths.tags)
  const others = new Set((yield* allStatuses()).filter((status) => hasAnother(status, session)).map(({ tag }) => tag))
  const tags = (yield* tagsOf(session)).filter((tag) => known.has(tag) && !others.has(tag))
  for (const tag of tags) {
    yield* locks.acquire(paths.session(tag).lock).pipe(
      // a host that is about to go still holds its session for a moment
      Effect.retry({ while: (error) => error._tag === "SessionBusyError", schedule: leaving }),
      Effect.catchTag("SessionBusyError", () => fail("refused", `session '${tag}' runs, and may have this conversation; 'leap stop ${tag}' ends it`))
    )
  }
  const pids = yield* runningElsewhere(session)
  if (pids.length > 0) {
    return yield* fail("refused", `session ${session.sessionId} was not moved: it is open outside of leap (process ${pids.join(", ")}), which would go on writing where it is: end it there first`)
  }
  const tell = (now: SessionRecord) => Effect.forEach(tags, (tag) =>
    restate(tag, now).pipe(Effect.catchCause((cause) => Effect.logWarning("the session's status was not brought up to date", cause))), { discard: true })
  const moved = yield* (yield* SessionMover).move(session, to).pipe(
    Effect.onInterrupt(() => Effect.gen(function*() {
      const now = yield* current(session)
      yield* tell(now)
      yield* output.note(`leap: cut off; the session lives in ${oneLine(now.cwd, 300)}`)
    }))
  )
  yield* tell(moved.session)
  for (const { path, why } of moved.leftovers) yield* output.note(`leap: ${JSON.stringify(path)} stays: ${why}`)
  if (moved.pending !== null) yield* output.note(`leap: the session was moved, but not all of it could be cleared away where it was: ${moved.pending}; the next 'leap resume' or 'leap move' tries again`)
  return moved
}, Effect.scoped)
