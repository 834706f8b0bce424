import { Effect, Layer, Logger, References, Scope } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { layer } from "../../../src/host.ts"
import { registrations } from "../../../src/layers/providers/ProvidersBuiltin.ts"
import { hosted } from "../../../src/layers/providers/registry.ts"
import * as TelemetryLazy from "../../../src/layers/system/TelemetryLazy.ts"
import { startHere } from "../../../src/programs/embed/sessions.ts"
import { HostLauncher } from "../../../src/services/HostLauncher.ts"

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

/**
 * Hosts the sessions of a command line in this process until the scope ends: all that hosts do, without the half second
 * that a process of its own takes to start. What only a process has (signals, an end without a word) they have not.
 */
export const launcherIn = (
  scope: Scope.Scope,
  own: { readonly env: Readonly<Record<string, string>>; readonly self: ReadonlyArray<string>; readonly cwd: string },
  end: (statusFile: string) => void
): Layer.Layer<HostLauncher> =>
  Layer.succeed(HostLauncher, {
    start: (spec, logFile) =>
      Effect.gen(function* () {
        fs.appendFileSync(logFile, "", { mode: 0o600 })
        const services = TelemetryLazy.layer.pipe(Layer.provideMerge(layer({ ...own, clis: hosted(registrations) })))
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
