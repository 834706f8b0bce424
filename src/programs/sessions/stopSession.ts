import { endedWithout } from "../../domain/words/session/withoutHost.ts"
import { Effect, Option, Result, Schedule } from "effect"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { Paths } from "../../services/Paths.ts"
import { SessionLock } from "../../services/SessionLock.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { System } from "../../services/System.ts"
import { connectTo, withHost } from "../client/client.ts"
import { fail } from "../exit.ts"
import { isBusy } from "../../services/StoreError.ts"
import type { ProcessKey } from "../../domain/store/hookSpool/HookOrigin.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"

interface LeftProcess extends ProcessKey {
  readonly name: string
}

/** A CLI's children take a moment to exit. */
const checks = { times: 5, pause: "100 millis" } as const

/**
 * Processes of a session's CLI that still run: servers in a process group of their own survive the terminal's hang-up.
 * Their environment identifies the session. Sessions that the CLI has started, and their processes, do not count: the
 * holders of session locks identify these.
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
      // where the system shows no lock holders, a host is known by its process title
      const isOthers = line.some(({ name, pid }) => hosts.has(pid) || name.startsWith("leap host"))
      return own === undefined || isOthers ? [] : [{ ...key, name: own.name }]
    })
  )
  return found.flat()
})

const leftBehind = Effect.fn("leftBehind")(function* (tag: Tag) {
  for (let check = 0; ; check++) {
    const left = yield* leftNow(tag)
    if (left.length === 0 || check === checks.times) return left
    yield* Effect.sleep(checks.pause)
  }
})

/** Ends them with SIGTERM, then SIGKILL; returns those that still run. */
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

/** A killed host is gone immediately; the system may take a moment to release its lock. */
const hostGone = Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(60)])

/** A healthy host answers far sooner, also on a loaded machine; a forced end waits no longer. */
const answerTimeout = "1500 millis"
/** A killed CLI is gone immediately; its host needs time for its last writes. */
const endTimeout = "5 seconds"

/** Kills a host that does not answer, by the pid in its lock or status; its CLI too if the status is this host's. */
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
  // an earlier host's status does not name this CLI
  if (last !== null && last.hostPid === hostPid && last.pid !== null) yield* system.kill(last.pid)
  const exit = { code: null, signal: "SIGKILL" }
  const freed = yield* Effect.scoped(
    Effect.gen(function* () {
      yield* locks.acquire(paths.lock).pipe(Effect.retry(hostGone))
      // writes the end that the host could not; the end was requested, so it is not a crash
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

/** Asks the host to end its session; if forced, kills a host that does not answer. */
const stopSession = Effect.fnUntraced(function* (tag: Tag, force: boolean) {
  if (!force) return yield* withHost(tag, (client) => client.Stop({ force }))
  return yield* Effect.gen(function* () {
    const client = yield* Effect.timeout(connectTo(tag), answerTimeout)
    return yield* Effect.timeout(client.Stop({ force }), endTimeout)
  }).pipe(
    Effect.scoped,
    Effect.catch((error) => killHost(tag, error))
  )
})

/** Ends a session; if forced, also its remaining processes. `note`: about those; `still`: those that still run. */
export const endSession = Effect.fn("endSession")(function* (tag: Tag, force: boolean) {
  const stopped = yield* Effect.result(stopSession(tag, force))
  const left = yield* leftBehind(tag)
  // with force, what an ended session has left running is ended all the same
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

/** Holds the session's lock until the scope closes, so that no host starts. */
export const ownSession = Effect.fnUntraced(function* (tag: Tag) {
  yield* (yield* SessionLock)
    .acquire((yield* Paths).session(tag).lock)
    .pipe(Effect.retry({ while: isBusy, schedule: hostGone }))
})
