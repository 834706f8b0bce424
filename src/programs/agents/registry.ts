import { Effect, type FileSystem, Layer } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { claude } from "../../domain/agents/cli/claude.ts"
import { codex } from "../../domain/agents/cli/codex.ts"
import { copilot } from "../../domain/agents/cli/copilot.ts"
import { gemini } from "../../domain/agents/cli/gemini.ts"
import { opencode } from "../../domain/agents/cli/opencode.ts"
import { type AgentProviderShape, AgentProviders, UnknownAgentError } from "../../services/AgentProvider.ts"
import type { Machine } from "../../services/Machine.ts"
import type { Prices } from "../../services/Prices.ts"
import { cliAgent } from "./cliAgent.ts"

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
export type CliAgentNeeds = Machine | Prices | FileSystem.FileSystem | ChildProcessSpawner.ChildProcessSpawner

/** Every CLI that leap runs headless. */
export const cliAgents: Effect.Effect<ReadonlyArray<AgentProviderShape>, never, CliAgentNeeds> = Effect.all([
  cliAgent(claude), cliAgent(codex), cliAgent(gemini), cliAgent(copilot), cliAgent(opencode)
])

/** The registry of the CLIs, and of further providers. */
export const layerOf = <R = never>(
  further: Effect.Effect<ReadonlyArray<AgentProviderShape>, never, R> = Effect.succeed([])
): Layer.Layer<AgentProviders, never, CliAgentNeeds | R> =>
  Layer.effect(AgentProviders, Effect.map(Effect.all([cliAgents, further]), ([clis, others]) => registryOf([...clis, ...others])))
