import { Clock, Deferred, Effect, Exit, Layer, Logger, References, Result, Schema } from "effect"
import * as fs from "node:fs"
import { HostOrder } from "./domain/words/session/HostSpec.ts"
import { errorTextOf } from "./domain/words/reading/Fields.ts"
import { hostOnly } from "./domain/words/environment/hostMemory.ts"
import * as leap from "./layers.ts"
import * as ClockForward from "./layers/system/ClockForward.ts"
import * as HookInboxSpool from "./layers/files/HookInboxSpool.ts"
import * as OwnStatusFile from "./layers/files/OwnStatusFile.ts"
import { registrations } from "./layers/providers/ProvidersBuiltin.ts"
import { hosted } from "./layers/providers/registry.ts"
import { closeInherited } from "./layers/system/hostProcess.ts"
import * as MemoryNode from "./layers/system/MemoryNode.ts"
import * as PidMapFile from "./layers/files/PidMapFile.ts"
import * as TelemetryLazy from "./layers/system/TelemetryLazy.ts"
import * as PtyNode from "./layers/terminal/PtyNode.ts"
import * as ScreenLazy from "./layers/terminal/ScreenLazy.ts"
import { describe, fail } from "./programs/exit.ts"
import type { HostReady } from "./services/HostLauncher.ts"
import { cliStarted } from "./programs/host/cliStarted.ts"
import * as Providers from "./services/Providers.ts"
import { version } from "./version.ts"

const layers = Layer.mergeAll(
  HookInboxSpool.layer,
  MemoryNode.layer,
  OwnStatusFile.layer,
  PidMapFile.layer,
  PtyNode.layer,
  ScreenLazy.layer
).pipe(
  Layer.provideMerge(
    leap.layerWith({ version, self: [process.execPath, process.argv[1] ?? ""], clis: hosted(registrations) })
  )
)

const logLimit = 1 << 20

/**
 * Redirects standard error to the session's log file and rotates one older log, so that both stay bounded. Nothing else
 * may open a file meanwhile, because the next `open` must return descriptor 2.
 */
const logTo = (file: string): void => {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  // opening one waits for a reader
  if (stat?.isFIFO() === true) throw new Error("it is a named pipe")
  if ((stat?.size ?? 0) > logLimit) fs.renameSync(file, `${file}.old`)
  const log = fs.openSync(file, "a", 0o600)
  fs.closeSync(2)
  fs.openSync(file, "a")
  fs.closeSync(log)
}

const logging = Layer.mergeAll(
  Layer.succeed(Logger.LogToStderr, true),
  Layer.succeed(References.MinimumLogLevel, "Info")
)

/** Milliseconds that a finished session's process may still take to close what is open. */
const exitGrace = 4_000

const takeOrder = (): HostOrder | null => {
  const text = fs.readFileSync(0, "utf8")
  if (text === "") return null
  const order = Schema.decodeUnknownSync(Schema.fromJsonString(HostOrder))(text)
  try {
    logTo(order.log)
  } catch (cause) {
    throw fail("failed", `its log ${order.log} cannot be written: ${errorTextOf(cause)}`)
  }
  return order
}

/**
 * The background process that owns one session: reads its spec from standard input, writes one line, and runs until its
 * CLI ends. It starts before the spec is known, and exits silently if none arrives.
 */
export const runHostProcess = async (): Promise<void> => {
  // the C library has read these variables; child processes must not inherit them
  for (const name of hostOnly(process.env)) delete process.env[name]
  closeInherited()
  // A closed terminal must not end the session; the process that started this one has called setsid.
  process.on("SIGHUP", () => {})
  process.stdout.on("error", () => {})
  const stopRequested = Deferred.makeUnsafe<void>()
  /** A connection that never closes (a suspended client, say) must not keep the session's process alive. */
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
        // the process that started this host is gone; the session continues
      }
    })
  // loads what the CLI's start needs while nobody waits for it
  await import("node-pty").catch(() => {})
  const order = Result.try(takeOrder)
  if (Result.isSuccess(order) && order.success === null) return process.exit(0)
  // a log line that cannot be written, as on a full disk, must not end the session
  process.stderr.on("error", () => {})
  const program = Effect.gen(function* () {
    const { spec } = (yield* Effect.fromResult(order))!
    process.title = `leap host ${spec.tag}`
    // the CLI starts first: what its host is made of is loaded meanwhile
    yield* Effect.promise(() => import("./programs/host/host.ts")).pipe(
      Effect.flatMap(({ sessionLife }) =>
        sessionLife({
          spec,
          announce,
          stopRequest: Deferred.await(stopRequested),
          onFinished: Effect.sync(exitLater)
        })
      ),
      Effect.provide(cliStarted(spec)),
      Effect.provide(Providers.layerOf(spec.cli, spec.args))
    )
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
