import { Context, Effect, Layer, Record } from "effect"
import type { AgentCli } from "../../domain/cli/headless/AgentCli.ts"
import { defaultFlags } from "../../domain/cli/provider/DefaultFlags.ts"
import { claudeHeadless } from "../../domain/providers/claude/Headless.ts"
import { codexHeadless } from "../../domain/providers/codex/Headless.ts"
import { copilotHeadless } from "../../domain/providers/copilot/Headless.ts"
import { geminiHeadless } from "../../domain/providers/gemini/Headless.ts"
import { opencodeHeadless } from "../../domain/providers/opencode/Headless.ts"
import { expand, settingsFor, variantsOf } from "../../domain/store/settings/CustomCli.ts"
import { type CliSettings, defaultSettings, type Settings } from "../../domain/store/settings/Settings.ts"
import { AgentProvider, AgentProviders, registryOf } from "../../services/AgentProvider.ts"
import { System } from "../../services/System.ts"
import * as AgentProviderCli from "./cli/AgentProviderCli.ts"

/** The fields in which a user's variant differs. */
type Identity = Partial<Pick<AgentCli, "id" | "displayName" | "installHint">>

/** A CLI without the type of its decoder state, which nobody else needs. */
const headless = <State>(cli: AgentCli<State>) => ({
  id: cli.id,
  layer: (identity: Identity, launch: AgentProviderCli.CliLaunch) =>
    AgentProviderCli.layer({ ...cli, ...identity }, launch)
})

/** The CLIs that leap runs headless. A new one is a line here. */
const builtin = [
  headless(claudeHeadless),
  headless(codexHeadless),
  headless(geminiHeadless),
  headless(copilotHeadless),
  headless(opencodeHeadless)
]

/** How a CLI is started by the user's settings. */
const launchOf = (
  id: string,
  settings: CliSettings,
  env: Readonly<Record<string, string>>
): AgentProviderCli.CliLaunch => {
  const flags = defaultFlags(id, settings.flags ?? null, env)
  return {
    ...(settings.command === undefined ? {} : { command: expand(settings.command, env) }),
    env: Record.map(settings.env ?? {}, (value) => expand(value, env)),
    flags: flags.words,
    warning: flags.warning
  }
}

/** The hint for a missing program that the user has named in the settings. */
const hintOf = (id: string, { command }: CliSettings): Identity => {
  if (command === undefined) return {}
  const remedy = `'leap clis edit ${id} --command PROGRAM' changes it`
  return { installHint: `that is what leap's settings have for '${id}'; ${remedy}` }
}

/** The registry: the CLIs with these settings, further providers, and the user's variants. */
export const layerOf = <R = never>(
  further: ReadonlyArray<Layer.Layer<AgentProvider, never, R>> = [],
  settings: Settings = defaultSettings
): Layer.Layer<AgentProviders, never, AgentProviderCli.Requirements | R> =>
  Layer.effect(
    AgentProviders,
    Effect.gen(function* () {
      const { env } = yield* System
      const own = builtin.map(({ id, layer }) => {
        const cli = settingsFor(settings.clis, id)
        return layer(hintOf(id, cli), launchOf(id, cli, env))
      })
      const layers: ReadonlyArray<Layer.Layer<AgentProvider, never, AgentProviderCli.Requirements | R>> = [
        ...own,
        ...further,
        ...variantsOf(settings.clis, builtin).map(({ base, id, settings: cli }) =>
          base.layer({ id, displayName: cli.displayName ?? id, ...hintOf(id, cli) }, launchOf(id, cli, env))
        )
      ]
      const providers = yield* Effect.forEach(layers, (layer) =>
        Effect.map(Layer.build(layer), Context.get(AgentProvider))
      )
      return registryOf(providers)
    })
  )
