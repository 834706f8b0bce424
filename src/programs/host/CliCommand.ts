import { Context, Effect, Layer } from "effect"
import { CLIProvider, type Provider, type Launch } from "../../services/CLIProvider.ts"
import { System } from "../../services/System.ts"
import { Logins } from "./Logins.ts"
import { SessionContext } from "./SessionContext.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { overlay } from "../../domain/cli/provider/Environment.ts"
import { withoutSessionOnlyVariables } from "../../domain/words/environment/sessionOnlyVariables.ts"
import type { HostSpec } from "../../domain/words/session/HostSpec.ts"

/** The CLI's environment: that of the start, without variables that belong only to that moment. */
export const cliEnvironment = (
  env: Readonly<Record<string, string>>,
  spec: HostSpec,
  spool: string,
  launch: Launch
): Record<string, string> => {
  const own: Record<string, string | null> = {
    TERM: "xterm-256color",
    COLORTERM: env["COLORTERM"] ?? "truecolor",
    TERM_PROGRAM: "leap",
    LEAP_TAG: spec.tag,
    LEAP_SIGNAL_DIR: spool,
    LEAP_CLI_PROVIDER: spec.cli,
    PWD: spec.cwd,
    ...launch.env
  }
  return overlay(withoutSessionOnlyVariables(env, spec.inside), own)
}

export class CliCommand extends Context.Service<
  CliCommand,
  {
    readonly command: string
    readonly args: ReadonlyArray<string>
    /** All flags that leap may add, and the arguments without any of them. */
    readonly ownFlags: ReadonlyArray<string>
    readonly bareArgs: ReadonlyArray<string>
    /** The CLI's full environment, which also determines where it keeps its files. */
    readonly env: Readonly<Record<string, string>>
  }
>()("leap/programs/host/CliCommand") {}

const make = Effect.gen(function* () {
  const { paths, spec } = yield* SessionContext
  const provider = yield* CLIProvider
  const system = yield* System
  const logins = yield* Logins
  const options = { args: spec.args, env: system.env, self: system.self }
  const ownFlags = provider.ownFlags.map(({ flag }) => flag)
  const launch = provider.launch({ ...options, without: spec.withoutFlags ?? [] })
  return CliCommand.of({
    command: launch.command,
    args: launch.args,
    ownFlags,
    bareArgs: provider.launch({ ...options, without: ownFlags }).args,
    env: cliEnvironment({ ...system.env, ...logins.env }, spec, paths.spool, launch)
  })
})

export const layer = Layer.effect(CliCommand, make)

/** The path of a session's transcript; null if unknown. */
export const transcriptPathOf = (
  provider: Provider,
  env: Readonly<Record<string, string>>,
  status: Pick<SessionStatus, "sessionId" | "transcriptPath">
): string | null =>
  status.transcriptPath ??
  (status.sessionId === null || provider.transcript === undefined ? null : provider.transcript(env, status.sessionId))
