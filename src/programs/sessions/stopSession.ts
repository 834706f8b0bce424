import { endedWithout } from "../../domain/words/session/withoutHost.ts"
import { Effect, Option, Result, Schedule } from "effect"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { Paths } from "../../services/Paths.ts"
import { SessionLock } from "../../services/SessionLock.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { System } from "../../services/System.ts"
import { connectTo } from "../client/client.ts"
import { fail } from "../exit.ts"
import { isBusy } from "../../services/StoreError.ts"
import type { ProcessKey } from "../../domain/places/spool/HookOrigin.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"

/** A process that outlived its session. */
interface LeftProcess extends ProcessKey {
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
const leftBehind = Effect.fn("leftBehind")(function* (tag: Tag) {
  for (let look = 0; ; look++) {
    const left = yield* leftNow(tag)
    if (left.length === 0 || look === looks.times) return left
    yield* Effect.sleep(looks.pause)
  }
})

/** Ends them, by a kill where they do not heed a request; gives those that are still there. */
const endLeft = Effect.fn("endLeft")(function* (tag: Tag, left: ReadonlyArray<LeftProcess>) {
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

/** A killed host is gone at once; the system may take a moment to give its lock back. */
const hostGone = Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(60)])

/** A host that is well answers far sooner, also on a machine under load; who forces the end waits no longer. */
const answerPatience = "1500 millis"
/** A killed CLI is gone at once, and its host writes down what is left to write. */
const endPatience = "5 seconds"

/** Ends a session whose host does not answer: its lock or status names the process. Its CLI gets a hang-up. */
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
        const ended = { ...endedWithout(last, "ended by 'leap stop --force'", null), exit }
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
  if (!force) return yield* Effect.scoped(Effect.flatMap(connectTo(tag), (client) => client.Stop({ force })))
  return yield* Effect.gen(function* () {
    const client = yield* Effect.timeout(connectTo(tag), answerPatience)
    return yield* Effect.timeout(client.Stop({ force }), endPatience)
  }).pipe(
    Effect.scoped,
    Effect.catch((error) => killHost(tag, error))
  )
})

/** Ends a session, by force also what it left running. `note`: on that; `still`: what goes on all the same. */
export const endSession = Effect.fn("endSession")(function* (tag: Tag, force: boolean) {
  const stopped = yield* Effect.result(stopSession(tag, force))
  const left = yield* leftBehind(tag)
  // who ends by force what was left behind has ended the session before
  if (Result.isFailure(stopped) && (!force || left.length === 0)) return yield* Effect.fail(stopped.failure)
  const still = force ? yield* endLeft(tag, left) : left
  const names = (some: ReadonlyArray<LeftProcess>) =>
    oneLine(some.map(({ name, pid }) => `${pid} (${name})`).join(", "), 300)
  const advice = force ? "they do not heed a kill" : `'leap stop ${tag} --force' ends them`
  const note =
    still.length > 0
      ? `session '${tag}' left running: ${names(still)}; ${advice}`
      : left.length > 0
        ? `ended what session '${tag}' left running: ${names(left)}`
        : null
  return { exit: Result.isSuccess(stopped) ? stopped.success : null, note, still }
})

/** Has the session's lock, so that no host has it, until the scope closes. */
export const ownSession = Effect.fnUntraced(function* (tag: Tag) {
  yield* (yield* SessionLock)
    .acquire((yield* Paths).session(tag).lock)
    .pipe(Effect.retry({ while: isBusy, schedule: hostGone }))
})
