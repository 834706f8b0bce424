import { Effect, Option } from "effect"
import { overlay } from "../../domain/cli/provider/Environment.ts"
import { flagsToLeaveOut } from "../../domain/cli/provider/OwnFlag.ts"
import type { CliIdentity, Provider } from "../../services/CLIProvider.ts"
import { CliVersions, type LookUpOptions } from "../../services/CliVersions.ts"
import { System } from "../../services/System.ts"
import { Providers } from "../../services/Providers.ts"

/** How a CLI is started here with these arguments, in a directory (default: leap's own). No `path`: not installed. */
export const locate = Effect.fn("locate")(function* (
  provider: Provider,
  directory?: string,
  args: ReadonlyArray<string> = []
) {
  const system = yield* System
  const launch = provider.launch({ args, env: system.env, self: system.self })
  const env = overlay(system.env, launch.env)
  return { command: launch.command, env, path: yield* Effect.option(system.which(launch.command, env, directory)) }
})

/** The version that a CLI's program prints; null if it is not installed, or prints none. */
export const versionOf = Effect.fn("versionOf")(function* (
  provider: Provider,
  options: LookUpOptions & { readonly directory?: string } = {}
) {
  const { env, path } = yield* locate(provider, options.directory)
  return Option.isNone(path)
    ? null
    : yield* (yield* CliVersions).lookUp({ program: path.value, args: provider.versionArgs, env }, options)
})

export const flagsWithout = Effect.fn("flagsWithout")(function* (
  provider: Provider,
  version: string | null,
  directory?: string
) {
  if (provider.ownFlags.length === 0) return []
  const { env, path } = yield* locate(provider, directory)
  const help =
    version !== null || Option.isNone(path) ? null : yield* (yield* CliVersions).flags({ program: path.value, env })
  return flagsToLeaveOut(provider.ownFlags, version, help)
})

/** A CLI that needs a command cannot be picked by its name alone. */
export const isOffered = ({ bundled, hidden, takesCommand }: CliIdentity): boolean =>
  !bundled && !hidden && !takesCommand

/** The CLIs to offer the user: those installed on this machine that are not hidden, in the user's order. */
export const installed = Effect.gen(function* () {
  const providers = yield* Providers
  return yield* Effect.filter(yield* providers.load(isOffered), (provider) =>
    Effect.map(locate(provider), ({ path }) => Option.isSome(path))
  )
})
