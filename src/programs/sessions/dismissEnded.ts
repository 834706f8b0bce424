import { Effect, Option } from "effect"
import { dismissing } from "../../domain/words/attention/dismissing.ts"
import { needsOf } from "../../domain/words/attention/needsOf.ts"
import type { NeedName } from "../../domain/words/session/Session.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { Paths } from "../../services/Paths.ts"
import { SessionLock } from "../../services/SessionLock.ts"
import { StatusStore } from "../../services/StatusStore.ts"

/**
 * Puts aside what a session needs that has ended: its host wrote its last status and is gone. Gives how many needs that
 * was; none where nothing is kept of the session.
 */
export const dismissEnded = Effect.fn("dismissEnded")(function* (tag: Tag, needs: ReadonlyArray<NeedName> | null) {
  const store = yield* StatusStore
  const paths = (yield* Paths).session(tag)
  // a host that starts meanwhile has a status of its own
  yield* (yield* SessionLock).acquire(paths.lock)
  const last = Option.getOrNull(yield* store.read(paths.status))
  if (last === null) return 0
  const dismissed = dismissing(last, needs)
  const count = needsOf(last).length - needsOf({ ...last, dismissed }).length
  if (count > 0) yield* store.write(paths.status, { ...last, dismissed }, true)
  return count
}, Effect.scoped)
