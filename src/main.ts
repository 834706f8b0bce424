import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Layer, Logger, References } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { CliConfig, CliOutput, GlobalFlag } from "effect/cli"
import { oneLine } from "./domain/StateLine.ts"
import * as AuditLogFile from "./layers/AuditLogFile.ts"
import * as CliVersionsNode from "./layers/CliVersionsNode.ts"
import * as ControlSocketUnix from "./layers/ControlSocketUnix.ts"
import * as DirectoryWatchNode from "./layers/DirectoryWatchNode.ts"
import * as FileLockSqlite from "./layers/FileLockSqlite.ts"
import * as FileTailNode from "./layers/FileTailNode.ts"
import * as HookInstallerFile from "./layers/HookInstallerFile.ts"
import * as HostLauncherNode from "./layers/HostLauncherNode.ts"
import * as LinePromptReadline from "./layers/LinePromptReadline.ts"
import * as MachineNode from "./layers/MachineNode.ts"
import * as OutputStdio from "./layers/OutputStdio.ts"
import * as ModesStoreFile from "./layers/ModesStoreFile.ts"
import * as PathsXdg from "./layers/PathsXdg.ts"
import * as PricesFile from "./layers/PricesFile.ts"
import * as ProcessTableNode from "./layers/ProcessTableNode.ts"
import * as ProvidersBuiltin from "./layers/ProvidersBuiltin.ts"
import * as ProvidersConfigured from "./layers/ProvidersConfigured.ts"
import * as QueueStoreFile from "./layers/QueueStoreFile.ts"
import * as ScreenLazy from "./layers/ScreenLazy.ts"
import * as SessionMoverLazy from "./layers/SessionMoverLazy.ts"
import * as SessionRecordsFile from "./layers/SessionRecordsFile.ts"
import * as SharedFileNode from "./layers/SharedFileNode.ts"
import * as StatusStoreFile from "./layers/StatusStoreFile.ts"
import * as UserSettingsFile from "./layers/UserSettingsFile.ts"
import * as UserTerminalNode from "./layers/UserTerminalNode.ts"
import { presenter, runCommandLine } from "./programs/cli.ts"
import { exitCode } from "./programs/exit.ts"
import { AgentProviders, UnknownAgentError } from "./services/AgentProvider.ts"
import { version } from "./version.ts"

const machine = MachineNode.layerWith({ version, self: [process.execPath, process.argv[1] ?? ""] })

const sharedFile = SharedFileNode.layer.pipe(Layer.provide(FileLockSqlite.layer))
const settings = UserSettingsFile.layerOf(ProvidersBuiltin.records.map(({ id }) => id)).pipe(
  Layer.provide([DirectoryWatchNode.layer, PathsXdg.layer, sharedFile])
)

const prices = PricesFile.layer.pipe(Layer.provide([settings, machine]))

const providers = ProvidersConfigured.layerOf(ProvidersBuiltin.records).pipe(Layer.provide(settings))

const sessionRecords = SessionRecordsFile.layer.pipe(Layer.provide([PathsXdg.layer, sharedFile, providers, machine]))

/** Warnings as any other line of leap's; with --log-level as the library prints them, causes and all. */
const warnings = (argv: ReadonlyArray<string>): Layer.Layer<never> =>
  argv.some((word) => word.startsWith("--log-level")) ? Layer.empty : Logger.layer([
    Logger.make<unknown, void>(({ cause, message }) => {
      const told = (Array.isArray(message) ? message : [message]).map(String)
      const [why] = Cause.prettyErrors(cause)
      process.stderr.write(`leap: ${oneLine([...told, ...why === undefined ? [] : [why.message]].join(": "), 500)}\n`)
    })
  ])

const layers = Layer.mergeAll(
  AuditLogFile.layer.pipe(Layer.provide(PathsXdg.layer)),
  NodeServices.layer,
  CliVersionsNode.layer.pipe(Layer.provide([PathsXdg.layer, sharedFile])),
  ControlSocketUnix.layer,
  FileLockSqlite.layer,
  FileTailNode.layer.pipe(Layer.provide(DirectoryWatchNode.layer)),
  HostLauncherNode.layer.pipe(Layer.provide(machine)),
  HookInstallerFile.layer.pipe(Layer.provide(PathsXdg.layer)),
  LinePromptReadline.layer,
  machine,
  OutputStdio.layer,
  ModesStoreFile.layer.pipe(Layer.provide([PathsXdg.layer, sharedFile])),
  PathsXdg.layer,
  prices,
  ProcessTableNode.layer,
  providers,
  settings,
  sharedFile,
  QueueStoreFile.layer,
  ScreenLazy.layer,
  SessionMoverLazy.layer.pipe(Layer.provide([FileLockSqlite.layer, machine, PathsXdg.layer, providers, sessionRecords])),
  sessionRecords,
  StatusStoreFile.layer,
  UserTerminalNode.layer,
  CliOutput.layerPresenter(presenter),
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions, GlobalFlag.LogLevel] }),
  Layer.succeed(Logger.LogToStderr, true),
  Layer.succeed(References.MinimumLogLevel, "Warn")
)

/** What runs CLIs headless is loaded for the commands that do: all others start without it. */
const agents = (argv: ReadonlyArray<string>): Layer.Layer<AgentProviders> =>
  argv[0] === "exec" || argv[0] === "chat"
    ? Layer.unwrap(Effect.map(Effect.promise(() => import("./agentMain.ts")), ({ layer }) => layer)).pipe(
      Layer.provide([machine, NodeServices.layer, prices, settings])
    )
    : Layer.succeed(AgentProviders, { all: [], get: (name) => Effect.fail(new UnknownAgentError({ name, known: [] })) })

/** `leap demo` lives in a directory of its own, which goes when it ends. */
const demoDirectory = (argv: ReadonlyArray<string>): string | null => {
  if (argv[0] !== "demo" || argv.includes("--help")) return null
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "leap-demo-"))
  process.env["LEAP_HOME"] = path.join(dir, "leap")
  process.env["LEAP_DEMO_HOME"] = path.join(dir, "cli")
  return dir
}

/** The `leap` command. Signals end it as they should: what it holds is released first. */
export const run = (argv: ReadonlyArray<string>): void => {
  const directory = demoDirectory(argv)
  const exitWith = (code: number): never => {
    if (directory !== null) fs.rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    process.exit(code)
  }
  const fiber = Effect.runFork(runCommandLine(argv, version).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(layers, agents(argv), warnings(argv)))))
  const codes = { SIGINT: exitCode.cancelled, SIGTERM: 143, SIGHUP: 129 } as const
  let signalled: keyof typeof codes | undefined
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      signalled = signal
      fiber.interruptUnsafe()
    })
  }
  fiber.addObserver((exit) => {
    if (Exit.isSuccess(exit)) return exitWith(exit.value)
    if (Cause.hasInterruptsOnly(exit.cause) && signalled === undefined) {
      process.stderr.write("leap: the session's host ended while it was asked\n")
      return exitWith(exitCode.failed)
    }
    if (Cause.hasInterruptsOnly(exit.cause)) return exitWith(signalled === undefined ? exitCode.cancelled : codes[signalled])
    const debug = argv.includes("--log-level") && argv.includes("debug")
    const [defect] = Cause.prettyErrors(exit.cause)
    process.stderr.write(debug ? `${Cause.pretty(exit.cause)}\n` : `leap: this is a bug in leap: ${defect?.message ?? "unknown"} (--log-level debug shows more)\n`)
    exitWith(exitCode.failed)
  })
}
