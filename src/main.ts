import * as NodeChildProcessSpawner from "@effect/platform-node/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import { Cause, Effect, Exit, Layer, Logger, References } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { CliOutput } from "effect/cli"
import { errorCodeOf } from "./domain/words/reading/Fields.ts"
import { systemErrorText } from "./domain/places/relocation/systemErrorText.ts"
import { oneLine } from "./domain/words/text/printable.ts"
import * as leap from "./layers.ts"
import * as AcpServerLazy from "./layers/acp/AcpServerLazy.ts"
import * as ClipboardNode from "./layers/system/ClipboardNode.ts"
import * as CliVersionsNode from "./layers/system/CliVersionsNode.ts"
import * as CliTerminalLazy from "./layers/terminal/CliTerminalLazy.ts"
import * as HookInstallerFile from "./layers/files/HookInstallerFile.ts"
import * as HelpPagesFile from "./layers/files/HelpPagesFile.ts"
import * as HostLauncherNode from "./layers/system/HostLauncherNode.ts"
import * as LinePromptReadline from "./layers/terminal/LinePromptReadline.ts"
import * as OutputStdio from "./layers/terminal/OutputStdio.ts"
import * as PtyAddonLazy from "./layers/terminal/PtyAddonLazy.ts"
import * as ScreenLazy from "./layers/terminal/ScreenLazy.ts"
import * as OutJournalSqlite from "./layers/files/OutJournalSqlite.ts"
import * as SecretsFile from "./layers/files/SecretsFile.ts"
import * as SlackLazy from "./layers/out/SlackLazy.ts"
import * as WebhooksNode from "./layers/out/WebhooksNode.ts"
import * as SessionMoverLazy from "./layers/relocator/SessionMoverLazy.ts"
import * as WebListenerLazy from "./layers/web/WebListenerLazy.ts"
import * as WorktreesLazy from "./layers/worktrees/WorktreesLazy.ts"
import * as WiringTrialNode from "./layers/system/WiringTrialNode.ts"
import * as TelemetryLazy from "./layers/system/TelemetryLazy.ts"
import * as UserTerminalNode from "./layers/terminal/UserTerminalNode.ts"
import { builtIns, runCommandLine } from "./programs/cli.ts"
import { presenter } from "./programs/commands/helpPresenter.ts"
import { Output } from "./services/Output.ts"
import { exitCode } from "./programs/exit.ts"
import { AgentProviders, UnknownAgentError } from "./services/AgentProvider.ts"
import { version } from "./version.ts"

const base = leap.layerWith({ version, self: [process.execPath, process.argv[1] ?? ""] })

/** Warnings in the form of leap's other messages; with --log-level as the library prints them, with their causes. */
const warnings = (argv: ReadonlyArray<string>): Layer.Layer<never> =>
  argv.some((argument) => argument.startsWith("--log-level"))
    ? Layer.empty
    : Logger.layer([
        Logger.make<unknown, void>(({ cause, message }) => {
          const parts = (Array.isArray(message) ? message : [message]).map(String)
          const [why] = Cause.prettyErrors(cause)
          process.stderr.write(
            `leap: ${oneLine([...parts, ...(why === undefined ? [] : [why.message])].join(": "), 500)}\n`
          )
        })
      ])

const layers = Layer.mergeAll(
  NodeChildProcessSpawner.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeStdio.layer))
  ),
  CliTerminalLazy.layer,
  AcpServerLazy.layer,
  ClipboardNode.layer,
  CliVersionsNode.layer,
  HelpPagesFile.layer,
  HostLauncherNode.layer,
  HookInstallerFile.layer,
  LinePromptReadline.layer,
  OutJournalSqlite.layer,
  OutputStdio.layer,
  PtyAddonLazy.layer,
  ScreenLazy.layer,
  SessionMoverLazy.layer,
  SlackLazy.layer,
  UserTerminalNode.layer,
  WebhooksNode.layer,
  WebListenerLazy.layer,
  WiringTrialNode.layer,
  WorktreesLazy.layer,
  Layer.unwrap(Effect.map(Output, (output) => CliOutput.layerPresenter(presenter(output)))).pipe(
    Layer.provide(OutputStdio.layer)
  ),
  builtIns,
  Layer.succeed(Logger.LogToStderr, true),
  Layer.succeed(References.MinimumLogLevel, "Warn")
).pipe(Layer.provide(SecretsFile.layer), Layer.provideMerge(base))

/**
 * The layers that run CLIs headless are loaded only for the commands that use them, so that all others start without
 * them.
 */
const agents = (argv: ReadonlyArray<string>): Layer.Layer<AgentProviders> =>
  argv[0] === "exec" || argv[0] === "chat"
    ? Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./agentMain.ts")),
          ({ layer }) => layer
        )
      ).pipe(Layer.provide([NodeServices.layer, base]))
    : Layer.succeed(AgentProviders, { all: [], get: (name) => Effect.fail(new UnknownAgentError({ name, known: [] })) })

/** What goes on for long sends what the user's settings say; for all others it would take longer than they do. */
const sends: ReadonlySet<string> = new Set(["web", "out", "monitor", "mcp", "acp"])

const telemetry = (argv: ReadonlyArray<string>) =>
  sends.has(argv[0] ?? "") ? TelemetryLazy.layer.pipe(Layer.provide(base)) : Layer.empty

/** `leap demo` gets a directory of its own, which is deleted when it ends. */
const demoDirectory = (argv: ReadonlyArray<string>): string | null => {
  if (argv[0] !== "demo" || argv.includes("--help")) return null
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "leap-demo-"))
  process.env["LEAP_HOME"] = path.join(dir, "leap")
  process.env["LEAP_DEMO_HOME"] = path.join(dir, "cli")
  return dir
}

/** The `leap` command. When a signal ends it, its resources are released first. */
export const run = (argv: ReadonlyArray<string>): void => {
  const directory = demoDirectory(argv)
  const exitWith = (code: number): never => {
    if (directory !== null) fs.rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    process.exit(code)
  }
  const fiber = Effect.runFork(
    runCommandLine(argv, version).pipe(
      Effect.scoped,
      Effect.provide(Layer.mergeAll(layers, agents(argv), telemetry(argv), warnings(argv)))
    )
  )
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
    if (Cause.hasInterruptsOnly(exit.cause))
      return exitWith(signalled === undefined ? exitCode.cancelled : codes[signalled])
    const code = errorCodeOf(Cause.squash(exit.cause))
    if (code === "EMFILE") {
      process.stderr.write(`leap: ${systemErrorText(code, code)}\n`)
      return exitWith(exitCode.failed)
    }
    const debug = argv.includes("--log-level") && argv.includes("debug")
    const [defect] = Cause.prettyErrors(exit.cause)
    process.stderr.write(
      debug
        ? `${Cause.pretty(exit.cause)}\n`
        : `leap: this is a bug in leap: ${defect?.message ?? "unknown"} (--log-level debug shows more)\n`
    )
    exitWith(exitCode.failed)
  })
}
