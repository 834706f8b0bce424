import { Clock, Context, Effect, Layer, Option, Schedule, Schema } from "effect"
import type { HostSpec } from "../../domain/words/session/HostSpec.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { HookInbox } from "../../services/HookInbox.ts"
import { Paths, type SessionPaths } from "../../services/Paths.ts"
import { PidMap } from "../../services/PidMap.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { type HeldLock, SessionLock } from "../../services/SessionLock.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { System } from "../../services/System.ts"
import { isBusy } from "../../services/StoreError.ts"

export class SessionContext extends Context.Service<
  SessionContext,
  {
    readonly spec: HostSpec
    readonly tag: Tag
    readonly paths: SessionPaths
    readonly lock: HeldLock
    /** When this host took the session over, in milliseconds since the epoch. */
    readonly startedAt: number
    readonly hostPid: number
    readonly version: string
  }
>()("leap/programs/host/SessionContext") {}

/** An exiting host holds the session for a moment longer. */
const lockRetries = Schedule.max([Schedule.spaced("100 millis"), Schedule.recurs(30)])

/** How long the killed remains of an earlier host may take to exit, in milliseconds. */
const leftoverTimeout = 1_000

/** Takes the session over exclusively for the scope. Kills what an earlier host left running. */
const takeOver = Effect.fn("takeOver")(function* (spec: HostSpec) {
  const system = yield* System
  const tag = yield* Schema.decodeUnknownEffect(Tag)(spec.tag)
  const paths = yield* (yield* Paths).ensureSession(tag)
  const lock = yield* (yield* SessionLock)
    .acquire(paths.lock)
    .pipe(Effect.retry({ while: isBusy, schedule: lockRetries }))
  yield* (yield* HookInbox).clear(paths.spool)
  // A CLI that survived the hang-up of its killed host would work on the same files as the new one. Its host may have
  // been killed before it had written a status.
  const former = Option.getOrNull(yield* (yield* StatusStore).read(paths.status))
  const left = new Set(yield* (yield* PidMap).pidsOf(paths.spool))
  if (former?.pid != null && former.exit === null) left.add(former.pid)
  for (const pid of left) {
    const { found } = yield* (yield* ProcessTable).end(
      {
        _tag: "Group",
        leader: { pid, birth: null },
        mark: { variable: "LEAP_SIGNAL_DIR", value: paths.spool }
      },
      // It has ignored the hang-up of its terminal.
      [{ signal: "SIGKILL", patience: leftoverTimeout }]
    )
    if (found) {
      yield* Effect.logWarning(`ended process ${pid}, which an earlier host of this session had left behind`)
    }
  }
  const startedAt = yield* Clock.currentTimeMillis
  return SessionContext.of({ spec, tag, paths, lock, startedAt, hostPid: system.pid, version: system.version })
})

export const layer = (spec: HostSpec) => Layer.effect(SessionContext, takeOver(spec))
