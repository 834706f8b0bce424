import { DateTime, Effect, FileSystem, Layer, Option, Record, Result, Stream } from "effect"
import { HttpClient } from "effect/http"
import { fieldsOf, textOf } from "../../../domain/words/reading/Fields.ts"
import { expand } from "../../../domain/store/settings/CustomCli.ts"
import type { EndpointSettings } from "../../../domain/store/settings/Settings.ts"
import type { AgentOptions } from "../../../domain/cli/headless/AgentOptions.ts"
import type { Conversation } from "../../../domain/cli/headless/Conversation.ts"
import { afterChatTurn, chatResult, type ChatTurn, chatTurnOf } from "../../../domain/cli/headless/http/ChatTurn.ts"
import type { HttpAnswer } from "../../../domain/cli/headless/http/HttpAttempt.ts"
import { type Environment, httpSettings } from "../../../domain/cli/headless/http/HttpSettings.ts"
import { begin, inheritedRestrictions, isFresh, withRestrictions } from "../../../domain/cli/headless/turns.ts"
import {
  AgentOptionError,
  AgentProvider,
  type AgentProviderShape,
  type AgentRunOptions,
  type ConversationResult,
  EmptyPromptError
} from "../../../services/AgentProvider.ts"
import { System } from "../../../services/System.ts"
import { Prices } from "../../../services/Prices.ts"
import { TokenCounter } from "../../../services/TokenCounter.ts"
import { readPictures } from "../readPictures.ts"
import { resultAlone, runError, withNotices } from "../agentRun.ts"
import { withSchema } from "../withSchema.ts"
import { withRestrictionsTold } from "../withRestrictionsTold.ts"
import { withLimits } from "../withLimits.ts"
import { httpRun } from "./httpRun.ts"
import type { MakeRequest } from "./toolTurn.ts"

/** The provider without a server of its own: each call or the environment names the server. */
export const providerName = "openai_compatible"

/** A server with a name of its own. */
export interface Endpoint {
  readonly name: string
  readonly displayName: string
  /** The default options of its calls. */
  readonly defaults: AgentOptions
  /** Why it cannot be used; null: it can. */
  readonly problem: string | null
}

const anyServer: Endpoint = {
  name: providerName,
  displayName: "OpenAI-compatible HTTP",
  defaults: {},
  problem: null
}

const settingsOf = Effect.fnUntraced(function* (
  { defaults, name: provider, problem }: Endpoint,
  options: unknown,
  env: Environment,
  model: string | null
) {
  if (problem !== null) return yield* new AgentOptionError({ provider, option: "endpoint", why: problem })
  const given = Object.entries(fieldsOf(options)).filter(([, value]) => value !== undefined && value !== null)
  const { model: standard, ...others } = defaults
  const own = Object.fromEntries(given)
  const headers =
    defaults.headers === undefined ? {} : { headers: { ...defaults.headers, ...fieldsOf(own["headers"]) } }
  const settings = httpSettings({ ...others, ...own, ...headers }, env, model ?? standard ?? null)
  if (Result.isFailure(settings)) return yield* new AgentOptionError({ provider, ...settings.failure })
  return settings.success
})

const noPrices: Prices["Service"] = {
  read: Effect.succeed({ table: new Map(), shipped: null, file: null, warning: null })
}

/**
 * Any server with OpenAI's chat completions, over HTTP. `env` supplies missing options: `OPENAI_BASE_URL`,
 * `OPENAI_MODEL`, `OPENAI_API_KEY`. Its tools are those of the call's MCP servers; without any, a call of the model's is
 * an event, and the stop reason is `tool_calls`.
 */
export const make = (
  env: Environment,
  endpoint: Endpoint = anyServer
): Effect.Effect<AgentProviderShape, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const { count } = yield* TokenCounter
    const files = yield* Effect.serviceOption(FileSystem.FileSystem)
    const prices = Option.getOrElse(yield* Effect.serviceOption(Prices), () => noPrices)
    const { defaults, displayName, name: provider, problem } = endpoint
    const refuse = (option: string, why: string) => new AgentOptionError({ provider, option, why })
    /** A call's directory must exist, as for a CLI: pictures are read in it. */
    const checkDirectory = Effect.fnUntraced(function* ({ cwd }: AgentRunOptions) {
      if (cwd === undefined || cwd === null || Option.isNone(files)) return
      const info = yield* Effect.option(files.value.stat(cwd))
      if (Option.isNone(info) || info.value.type !== "Directory")
        return yield* refuse("cwd", `'${cwd}' is no directory`)
    })
    /** The pictures of a call. A relative path is relative to the call's directory. */
    const picturesOf = Effect.fnUntraced(function* ({ cwd, images = [] }: AgentRunOptions) {
      if (images.length === 0) return []
      if (Option.isNone(files)) return yield* refuse("images", "there are no files here")
      const read = readPictures(provider, images, cwd ?? ".")
      return yield* Effect.provideService(read, FileSystem.FileSystem, files.value)
    })
    /** Makes the request of a conversation's turn, or all of them where its model may call tools. */
    const runTurn = Effect.fnUntraced(function* (
      turn: ChatTurn,
      given: Conversation,
      prompt: string,
      options: AgentRunOptions
    ) {
      const begun = yield* DateTime.now
      const startedAt = DateTime.formatIso(begun)
      const { ignoredGrants: ignored, timeout } = turn.settings
      const deadline = timeout === null ? null : begun.epochMilliseconds + timeout
      const { mcpServers: servers } = options
      const conversation = withRestrictions(given, options)
      const request: MakeRequest = (turn, before, prompt, goesOn, resultOf) => {
        const finish = Effect.fnUntraced(function* (answer: HttpAnswer) {
          const time = { startedAt, completedAt: DateTime.formatIso(yield* DateTime.now) }
          const result = chatResult(provider, turn, answer, time, goesOn(answer))
          if (Result.isFailure(result)) return yield* runError(provider, result.failure)
          const conversation = afterChatTurn(before, prompt, turn, answer, result.success)
          return { _tag: "Result" as const, result: resultOf(answer, { result: result.success, conversation }) }
        })
        const { messages } = turn.messages
        return httpRun({ provider, client, settings: turn.settings, deadline, messages, count, finish })
      }
      const inherited = servers === undefined ? null : inheritedRestrictions(given, options)
      const notices = [
        ...(ignored.length === 0 ? [] : [`${displayName} has nothing for: ${ignored.join(", ")}`]),
        ...(inherited === null ? [] : [inherited]),
        ...turn.messages.leftOut.map((what) => `not sent again: ${what}`)
      ]
      const alone = (_: unknown, ended: ConversationResult) => ended
      if (servers === undefined)
        return withNotices(
          request(turn, conversation, prompt, () => false, alone),
          notices
        )
      const { toolTurn } = yield* Effect.promise(() => import("./toolTurn.ts"))
      const held = { ...options, ...conversation.restrictions }
      const run = { provider, client, servers, conversation, prompt, turn, options: held, deadline, request }
      return withNotices(yield* toolTurn(run), notices)
    })
    const converse: AgentProviderShape["executeConversation"] = (conversation, prompt, options) =>
      Stream.unwrap(
        Effect.gen(function* () {
          if (prompt.trim() === "") return yield* new EmptyPromptError({ provider })
          yield* checkDirectory(options)
          const settings = yield* settingsOf(endpoint, options, env, conversation.model)
          if (conversation.provider !== provider && !isFresh(conversation))
            return yield* refuse("conversation", `it was held with ${conversation.provider}`)
          const turn = chatTurnOf(count, settings, conversation.turns, prompt, yield* picturesOf(options))
          return yield* runTurn(turn, conversation, prompt, options)
        })
      )
    const own: AgentProviderShape = {
      name: provider,
      displayName,
      without: endpoint === anyServer ? ["args", "native"] : ["args", "native", "baseUrl"],
      hasOneMessage: true,
      countsTurns: true,
      countsRequests: () => true,
      // each call may name its own server and model, so missing ones are no problem yet
      validate: Effect.suspend(() => {
        const isNamed = textOf(defaults.baseUrl) !== null || textOf(env["OPENAI_BASE_URL"]) !== null
        return problem !== null || isNamed
          ? Effect.asVoid(settingsOf(endpoint, {}, env, defaults.model ?? "any"))
          : Effect.void
      }),
      execute: (prompt, options) => resultAlone(converse(begin(provider), prompt, options)),
      executeConversation: converse
    }
    return withSchema(withLimits(withRestrictionsTold(own), prices, count))
  })

/** With the environment of this process. */
export const layer: Layer.Layer<AgentProvider, never, HttpClient.HttpClient | System> = Layer.effect(
  AgentProvider,
  System.use(({ env }) => make(env))
)

/** A server of the user's settings. It gets only the key that they name. */
const endpointOf = (
  name: string,
  { apiKeyEnv, baseUrl, headers, model }: EndpointSettings,
  env: Readonly<Record<string, string>>
): Endpoint => {
  const key = apiKeyEnv === undefined ? "" : (env[apiKeyEnv] ?? "").trim()
  return {
    name,
    displayName: `${name} (HTTP)`,
    defaults: {
      baseUrl: expand(baseUrl, env),
      apiKey: key,
      ...(model === undefined ? {} : { model }),
      ...(headers === undefined ? {} : { headers: Record.map(headers, (value) => expand(value, env)) })
    },
    problem: apiKeyEnv !== undefined && key === "" ? `its key is to be in ${apiKeyEnv}, which is not set` : null
  }
}

/** The servers of the user's settings, each as a provider. */
export const endpointLayers = (
  endpoints: Readonly<Record<string, EndpointSettings>>
): ReadonlyArray<Layer.Layer<AgentProvider, never, HttpClient.HttpClient | System>> =>
  Object.entries(endpoints).map(([name, settings]) =>
    Layer.effect(
      AgentProvider,
      System.use(({ env }) => make({}, endpointOf(name, settings, env)))
    )
  )
