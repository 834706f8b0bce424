import { Effect } from "effect"
import type { ProcessKey } from "../../domain/places/spool/HookOrigin.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { Paths } from "../../services/Paths.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { SessionLock } from "../../services/SessionLock.ts"

/** A process that outlived its session. */
export interface LeftProcess extends ProcessKey {
  readonly name: string
}

/** What ends with its CLI takes a moment to be gone. */
const looks = { times: 5, pause: "100 millis" } as const

/**
 * What a session's CLI has started and left running: servers that went into a group of their own outlive the hang-up of
 * its terminal. The environment that they were started with tells whose they are. Sessions that it has started are
 * their own, with all that is theirs: whose lock a process holds says so.
 */
const leftNow = Effect.fnUntraced(function* (tag: Tag) {
  const paths = yield* Paths
  const locks = yield* SessionLock
  const table = yield* ProcessTable
  const family = yield* table.family(null, "LEAP_SIGNAL_DIR", paths.session(tag).spool)
  if (family.length === 0) return []
  const others = (yield* paths.tags).filter((other) => other !== tag)
  const holders = yield* Effect.forEach(others, (other) => locks.holder(paths.session(other).lock))
  const hosts = new Set(holders.flatMap((holder) => holder?.pid ?? []))
  const found = yield* Effect.forEach(family, (key) =>
    Effect.map(table.ancestry(key.pid), (line): ReadonlyArray<LeftProcess> => {
      const [own] = line
      // a host that was started from here has its own name where the system shows no locks
      const isOthers = line.some(({ name, pid }) => hosts.has(pid) || name.startsWith("leap host"))
      return own === undefined || isOthers ? [] : [{ ...key, name: own.name }]
    })
  )
  return found.flat()
})

/** The processes that a session which has ended left running, when what ends with it is gone. */
export const leftBehind = Effect.fn("leftBehind")(function* (tag: Tag) {
  for (let look = 0; ; look++) {
    const left = yield* leftNow(tag)
    if (left.length === 0 || look === looks.times) return left
    yield* Effect.sleep(looks.pause)
  }
})

/** Ends them, by a kill where they do not heed a request; gives those that are still there. */
export const endLeft = Effect.fn("endLeft")(function* (tag: Tag, left: ReadonlyArray<LeftProcess>) {
  const table = yield* ProcessTable
  const names = new Map(left.map(({ name, pid }) => [pid, name]))
  let still = left
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    yield* Effect.forEach(still, (one) => table.signal(one, signal), { discard: true })
    still = (yield* leftBehind(tag)).filter(({ pid }) => names.has(pid))
    if (still.length === 0) return still
  }
  return still
})
