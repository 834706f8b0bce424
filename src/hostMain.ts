import { Clock, Deferred, Effect, Exit, Layer, Logger, References, Schema } from "effect"
import * as fs from "node:fs"
import { type HostReady, HostSpec } from "./domain/HostSpec.ts"
import * as AuditLogFile from "./layers/AuditLogFile.ts"
import * as ClockForward from "./layers/ClockForward.ts"
import * as ControlSocketUnix from "./layers/ControlSocketUnix.ts"
import * as DirectoryWatchNode from "./layers/DirectoryWatchNode.ts"
import * as FileLockSqlite from "./layers/FileLockSqlite.ts"
import * as FileTailNode from "./layers/FileTailNode.ts"
import * as HookInboxSpool from "./layers/HookInboxSpool.ts"
import * as MachineNode from "./layers/MachineNode.ts"
import * as ModesStoreFile from "./layers/ModesStoreFile.ts"
import * as OwnStatusFile from "./layers/OwnStatusFile.ts"
import * as PathsXdg from "./layers/PathsXdg.ts"
import * as PricesFile from "./layers/PricesFile.ts"
import * as PidMapFile from "./layers/PidMapFile.ts"
import * as ProcessTableNode from "./layers/ProcessTableNode.ts"
import * as ProvidersBuiltin from "./layers/ProvidersBuiltin.ts"
import * as ProvidersConfigured from "./layers/ProvidersConfigured.ts"
import * as PtyNode from "./layers/PtyNode.ts"
import * as QueueStoreFile from "./layers/QueueStoreFile.ts"
import * as ScreenXterm from "./layers/ScreenXterm.ts"
import * as SessionRecordsFile from "./layers/SessionRecordsFile.ts"
import * as SharedFileNode from "./layers/SharedFileNode.ts"
import * as StatusStoreFile from "./layers/StatusStoreFile.ts"
import * as UserSettingsFile from "./layers/UserSettingsFile.ts"
import { describe } from "./programs/exit.ts"
import { runHost } from "./programs/host/host.ts"
import { version } from "./version.ts"

const sharedFile = SharedFileNode.layer.pipe(Layer.provide(FileLockSqlite.layer))
const settings = UserSettingsFile.layerOf(ProvidersBuiltin.records.map(({ id }) => id)).pipe(
  Layer.provide([DirectoryWatchNode.layer, PathsXdg.layer, sharedFile])
)

const machine = MachineNode.layerWith({ version, self: [process.execPath, process.argv[1] ?? ""] })

const providers = ProvidersConfigured.layerOf(ProvidersBuiltin.records).pipe(Layer.provide(settings))

const layers = Layer.mergeAll(
  AuditLogFile.layer.pipe(Layer.provide(PathsXdg.layer)),
  ControlSocketUnix.layer,
  HookInboxSpool.layer.pipe(Layer.provide([DirectoryWatchNode.layer, ProcessTableNode.layer])),
  FileLockSqlite.layer,
  machine,
  FileTailNode.layer.pipe(Layer.provide(DirectoryWatchNode.layer)),
  OwnStatusFile.layer.pipe(Layer.provide([DirectoryWatchNode.layer, ProcessTableNode.layer])),
  ModesStoreFile.layer.pipe(Layer.provide([PathsXdg.layer, sharedFile])),
  PathsXdg.layer,
  PidMapFile.layer.pipe(Layer.provide([PathsXdg.layer, ProcessTableNode.layer])),
  PricesFile.layer.pipe(Layer.provide([settings, machine])),
  providers,
  settings,
  PtyNode.layer,
  QueueStoreFile.layer,
  ScreenXterm.layer,
  SessionRecordsFile.layer.pipe(Layer.provide([PathsXdg.layer, sharedFile, providers, machine])),
  StatusStoreFile.layer
)

/** Standard error is the session's log file. */
const logging = Layer.mergeAll(Layer.succeed(Logger.LogToStderr, true), Layer.succeed(References.MinimumLogLevel, "Info"))

/** Milliseconds that a finished session's process may still take to close what is open. */
const departure = 4_000

/** The background process that owns one session: reads its spec on standard input, answers one line, runs until its CLI ends. */
export const runHostProcess = (): void => {
  // A closed terminal must not take the session with it; setsid was done by whoever started this process.
  process.on("SIGHUP", () => {})
  // The log may be on a disk that is full; a line that cannot be written must not cost the session.
  process.stderr.on("error", () => {})
  process.stdout.on("error", () => {})
  const asked = Deferred.makeUnsafe<void>()
  /** A connection that neither ends nor fails (its client was stopped, say) must not keep a session's process alive. */
  const leave = () => {
    setTimeout(() => process.exit(0), departure)
  }
  let announced = false
  const announce = (ready: HostReady) =>
    Effect.sync(() => {
      if (announced) return
      announced = true
      try {
        fs.writeSync(1, `${JSON.stringify(ready)}\n`)
      } catch {
        // whoever started this host is gone; the session runs all the same
      }
    })
  const program = Effect.gen(function*() {
    const text = yield* Effect.try(() => fs.readFileSync(0, "utf8"))
    const spec = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(HostSpec))(text)
    process.title = `leap host ${spec.tag}`
    yield* runHost({ spec, announce, asked: Deferred.await(asked), finished: Effect.sync(leave) })
  }).pipe(
    Effect.tapError((error) => {
      const { exitCode, message } = describe(error)
      return Effect.andThen(Effect.logError(message), announce({ ready: false, message, exitCode }))
    }),
    Effect.provide(layers),
    Effect.provide(logging),
    Effect.provideServiceEffect(Clock.Clock, Effect.map(Clock.Clock, (clock) => ClockForward.from(clock, Date.now, () => performance.now())))
  )
  const fiber = Effect.runFork(program)
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    // the first asks politely, a second one insists
    process.on(signal, () => {
      if (Deferred.doneUnsafe(asked, Effect.void)) return
      fiber.interruptUnsafe()
      leave()
    })
  }
  fiber.addObserver((exit) => {
    process.exit(Exit.isSuccess(exit) ? 0 : 1)
  })
}
