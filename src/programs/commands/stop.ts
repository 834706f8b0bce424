import { Effect, Option, Schedule } from "effect"
import { Command } from "effect/cli"
import type { Tag } from "../../domain/session/Tag.ts"
import { oneLine } from "../../domain/text/printable.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"
import { SessionLock } from "../../services/SessionLock.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { System } from "../../services/System.ts"
import { statusOf } from "../client/client.ts"
import { fail } from "../exit.ts"
import { forgetWorktree, worktreeKept } from "../sessions/worktrees.ts"
import { jsonFlag, withSession } from "./common.ts"
import { allFlag, chooseTags, forChosen, tagsArgument } from "./many.ts"
import { requireStatus, runs } from "./sessions.ts"
import { toggle } from "./toggle.ts"

/** A killed host is gone at once; the system may take a moment to give its lock back. */
const hostGone = Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(60)])

/**
 * Ends a session whose host does not answer. The session's lock shows that a host lives, and its stored status which
 * process that is; when the host is gone the CLI gets a hang-up.
 */
const killHost = Effect.fnUntraced(function* <E extends { readonly _tag: string }>(tag: Tag, error: E) {
  if (error._tag === "NoSessionError" || error._tag === "RefusedError") return yield* Effect.fail(error)
  const system = yield* System
  const paths = (yield* Paths).session(tag)
  const last = yield* (yield* StatusStore).read(paths.status)
  const held = yield* (yield* SessionLock)
    .acquire(paths.lock)
    .pipe(
      Effect.scoped,
      Effect.match({ onSuccess: () => false, onFailure: (busy) => busy._tag === "SessionBusyError" })
    )
  if (!held || Option.isNone(last)) return { code: null, signal: null }
  for (const pid of [last.value.hostPid, last.value.pid]) if (pid !== null) yield* system.kill(pid)
  const exit = { code: null, signal: "SIGKILL" }
  // the end that its host could not write down: it was asked for, and is no crash
  yield* Effect.scoped(
    Effect.andThen(
      (yield* SessionLock).acquire(paths.lock).pipe(Effect.retry(hostGone)),
      (yield* StatusStore).write(
        paths.status,
        {
          ...last.value,
          state: "exited",
          ready: false,
          dialog: false,
          reason: "ended by 'leap stop --force'",
          attached: 0,
          hostPid: null,
          pid: null,
          message: null,
          problem: null,
          exit
        },
        true
      )
    )
  ).pipe(Effect.ignore)
  return exit
})

export const stop = Command.make(
  "stop",
  {
    tags: tagsArgument,
    all: allFlag,
    force: toggle("force", "Kill the CLI at once, also where its host does not answer"),
    json: jsonFlag
  },
  Effect.fn(function* ({ all, force, json, tags }) {
    yield* forChosen(
      yield* chooseTags(tags, all, runs),
      json,
      Effect.fnUntraced(function* (tag) {
        const stopped = withSession(tag, (client) => client.Stop({ force }))
        const exit = yield* force
          ? stopped.pipe(
              Effect.timeout("5 seconds"),
              Effect.catch((error) => killHost(tag, error))
            )
          : stopped
        return { document: { tag, exit }, text: "" }
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
