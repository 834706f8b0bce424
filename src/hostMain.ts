import { Clock, Deferred, Effect, Exit, Layer, Logger, References, Schema } from "effect"
import * as fs from "node:fs"
import { type HostReady, HostSpec } from "./domain/HostSpec.ts"
import * as ClockForward from "./layers/ClockForward.ts"
import * as ControlSocketUnix from "./layers/ControlSocketUnix.ts"
import * as DirectoryWatchNode from "./layers/DirectoryWatchNode.ts"
import * as FileTailNode from "./layers/FileTailNode.ts"
import * as HookInboxSpool from "./layers/HookInboxSpool.ts"
import * as MachineNode from "./layers/MachineNode.ts"
import * as OwnStatusFile from "./layers/OwnStatusFile.ts"
import * as PathsXdg from "./layers/PathsXdg.ts"
import * as ProcessTableNode from "./layers/ProcessTableNode.ts"
import * as ProvidersBuiltin from "./layers/ProvidersBuiltin.ts"
import * as PtyNode from "./layers/PtyNode.ts"
import * as QueueStoreFile from "./layers/QueueStoreFile.ts"
import * as ScreenXterm from "./layers/ScreenXterm.ts"
import * as SessionLockSqlite from "./layers/SessionLockSqlite.ts"
import * as StatusStoreFile from "./layers/StatusStoreFile.ts"
import { describe } from "./programs/exit.ts"
import { runHost } from "./programs/host/host.ts"
import { version } from "./version.ts"

const layers = Layer.mergeAll(
  ControlSocketUnix.layer,
  HookInboxSpool.layer.pipe(Layer.provide([DirectoryWatchNode.layer, ProcessTableNode.layer])),
  MachineNode.layerWith({ version, self: [process.execPath, process.argv[1] ?? ""] }),
  FileTailNode.layer.pipe(Layer.provide(DirectoryWatchNode.layer)),
  OwnStatusFile.layer.pipe(Layer.provide([DirectoryWatchNode.layer, ProcessTableNode.layer])),
  PathsXdg.layer,
  ProvidersBuiltin.layer,
  PtyNode.layer,
  QueueStoreFile.layer,
  ScreenXterm.layer,
  SessionLockSqlite.layer,
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
