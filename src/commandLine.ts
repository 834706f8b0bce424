import * as NodeChildProcessSpawner from "@effect/platform-node/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Layer, Logger, References, type Stdio, type Terminal } from "effect"
import { errorCodeOf } from "./domain/words/reading/Fields.ts"
import { systemErrorText } from "./domain/store/relocation/systemErrorText.ts"
import { oneLine } from "./domain/words/text/printable.ts"
import * as leap from "./layers.ts"
import * as AcpServerLazy from "./layers/acp/AcpServerLazy.ts"
import * as ClipboardNode from "./layers/system/ClipboardNode.ts"
import * as CliVersionsNode from "./layers/system/CliVersionsNode.ts"
import * as HookInstallerFile from "./layers/files/HookInstallerFile.ts"
import * as HelpPagesFile from "./layers/files/HelpPagesFile.ts"
import * as HelpPresenterPages from "./layers/terminal/HelpPresenterPages.ts"
import * as HostLauncherNode from "./layers/system/HostLauncherNode.ts"
import * as PtyAddonLazy from "./layers/terminal/PtyAddonLazy.ts"
import * as RemoteHostsLazy from "./layers/control/RemoteHostsLazy.ts"
import * as ScreenLazy from "./layers/terminal/ScreenLazy.ts"
import * as OutJournalSqlite from "./layers/files/OutJournalSqlite.ts"
import * as SlackLazy from "./layers/outgoing/SlackLazy.ts"
import * as WebhooksNode from "./layers/outgoing/WebhooksNode.ts"
import * as SessionMoverLazy from "./layers/relocator/SessionMoverLazy.ts"
import * as WebListenerLazy from "./layers/web/WebListenerLazy.ts"
import * as WebPushLazy from "./layers/web/WebPushLazy.ts"
import * as WorktreesLazy from "./layers/worktrees/WorktreesLazy.ts"
import * as WiringTrialNode from "./layers/system/WiringTrialNode.ts"
import * as TelemetryLazy from "./layers/system/TelemetryLazy.ts"
import { builtIns, runCommandLine } from "./programs/cli.ts"
import type { LinePrompt } from "./services/LinePrompt.ts"
import type { Output } from "./services/Output.ts"
import { exitCode } from "./programs/exit.ts"
import { AgentProviders, UnknownAgentError } from "./services/AgentProvider.ts"
import type { UserTerminal } from "./services/UserTerminal.ts"

export interface CommandLineOptions extends leap.LeapOptions {
  readonly streams: Layer.Layer<LinePrompt | Output | Stdio.Stdio | Terminal.Terminal | UserTerminal>
  /** Takes text with line ends for standard error when no service can write it. */
  readonly tell: (text: string) => void
}

/** Prints warnings in the form of leap's other messages; with --log-level in the library's form, with their causes. */
const warnings = (argv: ReadonlyArray<string>, tell: CommandLineOptions["tell"]): Layer.Layer<never> =>
  argv.some((argument) => argument.startsWith("--log-level"))
    ? Layer.empty
    : Logger.layer([
        Logger.make<unknown, void>(({ cause, message }) => {
          const parts = (Array.isArray(message) ? message : [message]).map(String)
          const [why] = Cause.prettyErrors(cause)
          tell(`leap: ${oneLine([...parts, ...(why === undefined ? [] : [why.message])].join(": "), 500)}\n`)
        })
      ])

/** The layers of all commands, except those that run headless CLIs. */
const layers = (argv: ReadonlyArray<string>, { streams, ...options }: CommandLineOptions) =>
  Layer.mergeAll(
    NodeChildProcessSpawner.layer.pipe(Layer.provideMerge(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer))),
    AcpServerLazy.layer,
    ClipboardNode.layer,
    CliVersionsNode.layer,
    HelpPagesFile.layer,
    HelpPresenterPages.layer(argv),
    HostLauncherNode.layer,
    HookInstallerFile.layer,
    OutJournalSqlite.layer,
    PtyAddonLazy.layer,
    RemoteHostsLazy.layer,
    ScreenLazy.layer,
    SessionMoverLazy.layer,
    SlackLazy.layer,
    WebhooksNode.layer,
    WebListenerLazy.layer,
    WebPushLazy.layer,
    WiringTrialNode.layer,
    WorktreesLazy.layer,
    builtIns,
    Layer.succeed(Logger.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, "Warn")
  ).pipe(leap.replacedBy(options.parts), Layer.provideMerge(Layer.merge(leap.layerWith(options), streams)))

/** Loads the layers of headless CLIs only for the commands that use them. */
const agents = (argv: ReadonlyArray<string>) =>
  argv[0] === "exec" || argv[0] === "chat"
    ? Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./agentMain.ts")),
          ({ layer }) => layer
        )
      ).pipe(Layer.provide(NodeServices.layer))
    : Layer.succeed(AgentProviders, { all: [], get: (name) => Effect.fail(new UnknownAgentError({ name, known: [] })) })

/** Long-running commands, which export telemetry. For all others it would take longer than they do. */
const sends: ReadonlySet<string> = new Set(["web", "out", "monitor", "mcp", "acp"])

const telemetry = (argv: ReadonlyArray<string>) => (sends.has(argv[0] ?? "") ? TelemetryLazy.layer : Layer.empty)

export const commandLine = (argv: ReadonlyArray<string>, options: CommandLineOptions): Effect.Effect<number> =>
  runCommandLine(argv, options.version).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.mergeAll(agents(argv), telemetry(argv), warnings(argv, options.tell)).pipe(
        Layer.provideMerge(layers(argv, options))
      ),
      // separate for each command line, because one process may run several
      { local: true }
    )
  )

/** The exit codes of signals that end a command in order. */
export const signalCodes = { SIGINT: exitCode.cancelled, SIGTERM: 143, SIGHUP: 129 } as const

/** The exit code of a finished command line, and its last message, if any. */
export const endOf = (
  exit: Exit.Exit<number>,
  argv: ReadonlyArray<string>,
  signal: keyof typeof signalCodes | null
): { readonly code: number; readonly text: string | null } => {
  if (Exit.isSuccess(exit)) return { code: exit.value, text: null }
  const failed = (text: string) => ({ code: exitCode.failed, text })
  if (Cause.hasInterruptsOnly(exit.cause))
    return signal === null
      ? failed("leap: the session's host ended while it was asked\n")
      : { code: signalCodes[signal], text: null }
  const code = errorCodeOf(Cause.squash(exit.cause))
  if (code === "EMFILE") return failed(`leap: ${systemErrorText(code, code)}\n`)
  if (argv.includes("--log-level") && argv.includes("debug")) return failed(`${Cause.pretty(exit.cause)}\n`)
  const [defect] = Cause.prettyErrors(exit.cause)
  return failed(`leap: this is a bug in leap: ${defect?.message ?? "unknown"} (--log-level debug shows more)\n`)
}
