import { Effect, Option, Result, Schema } from "effect"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { System } from "../../services/System.ts"
import { allStatuses, statusOf } from "../client/statuses.ts"

/** The session's CLI is one of these processes. */
const runsAmong =
  (pids: ReadonlySet<number>) =>
  ({ hostPid, pid, state }: SessionStatus): boolean =>
    state !== "exited" && hostPid !== null && pid !== null && pids.has(pid)

/**
 * The session in which leap itself runs, as its CLI's descendant; null for none. What a process says of itself proves
 * nothing: the variables that leap sets only tell where to look first, its ancestors decide. They are looked up when
 * this is run, the session each time until one is found: a CLI may be quicker than its host's first status.
 */
export const ownSession = Effect.gen(function* () {
  const { env, pid } = yield* System
  const ancestors = yield* (yield* ProcessTable).ancestry(pid)
  const isOwn = runsAmong(new Set(ancestors.slice(1).map((process) => process.pid)))
  const named = Schema.decodeUnknownResult(Tag)(env["LEAP_TAG"] ?? "")
  let found: Tag | null = null
  return Effect.gen(function* () {
    if (found !== null) return found
    const first = Result.isSuccess(named) ? Option.getOrNull(yield* statusOf(named.success)) : null
    const own = first !== null && isOwn(first) ? first : (yield* allStatuses()).find(isOwn)
    found = own === undefined ? null : Tag.make(own.tag)
    return found
  })
})
