import { Clock, Deferred, Effect, Exit, Layer, Logger, References, Schema } from "effect"
import * as fs from "node:fs"
import { HostSpec } from "./domain/words/session/HostSpec.ts"
import { hostOnly } from "./domain/words/session/hostMemory.ts"
import * as leap from "./layers.ts"
import * as ClockForward from "./layers/system/ClockForward.ts"
import * as HookInboxSpool from "./layers/files/HookInboxSpool.ts"
import * as OwnStatusFile from "./layers/files/OwnStatusFile.ts"
import { registrations } from "./layers/providers/ProvidersBuiltin.ts"
import { hosted } from "./layers/providers/registry.ts"
import * as MemoryNode from "./layers/system/MemoryNode.ts"
import * as PidMapFile from "./layers/files/PidMapFile.ts"
import * as TelemetryLazy from "./layers/system/TelemetryLazy.ts"
import * as PtyNode from "./layers/terminal/PtyNode.ts"
import * as ScreenXterm from "./layers/terminal/ScreenXterm.ts"
import { describe } from "./programs/exit.ts"
import type { HostReady } from "./services/HostLauncher.ts"
import { runHost } from "./programs/host/host.ts"
import * as Providers from "./services/Providers.ts"
import { version } from "./version.ts"

const layers = Layer.mergeAll(
  HookInboxSpool.layer,
  MemoryNode.layer,
  OwnStatusFile.layer,
  PidMapFile.layer,
  PtyNode.layer,
  ScreenXterm.layer
).pipe(
  Layer.provideMerge(
    leap.layerWith({ version, self: [process.execPath, process.argv[1] ?? ""], clis: hosted(registrations) })
  )
)

/** Standard error is the session's log file. */
const logging = Layer.mergeAll(
  Layer.succeed(Logger.LogToStderr, true),
  Layer.succeed(References.MinimumLogLevel, "Info")
)

/** Milliseconds that a finished session's process may still take to close what is open. */
const exitGrace = 4_000

/**
 * The background process that owns one session: reads its spec from standard input, writes one line, runs until its CLI
 * ends.
 */
export const runHostProcess = (): void => {
  // the C library has read them: nothing that this process starts is to
  for (const name of hostOnly(process.env)) delete process.env[name]
  // A closed terminal must not end the session; the process that started this one has called setsid.
  process.on("SIGHUP", () => {})
  // The log may be on a disk that is full; a line that cannot be written must not cost the session.
  process.stderr.on("error", () => {})
  process.stdout.on("error", () => {})
  const stopRequested = Deferred.makeUnsafe<void>()
  /**
   * A connection that neither ends nor fails (because its client is suspended, say) must not keep a session's process
   * alive.
   */
  const exitLater = () => {
    setTimeout(() => process.exit(0), exitGrace)
  }
  let announced = false
  const announce = (ready: HostReady) =>
    Effect.sync(() => {
      if (announced) return
      announced = true
      try {
        fs.writeSync(1, `${JSON.stringify(ready)}\n`)
      } catch {
        // the process that started this host is gone; the session runs all the same
      }
    })
  const program = Effect.gen(function* () {
    const text = yield* Effect.try(() => fs.readFileSync(0, "utf8"))
    const spec = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(HostSpec))(text)
    process.title = `leap host ${spec.tag}`
    yield* runHost({
      spec,
      announce,
      stopRequest: Deferred.await(stopRequested),
      finished: Effect.sync(exitLater)
    }).pipe(Effect.provide(Providers.layerOf(spec.cli, spec.args)))
  }).pipe(
    Effect.tapError((error) => {
      const { exitCode, message } = describe(error)
      return Effect.andThen(Effect.logError(message), announce({ ready: false, message, exitCode }))
    }),
    Effect.provide(TelemetryLazy.layer.pipe(Layer.provideMerge(layers))),
    Effect.provide(logging),
    Effect.provideServiceEffect(
      Clock.Clock,
      Effect.map(Clock.Clock, (clock) => ClockForward.from(clock, Date.now, () => performance.now()))
    )
  )
  const fiber = Effect.runFork(program)
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    // the first signal requests an orderly stop, the second ends the process at once
    process.on(signal, () => {
      if (Deferred.doneUnsafe(stopRequested, Effect.void)) return
      fiber.interruptUnsafe()
      exitLater()
    })
  }
  fiber.addObserver((exit) => {
    process.exit(Exit.isSuccess(exit) ? 0 : 1)
  })
}
