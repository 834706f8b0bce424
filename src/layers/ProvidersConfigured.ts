import { Effect, Layer } from "effect"
import { expand } from "../domain/settings/CustomCli.ts"
import type { CliSettings, Settings } from "../domain/settings/Settings.ts"
import type { ProviderRecord } from "../services/CLIProvider.ts"
import { Providers, registryOf } from "../services/Providers.ts"
import { UserSettings } from "../services/UserSettings.ts"

/** A record with what the user has said of it: another program, more environment, default flags. */
const adjusted = (record: ProviderRecord, own: CliSettings): ProviderRecord => ({
  ...record,
  displayName: own.displayName ?? record.displayName,
  flags: own.flags ?? null,
  hidden: own.hidden ?? false,
  launch: (options) => {
    const launch = record.launch(options)
    const added = Object.entries(own.env ?? {}).map(([name, value]) => [name, expand(value, options.env)])
    return {
      ...launch,
      command: own.command === undefined ? launch.command : expand(own.command, options.env),
      env: { ...launch.env, ...Object.fromEntries(added) }
    }
  }
})

const settingsOf = (settings: Settings, id: string): CliSettings | undefined =>
  Object.hasOwn(settings.clis, id) ? settings.clis[id] : undefined

/**
 * The built-in records as the user wants them, and the user's own variants of them: another name, program, flags and
 * environment, while everything else is the base's. In the user's order, the others behind it.
 */
export const configured = (builtin: ReadonlyArray<ProviderRecord>, settings: Settings): ReadonlyArray<ProviderRecord> => {
  const own = builtin.map((record) => adjusted(record, settingsOf(settings, record.id) ?? {}))
  const variants = Object.entries(settings.clis).flatMap(([id, cli]) => {
    const base = builtin.find((record) => record.id === cli.base)
    if (base === undefined || builtin.some((record) => record.id === id)) return []
    // where the base's program is, is where the variant's is; flags and environment are each one's own
    const command = cli.command ?? settingsOf(settings, base.id)?.command
    const variant = adjusted(base, { ...cli, ...(command === undefined ? {} : { command }) })
    return [{ ...variant, id, base: base.id, displayName: cli.displayName ?? id, bundled: false }]
  })
  const place = ({ id }: ProviderRecord): number => {
    const index = settings.order.indexOf(id)
    return index < 0 ? settings.order.length : index
  }
  return [...own, ...variants].sort((a, b) => place(a) - place(b))
}

/** These CLIs and the user's own, as the settings say when the layer is built. */
export const layerOf = (builtin: ReadonlyArray<ProviderRecord>): Layer.Layer<Providers, never, UserSettings> =>
  Layer.effect(Providers, Effect.gen(function*() {
    const { settings } = yield* (yield* UserSettings).read
    return registryOf(configured(builtin, settings))
  }))
