import { Effect, Layer } from "effect"
import type { CliIdentity } from "../../domain/cli/provider/Identity.ts"
import { withKeys } from "../../domain/cli/provider/withKeys.ts"
import { expand, settingsFor, variantsOf } from "../../domain/store/settings/CustomCli.ts"
import type { CliSettings, Settings } from "../../domain/store/settings/Settings.ts"
import { CLIProvider, type Provider } from "../../services/CLIProvider.ts"
import type { Registration } from "./registry.ts"

const withSettings = (base: Provider, identity: CliIdentity, settings: CliSettings): Provider => ({
  ...base,
  ...programOf(base, settings),
  ...identity,
  ...typedBy(base, settings),
  launch: (options) => {
    // The settings name the program, so all of the user's arguments belong to it.
    const isNamed = base.takesCommand && settings.command !== undefined
    const launch = base.launch(isNamed ? { ...options, args: [settings.command, ...options.args] } : options)
    const added = Object.entries(settings.env ?? {}).map(([name, value]) => [name, expand(value, options.env)])
    return {
      ...launch,
      command: settings.command === undefined ? launch.command : expand(settings.command, options.env),
      env: { ...launch.env, ...Object.fromEntries(added) }
    }
  }
})

/** The program's own reading and keys, if the user's settings describe them. */
const programOf = ({ forProgram }: Provider, { command, keys, screen }: CliSettings): Partial<Provider> => {
  if (forProgram === undefined || (command ?? keys ?? screen) === undefined) return {}
  const own = { ...(screen === undefined ? {} : { screen }), ...(keys === undefined ? {} : { keys }) }
  return { ...forProgram(command ?? "", own), forProgram: (command, more) => forProgram(command, { ...own, ...more }) }
}

/** A CLI with the user's settings (name, program, flags, environment), over its base's layer. */
const asConfigured = (base: Registration, settings: CliSettings, changed: Partial<CliIdentity> = {}): Registration => {
  const identity: CliIdentity = {
    ...base.identity,
    displayName: settings.displayName ?? base.identity.displayName,
    flags: settings.flags ?? null,
    hidden: settings.hidden ?? false,
    takesCommand: base.identity.takesCommand && settings.command === undefined,
    ...changed
  }
  return {
    identity,
    layer: Layer.effect(
      CLIProvider,
      Effect.map(CLIProvider, (provider) => withSettings(provider, identity, settings))
    ).pipe(Layer.provide(base.layer))
  }
}

/** The user's keys for a known CLI. A key in leap's settings has precedence over one in the CLI's own. */
const typedBy = ({ forProgram, input, submitKey }: Provider, { keys }: CliSettings): Partial<Provider> => {
  if (forProgram !== undefined || keys === undefined) return {}
  return {
    input: withKeys(input, keys),
    ...(submitKey === undefined || keys.submit === undefined ? {} : { submitKey: () => Effect.succeed(null) })
  }
}

/** The built-in CLIs with the user's settings, and the user's variants; in the user's order, with the others last. */
export const configured = (builtin: ReadonlyArray<Registration>, settings: Settings): ReadonlyArray<Registration> => {
  const builtins = builtin.map((cli) => asConfigured(cli, settingsFor(settings.clis, cli.identity.id)))
  const known = builtin.map((cli) => ({ id: cli.identity.id, cli }))
  const variants = variantsOf(settings.clis, known).map(({ base, id, settings: own }) =>
    asConfigured(base.cli, own, { id, base: base.id, displayName: own.displayName ?? id, bundled: false })
  )
  const position = ({ identity }: Registration): number => {
    const index = settings.order.indexOf(identity.id)
    return index < 0 ? settings.order.length : index
  }
  return [...builtins, ...variants].sort((a, b) => position(a) - position(b))
}
