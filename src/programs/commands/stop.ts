import { Effect, Option, Result, Schedule } from "effect"
import { Command } from "effect/cli"
import type { Tag } from "../../domain/session/Tag.ts"
import { oneLine } from "../../domain/text/printable.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"
import { SessionLock } from "../../services/SessionLock.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { System } from "../../services/System.ts"
import { connectTo, statusOf } from "../client/client.ts"
import { fail } from "../exit.ts"
import { endLeft, leftBehind, type LeftProcess } from "../sessions/leftBehind.ts"
import { forgetWorktree, worktreeKept } from "../sessions/worktrees.ts"
import { jsonFlag, withSession } from "./common.ts"
import { allFlag, chooseTags, forChosen, tagsArgument } from "./many.ts"
import { requireStatus, runs } from "./sessions.ts"
import { toggle } from "./toggle.ts"

/** A killed host is gone at once; the system may take a moment to give its lock back. */
const hostGone = Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(60)])

/** A host that is well answers far sooner, also on a machine under load; who forces the end waits no longer. */
const answerPatience = "1500 millis"
/** A killed CLI is gone at once, and its host writes down what is left to write. */
const endPatience = "5 seconds"

/**
 * Ends a session whose host does not answer. The session's lock says that a host lives, and which process that is; its
 * stored status says so where the system does not. When the host is gone its CLI gets a hang-up.
 */
const killHost = Effect.fnUntraced(function* <E extends { readonly _tag: string }>(tag: Tag, error: E) {
  if (error._tag === "NoSessionError" || error._tag === "RefusedError") return yield* Effect.fail(error)
  const system = yield* System
  const locks = yield* SessionLock
  const paths = (yield* Paths).session(tag)
  const last = Option.getOrNull(yield* (yield* StatusStore).read(paths.status))
  const holder = yield* locks.holder(paths.lock)
  if (holder === null) return { code: null, signal: null }
  const hostPid = holder.pid ?? last?.hostPid ?? null
  if (hostPid === null)
    return yield* fail("failed", `the host of session '${tag}' holds ${paths.lock}, and its process is not known`)
  yield* system.kill(hostPid)
  // what an earlier host wrote is not of this one's CLI
  if (last !== null && last.hostPid === hostPid && last.pid !== null) yield* system.kill(last.pid)
  const exit = { code: null, signal: "SIGKILL" }
  const freed = yield* Effect.scoped(
    Effect.gen(function* () {
      yield* locks.acquire(paths.lock).pipe(Effect.retry(hostGone))
      // the end that its host could not write down: it was asked for, and is no crash
      if (last !== null) {
        const ended = {
          ...last,
          state: "exited" as const,
          ready: false,
          dialog: false,
          reason: "ended by 'leap stop --force'",
          attached: 0,
          hostPid: null,
          pid: null,
          message: null,
          problem: null,
          exit
        }
        yield* (yield* StatusStore).write(paths.status, ended, true)
      }
    })
  ).pipe(Effect.result)
  if (Result.isFailure(freed))
    return yield* fail("failed", `process ${hostPid}, the host of session '${tag}', was killed and is not gone`)
  return exit
})

/** Asks the host to end its session; one that does not answer is killed where the end is forced. */
const stopSession = Effect.fnUntraced(function* (tag: Tag, force: boolean) {
  if (!force) return yield* withSession(tag, (client) => client.Stop({ force }))
  return yield* Effect.gen(function* () {
    const client = yield* Effect.timeout(connectTo(tag), answerPatience)
    return yield* Effect.timeout(client.Stop({ force }), endPatience)
  }).pipe(
    Effect.scoped,
    Effect.catch((error) => killHost(tag, error))
  )
})

export const stop = Command.make(
  "stop",
  {
    tags: tagsArgument,
    all: allFlag,
    force: toggle("force", "Kill the CLI at once, also where its host does not answer, and what it left running"),
    json: jsonFlag
  },
  Effect.fn(function* ({ all, force, json, tags }) {
    yield* forChosen(
      yield* chooseTags(tags, all, runs),
      json,
      Effect.fnUntraced(function* (tag) {
        const output = yield* Output
        const stopped = yield* Effect.result(stopSession(tag, force))
        const left = yield* leftBehind(tag)
        // who ends by force what was left behind has ended the session before
        if (Result.isFailure(stopped) && (!force || left.length === 0)) return yield* Effect.fail(stopped.failure)
        const still = force ? yield* endLeft(tag, left) : left
        const names = (some: ReadonlyArray<LeftProcess>) =>
          oneLine(some.map(({ name, pid }) => `${pid} (${name})`).join(", "), 300)
        const advice = force ? "they do not heed a kill" : `'leap stop ${tag} --force' ends them`
        if (still.length > 0) yield* output.note(`leap: session '${tag}' left running: ${names(still)}; ${advice}`)
        else if (left.length > 0) yield* output.note(`leap: ended what session '${tag}' left running: ${names(left)}`)
        const running = still.map(({ name, pid }) => ({ pid, name }))
        const exit = Result.isSuccess(stopped) ? stopped.success : null
        return { document: { tag, exit, ...(running.length === 0 ? {} : { left: running }) }, text: "" }
      })
    )
  })
).pipe(Command.withDescription("End the session; what is queued is kept"))

export const forget = Command.make(
  "forget",
  {
    tags: tagsArgument,
    all: allFlag,
    force: toggle("force", "Even if messages are held for it"),
    worktree: toggle("worktree", "Remove the git worktree that leap made for it, too, unless something would be lost")
  },
  Effect.fn(function* ({ all, force, tags, worktree }) {
    yield* forChosen(
      yield* chooseTags(tags, all, (status) => !runs(status)),
      false,
      Effect.fnUntraced(function* (tag) {
        const own = yield* worktreeKept(tag)
        // a session may be forgotten before its worktree is
        if (worktree && own !== null && Option.isNone(yield* statusOf(tag)))
          return { document: { tag }, text: yield* forgetWorktree(tag) }
        const session = yield* requireStatus(tag)
        if (runs(session)) return yield* fail("refused", `session '${tag}' runs; 'leap stop ${tag}' ends it`)
        const held = session.queue.filter((message) => message.status === "held").length
        if (held > 0 && !force) {
          return yield* fail(
            "refused",
            `${held === 1 ? "1 message is" : `${held} messages are`} held for '${tag}'; --force forgets them too`
          )
        }
        const paths = yield* Paths
        const text = yield* Effect.scoped(
          Effect.gen(function* () {
            // the host of a session that was stopped just now is about to give it back
            yield* (yield* SessionLock)
              .acquire(paths.session(tag).lock)
              .pipe(Effect.retry({ while: ({ _tag }) => _tag === "SessionBusyError", schedule: hostGone }))
            // when it is refused, the session stays as it is, too
            const text = worktree ? yield* forgetWorktree(tag) : ""
            yield* paths.removeSession(tag)
            return text
          })
        )
        if (!worktree && own !== null) {
          yield* (yield* Output).note(
            `leap: its worktree stays (${oneLine(own.path, 300)}); 'leap forget --worktree ${tag}' removes it`
          )
        }
        return { document: { tag }, text }
      })
    )
  })
).pipe(Command.withDescription("Remove what is kept of an ended session"))
