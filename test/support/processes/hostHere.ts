import { Clock, Effect, Layer, Logger, References, Scope } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { layer } from "../../../src/host.ts"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import * as RecordStoreSqlite from "../../../src/layers/files/RecordStoreSqlite.ts"
import { registrations } from "../../../src/layers/providers/ProvidersBuiltin.ts"
import { hosted } from "../../../src/layers/providers/registry.ts"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import * as TelemetryLazy from "../../../src/layers/system/TelemetryLazy.ts"
import { startHere } from "../../../src/programs/embed/sessions.ts"
import { keepRecord } from "../../../src/quick/recordUpkeep.ts"
import { HostLauncher } from "../../../src/services/HostLauncher.ts"
import { RecordStore } from "../../../src/services/RecordStore.ts"
import { version } from "../../../src/version.ts"

/** What its host tells of a session, in the session's log. */
const logTo = (file: string) =>
  Layer.mergeAll(
    Logger.layer([
      Logger.map(Logger.formatLogFmt, (line) => {
        // its directory goes with the room, or is deleted by a test
        if (fs.existsSync(file)) fs.appendFileSync(file, `${line}\n`)
      })
    ]),
    Layer.succeed(References.MinimumLogLevel, "Info")
  )

interface Own {
  readonly env: Readonly<Record<string, string>>
  readonly self: ReadonlyArray<string>
  readonly cwd: string
}

/** The record, whose upkeep is done in this process: each session starts one, and programs take long to start. */
const recordKeptHere = ({ cwd, env, self }: Own): Layer.Layer<RecordStore> =>
  Layer.effect(
    RecordStore,
    Effect.map(RecordStore, (store) => ({
      ...store,
      upkeep: (days, megabytes) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.ignore(Effect.try(() => keepRecord(store.file, days, megabytes, now)))
        )
    }))
  ).pipe(
    Layer.provide(RecordStoreSqlite.layer),
    Layer.provide([FileLockSqlite.layer, PathsXdg.layerFrom(env, cwd), SystemNode.layerWith({ self, version })])
  )

/**
 * Hosts the sessions of a command line in this process until the scope ends: all that hosts do, without the half second
 * that a process of its own takes to start. What only a process has (signals, an end without a word) they have not.
 */
export const launcherIn = (
  scope: Scope.Scope,
  own: Own,
  end: (statusFile: string) => void
): Layer.Layer<HostLauncher> =>
  Layer.succeed(HostLauncher, {
    start: (spec, logFile) =>
      Effect.gen(function* () {
        fs.appendFileSync(logFile, "", { mode: 0o600 })
        const parts = recordKeptHere(own)
        const services = TelemetryLazy.layer.pipe(
          Layer.provideMerge(layer({ ...own, clis: hosted(registrations), parts }))
        )
        // apart from the command's own services, which end with it
        const context = yield* Layer.buildWithMemoMap(services, Layer.makeMemoMapUnsafe(), scope)
        yield* startHere(spec).pipe(Effect.provide(context), Effect.provide(logTo(logFile)), Scope.provide(scope))
        const status = path.join(path.dirname(logFile), "status.json")
        // its CLI ends without being asked: a room waits for nobody's leave-taking
        yield* Scope.addFinalizer(
          scope,
          Effect.sync(() => end(status))
        )
      })
  })
