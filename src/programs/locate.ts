import { Effect, Option } from "effect"
import { overlay } from "../domain/Environment.ts"
import type { ProviderRecord } from "../services/CLIProvider.ts"
import { Machine } from "../services/Machine.ts"
import { Providers } from "../services/Providers.ts"

/** What a CLI is started with on this machine. `path`: none when it is not there. */
export const locate = Effect.fn("locate")(function*(provider: ProviderRecord) {
  const machine = yield* Machine
  const launch = provider.launch({ args: [], env: machine.env, self: machine.self })
  const env = overlay(machine.env, launch.env)
  return { command: launch.command, env, path: yield* machine.which(launch.command, env) }
})

/** The CLIs that a user can be offered: those on this machine that are not hidden, in the user's order. */
export const installed = Effect.gen(function*() {
  const { all } = yield* Providers
  return yield* Effect.filter(all.filter(({ bundled, hidden }) => !bundled && !hidden), (provider) =>
    Effect.map(locate(provider), ({ path }) => Option.isSome(path)))
})
