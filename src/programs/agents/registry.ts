import { Effect, type FileSystem, Layer } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import type { AgentCli } from "../../domain/agents/AgentCli.ts"
import { claude } from "../../domain/agents/cli/claude.ts"
import { codex } from "../../domain/agents/cli/codex.ts"
import { copilot } from "../../domain/agents/cli/copilot.ts"
import { gemini } from "../../domain/agents/cli/gemini.ts"
import { opencode } from "../../domain/agents/cli/opencode.ts"
import { defaultFlags } from "../../domain/DefaultFlags.ts"
import { expand } from "../../domain/settings/CustomCli.ts"
import { type CliSettings, defaultSettings, type Settings } from "../../domain/settings/Settings.ts"
import { type AgentProviderShape, AgentProviders, UnknownAgentError } from "../../services/AgentProvider.ts"
import { Machine } from "../../services/Machine.ts"
import type { Prices } from "../../services/Prices.ts"
import type { ProcessTable } from "../../services/ProcessTable.ts"
import { cliAgent, type CliLaunch } from "./cliAgent.ts"

/** The providers by name. Where two have one name, the first counts. */
export const registryOf = (given: ReadonlyArray<AgentProviderShape>): AgentProviders["Service"] => {
  const all = given.filter(({ name }, at) => given.findIndex((other) => other.name === name) === at)
  return AgentProviders.of({
    all,
    get: (name) => Effect.suspend(() => {
      const found = all.find((provider) => provider.name === name)
      return found === undefined ? Effect.fail(new UnknownAgentError({ name, known: all.map(({ name }) => name) })) : Effect.succeed(found)
    })
  })
}

/** What the CLIs need that run headless. */
export type CliAgentNeeds = Machine | Prices | ProcessTable | FileSystem.FileSystem | ChildProcessSpawner.ChildProcessSpawner

/** What is a variant's own. */
type Own = Partial<Pick<AgentCli, "id" | "displayName" | "installHint">>

const headless = <State>(cli: AgentCli<State>) => ({
  id: cli.id,
  make: (own: Own, launch: CliLaunch) => cliAgent({ ...cli, ...own }, launch)
})

const builtin = [headless(claude), headless(codex), headless(gemini), headless(copilot), headless(opencode)]

/** How the user's settings have a CLI started. */
const launchOf = (id: string, own: CliSettings, env: Readonly<Record<string, string>>): CliLaunch => {
  const flags = defaultFlags(id, own.flags ?? null, env)
  return {
    ...own.command === undefined ? {} : { command: expand(own.command, env) },
    env: Object.fromEntries(Object.entries(own.env ?? {}).map(([name, value]) => [name, expand(value, env)])),
    flags: flags.words,
    warning: flags.warning
  }
}

/** Where a program is missing that the user has named. */
const hintOf = (id: string, { command }: CliSettings): Own =>
  command === undefined ? {} : { installHint: `that is what leap's settings have for '${id}'; 'leap clis edit ${id} --command PROGRAM' changes it` }

/** Every CLI that leap runs headless, as the user's settings have them, and the user's own variants of them behind. */
export const cliAgents = (settings: Settings = defaultSettings): Effect.Effect<ReadonlyArray<AgentProviderShape>, never, CliAgentNeeds> =>
  Effect.gen(function*() {
    const { env } = yield* Machine
    const settingsOf = (id: string): CliSettings => Object.hasOwn(settings.clis, id) ? settings.clis[id] ?? {} : {}
    const own = builtin.map(({ id, make }) => make(hintOf(id, settingsOf(id)), launchOf(id, settingsOf(id), env)))
    const variants = Object.entries(settings.clis).flatMap(([id, said]) => {
      const base = builtin.find((cli) => cli.id === said.base)
      if (base === undefined || builtin.some((cli) => cli.id === id)) return []
      // where the base's program is, is where the variant's is; flags and environment are each one's own
      const command = said.command ?? settingsOf(base.id).command
      const cli = { ...said, ...command === undefined ? {} : { command } }
      return [base.make({ id, displayName: said.displayName ?? id, ...hintOf(id, cli) }, launchOf(id, cli, env))]
    })
    return yield* Effect.all([...own, ...variants])
  })

/** The registry of the CLIs as these settings have them, and of further providers. */
export const layerOf = <R = never>(
  further: Effect.Effect<ReadonlyArray<AgentProviderShape>, never, R> = Effect.succeed([]),
  settings: Settings = defaultSettings
): Layer.Layer<AgentProviders, never, CliAgentNeeds | R> =>
  Layer.effect(AgentProviders, Effect.gen(function*() {
    const others = yield* further
    const clis = yield* cliAgents(settings)
    // a name of leap's own is not a variant's
    return registryOf([...clis.slice(0, builtin.length), ...others, ...clis.slice(builtin.length)])
  }))
