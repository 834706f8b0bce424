import { asks } from "../../domain/words/session/states.ts"
import { Effect, FileSystem, Option, Schedule } from "effect"
import { keyOf } from "../../domain/store/relocation/Names.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import * as RecordBook from "../../domain/store/conversations/RecordBook.ts"
import type { SessionRecord } from "../../domain/store/conversations/SessionRecord.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { FileLock } from "../../services/FileLock.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"
import { SessionLock } from "../../services/SessionLock.ts"
import { SessionMover } from "../../services/SessionMover.ts"
import { SessionRecords } from "../../services/SessionRecords.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { allStatuses } from "../client/statuses.ts"
import { runningOutside } from "../starting/runningOutside.ts"
import { CommandError, describe, fail } from "../exit.ts"
import { isBusy } from "../../services/StoreError.ts"
import { Providers } from "../../services/Providers.ts"

/** Another leap resumes a session, or moves one of a common size, within this time. */
const claimTimeout = "10 seconds"

const exitingHost = Schedule.max([Schedule.spaced("100 millis"), Schedule.recurs(30)])

/** Settles interrupted moves before any resume or move; returns the messages on those that it cannot settle. */
export const recoverMoves = Effect.gen(function* () {
  const output = yield* Output
  const recovered = yield* (yield* SessionMover).recoverAll.pipe(
    Effect.catch((error) =>
      Effect.as(output.note(`leap: moves that were cut off could not be looked for: ${error.why}`), [])
    )
  )
  const unsettled = new Set<string>()
  for (const { key, leftovers, outcome, why } of recovered) {
    if (outcome === "refused") unsettled.add(why)
    const session = key.slice(key.indexOf(".") + 1)
    yield* output.note(
      outcome === "refused"
        ? `leap: ${why}`
        : `leap: an earlier move of session ${session} was cut off; it was ${outcome}`
    )
    for (const { path, why } of leftovers) yield* output.note(`leap: ${JSON.stringify(path)} stays: ${why}`)
  }
  return unsettled
})

/** Removes the message of a failure that was already reported. */
export const silenceReported =
  (reported: ReadonlySet<string>) =>
  (error: unknown): CommandError => {
    const { exitCode, message } = describe(error)
    return new CommandError({ message: reported.has(message) ? "" : message, exitCode })
  }

/** Locks the conversation until the scope ends, against resumes and moves by other leaps, under any tag. */
export const claim = Effect.fn("claim")(function* (session: Pick<SessionRecord, "base" | "sessionId">) {
  const paths = yield* Paths
  yield* paths.ensureBase
  // a tag has no dot, so no other file has this name
  const file = `${paths.state}/${keyOf({ cli: session.base, sessionId: session.sessionId })}.lock`
  yield* (yield* FileLock)
    .acquire(file, claimTimeout)
    .pipe(
      Effect.catchIf(isBusy, () =>
        fail(
          "refused",
          `another leap resumes or moves session ${session.sessionId} at this moment; ` +
            "wait until it has finished, then look where the session is"
        )
      )
    )
})

export const current = Effect.fn("current")(function* (session: SessionRecord) {
  return RecordBook.current(yield* (yield* SessionRecords).all, session)
})

/** Whether a program can be started in the directory: it exists, and its permissions let this user enter it. */
export const enterable = Effect.fn("enterable")(function* (directory: string) {
  // looking up the dot needs only the permission to enter the directory
  return (yield* Effect.option((yield* FileSystem.FileSystem).stat(`${directory}/.`)))._tag === "Some"
})

/** The running session with this conversation; variants of one CLI may share their conversations. */
export const runningWith = (
  statuses: ReadonlyArray<SessionStatus>,
  session: Pick<SessionRecord, "base" | "sessionId">
): SessionStatus | null =>
  statuses.find(
    (status) => status.state !== "exited" && status.baseCli === session.base && status.sessionId === session.sessionId
  ) ?? null

/** Notifies the user if a session without a viewer asks, as CLIs do about a directory new to them. */
export const noteIfAsking = Effect.fn("noteIfAsking")(function* (tag: Tag, status: Option.Option<SessionStatus>) {
  if (Option.isSome(status) && asks(status.value.state))
    yield* (yield* Output).note(`leap: session '${tag}' asks you something: 'leap attach ${tag}'`)
})

export const cliOf = Effect.fnUntraced(function* ({ base, cli, sessionId }: SessionRecord) {
  const back = base === cli ? "" : `; 'leap clis add ${cli} --base ${base} …' brings it back`
  return yield* Effect.mapError((yield* Providers).get(cli), ({ message }) =>
    fail("refused", `session ${sessionId} was run by '${cli}', and ${message}${back}`)
  )
})

const runsAnother = (status: SessionStatus, session: SessionRecord): boolean =>
  status.state !== "exited" && status.sessionId !== null && runningWith([status], session) === null

const tagsOf = Effect.fnUntraced(function* (session: SessionRecord) {
  const books = yield* (yield* SessionRecords).all
  return books
    .filter(({ book }) =>
      book.some(({ record }) => RecordBook.isOf(record, { cli: session.base, sessionId: session.sessionId }))
    )
    .map(({ tag }) => tag)
})

/** Updates the stored status of an ended session, so that `leap status` shows the new directory. */
const updateStatus = Effect.fnUntraced(function* (tag: Tag, { base, cwd, sessionId, transcriptPath }: SessionRecord) {
  const store = yield* StatusStore
  const file = (yield* Paths).session(tag).status
  const last = yield* store.read(file)
  if (Option.isNone(last) || last.value.sessionId !== sessionId || last.value.baseCli !== base) return
  yield* store.write(file, { ...last.value, cwd, transcriptPath: transcriptPath ?? last.value.transcriptPath }, true)
})

/** Moves a session that no host runs, and reports on it. Meanwhile no host can start it under any tag. */
export const relocate = Effect.fn("relocate")(function* (session: SessionRecord, to: string) {
  const output = yield* Output
  const paths = yield* Paths
  const locks = yield* SessionLock
  const existing = new Set(yield* paths.tags)
  const others = new Set((yield* allStatuses()).filter((status) => runsAnother(status, session)).map(({ tag }) => tag))
  const tags = (yield* tagsOf(session)).filter((tag) => existing.has(tag) && !others.has(tag))
  for (const tag of tags) {
    yield* locks.acquire(paths.session(tag).lock).pipe(
      // a host that is about to exit still holds its session for a moment
      Effect.retry({ while: isBusy, schedule: exitingHost }),
      Effect.catchIf(isBusy, () =>
        fail("refused", `session '${tag}' runs, and may have this conversation; 'leap stop ${tag}' ends it`)
      )
    )
  }
  const pids = yield* runningOutside(session)
  if (pids.length > 0) {
    return yield* fail(
      "refused",
      `session ${session.sessionId} was not moved: it is open outside of leap (process ${pids.join(", ")}), ` +
        "which would go on writing where it is: end it there first"
    )
  }
  const updateStatuses = (now: SessionRecord) =>
    Effect.forEach(
      tags,
      (tag) =>
        updateStatus(tag, now).pipe(
          Effect.catchCause((cause) => Effect.logWarning("the session's status was not brought up to date", cause))
        ),
      { discard: true }
    )
  const moved = yield* (yield* SessionMover).move(session, to).pipe(
    Effect.onInterrupt(() =>
      Effect.gen(function* () {
        const now = yield* current(session)
        yield* updateStatuses(now)
        yield* output.note(`leap: cut off; the session lives in ${oneLine(now.cwd, 300)}`)
      })
    )
  )
  yield* updateStatuses(moved.session)
  for (const { path, why } of moved.leftovers) yield* output.note(`leap: ${JSON.stringify(path)} stays: ${why}`)
  if (moved.pending !== null)
    yield* output.note(
      `leap: the session was moved, but not all of it could be cleared away where it was: ${moved.pending}; ` +
        "the next 'leap resume' or 'leap move' tries again"
    )
  return moved
}, Effect.scoped)
