import { Context, Effect, Layer } from "effect"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { System } from "../../services/System.ts"
import { Logins } from "./Logins.ts"
import { SessionContext } from "./SessionContext.ts"
import { cliEnvironment } from "./cliEnvironment.ts"

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
