import { Effect, Layer, Result } from "effect"
import type { CliIdentity } from "../../domain/cli/provider/Identity.ts"
import { expand } from "../../domain/rules/settings/CustomCli.ts"
import { keysNamed } from "../../domain/rules/settings/screenPatterns.ts"
import type { CliSettings, Settings } from "../../domain/rules/settings/Settings.ts"
import { CLIProvider, type Provider } from "../../services/CLIProvider.ts"
import type { Registration } from "./registry.ts"

const withSettings = (base: Provider, identity: CliIdentity, settings: CliSettings): Provider => ({
  ...base,
  ...programOf(base, settings),
  ...identity,
  ...withKeys(base, settings),
  launch: (options) => {
    // The program is named in the settings: all of the user's arguments are its own.
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

/** How a program is read and typed into that is known by what the user's settings say of it. */
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

/** The user's keys for a CLI that leap knows. A key of leap's settings counts before one of the CLI's own. */
const withKeys = ({ forProgram, input, submitKey }: Provider, { keys }: CliSettings): Partial<Provider> => {
  if (forProgram !== undefined || keys === undefined) return {}
  const named = (names: string | undefined, otherwise: ReadonlyArray<string>) =>
    names === undefined ? otherwise : Result.getOrElse(keysNamed(names), () => otherwise)
  return {
    input: {
      ...input,
      submit: named(keys.submit, [input.submit]).join(""),
      interrupt: named(keys.interrupt, [input.interrupt]).join(""),
      clear: named(keys.clear, [input.clear]).join(""),
      quit: named(keys.quit, input.quit),
      bracketedPaste: keys.paste ?? input.bracketedPaste
    },
    ...(submitKey === undefined || keys.submit === undefined ? {} : { submitKey: () => Effect.succeed(null) })
  }
}

const settingsOf = (settings: Settings, id: string): CliSettings | undefined =>
  Object.hasOwn(settings.clis, id) ? settings.clis[id] : undefined

/** The built-in CLIs with the user's settings, and the user's variants; in the user's order, with the others last. */
export const configured = (builtin: ReadonlyArray<Registration>, settings: Settings): ReadonlyArray<Registration> => {
  const builtins = builtin.map((cli) => asConfigured(cli, settingsOf(settings, cli.identity.id) ?? {}))
  const variants = Object.entries(settings.clis).flatMap(([id, cli]) => {
    const base = builtin.find(({ identity }) => identity.id === cli.base)
    if (base === undefined || builtin.some(({ identity }) => identity.id === id)) return []
    // A variant uses its base's program by default; flags and environment are not inherited.
    const command = cli.command ?? settingsOf(settings, base.identity.id)?.command
    return [
      asConfigured(
        base,
        { ...cli, ...(command === undefined ? {} : { command }) },
        { id, base: base.identity.id, displayName: cli.displayName ?? id, bundled: false }
      )
    ]
  })
  const position = ({ identity }: Registration): number => {
    const index = settings.order.indexOf(identity.id)
    return index < 0 ? settings.order.length : index
  }
  return [...builtins, ...variants].sort((a, b) => position(a) - position(b))
}
