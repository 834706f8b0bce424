import { DateTime, Effect, FileSystem, Layer, Option, Result, Stream } from "effect"
import { HttpClient } from "effect/http"
import { fieldsOf, textOf } from "../../../domain/words/reading/Fields.ts"
import { expand } from "../../../domain/store/settings/CustomCli.ts"
import type { EndpointSettings } from "../../../domain/store/settings/Settings.ts"
import type { AgentOptions } from "../../../domain/cli/headless/AgentOptions.ts"
import type { Conversation } from "../../../domain/cli/headless/Conversation.ts"
import type { Picture } from "../../../domain/cli/headless/AgentCli.ts"
import type { AgentEvent } from "../../../domain/cli/headless/AgentEvent.ts"
import { afterChatTurn, chatResult, type ChatTurn, chatTurnOf } from "../../../domain/cli/headless/http/ChatTurn.ts"
import { type Environment, type HttpSettings, httpSettings } from "../../../domain/cli/headless/http/HttpSettings.ts"
import type { CountTokens } from "../../../domain/cli/headless/tokens.ts"
import { begin, inheritedRestrictions, isFresh, withRestrictions } from "../../../domain/cli/headless/turns.ts"
import {
  type AgentError,
  AgentOptionError,
  AgentProvider,
  type AgentProviderShape,
  type AgentRunOptions,
  type AgentRun,
  type ConversationResult,
  EmptyPromptError
} from "../../../services/AgentProvider.ts"
import { System } from "../../../services/System.ts"
import { Prices } from "../../../services/Prices.ts"
import { TokenCounter } from "../../../services/TokenCounter.ts"
import { readPictures } from "../readPictures.ts"
import { resultAlone, runError, withSchema } from "../withSchema.ts"
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

const settingsOf = (
  { defaults, name: provider, problem }: Endpoint,
  options: unknown,
  env: Environment,
  model: string | null
): Effect.Effect<HttpSettings, AgentOptionError> =>
  Effect.gen(function* () {
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

/** Makes the request of a conversation's turn, or all of them where its model may call tools. */
const runTurn = (
  { displayName, name: provider }: Endpoint,
  client: HttpClient.HttpClient,
  given: Conversation,
  prompt: string,
  turn: ChatTurn,
  own: AgentRunOptions
): AgentRun<ConversationResult> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const startedAt = yield* DateTime.now
      const { ignoredGrants: ignored, timeout } = turn.settings
      const deadline = timeout === null ? null : startedAt.epochMilliseconds + timeout
      const conversation = withRestrictions(given, own)
      const inherited = own.mcpServers === undefined ? null : inheritedRestrictions(given, own)
      const told = [
        ...(ignored.length === 0 ? [] : [`${displayName} has nothing for: ${ignored.join(", ")}`]),
        ...(inherited === null ? [] : [inherited]),
        ...turn.messages.leftOut.map((what) => `not sent again: ${what}`)
      ]
      const request: MakeRequest = (turn, conversation, prompt, goesOn, resultOf) =>
        httpRun({
          provider,
          client,
          settings: turn.settings,
          deadline,
          messages: turn.messages.messages,
          count: turn.count,
          finish: (answer) =>
            Effect.gen(function* () {
              const completedAt = DateTime.formatIso(yield* DateTime.now)
              const time = { startedAt: DateTime.formatIso(startedAt), completedAt }
              const concluded = chatResult(provider, turn, answer, time, goesOn(answer))
              if (Result.isFailure(concluded)) return yield* runError(provider, concluded.failure)
              const result = concluded.success
              const after = afterChatTurn(conversation, prompt, turn, answer, result)
              return { _tag: "Result" as const, result: resultOf(answer, { result, conversation: after }) }
            })
        })
      const notices = Stream.fromIterable(told.map((text): AgentEvent => ({ _tag: "Notice", text })))
      const { mcpServers: servers } = own
      const alone = (_: unknown, ended: ConversationResult) => ended
      if (servers === undefined)
        return Stream.concat(
          notices,
          request(turn, conversation, prompt, () => false, alone)
        )
      const { toolTurn } = yield* Effect.promise(() => import("./toolTurn.ts"))
      const options = { ...own, ...conversation.restrictions }
      const run = { provider, client, servers, conversation, prompt, turn, options, deadline, request }
      return Stream.concat(notices, yield* toolTurn(run))
    })
  )

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
    const own = providerOf(env, endpoint, client, yield* Effect.serviceOption(FileSystem.FileSystem), count)
    const prices = Option.getOrElse(yield* Effect.serviceOption(Prices), () => noPrices)
    return withSchema(withLimits(withRestrictionsTold(own), prices, count))
  })

const noPrices: Prices["Service"] = {
  read: Effect.succeed({ table: new Map(), shipped: null, file: null, warning: null })
}

const providerOf = (
  env: Environment,
  endpoint: Endpoint,
  client: HttpClient.HttpClient,
  files: Option.Option<FileSystem.FileSystem>,
  count: CountTokens
): AgentProviderShape => {
  const provider = endpoint.name
  /** A call's directory must exist, as for a CLI: pictures are read in it. */
  const checkDirectory = ({ cwd }: AgentRunOptions): Effect.Effect<void, AgentError> => {
    if (cwd === undefined || cwd === null || Option.isNone(files)) return Effect.void
    const refused = new AgentOptionError({ provider, option: "cwd", why: `'${cwd}' is no directory` })
    return Effect.flatMap(Effect.option(files.value.stat(cwd)), (info) =>
      Option.isSome(info) && info.value.type === "Directory" ? Effect.void : Effect.fail(refused)
    )
  }
  /** The pictures of a call. A relative path is relative to the call's directory. */
  const picturesOf = ({ cwd, images = [] }: AgentRunOptions): Effect.Effect<ReadonlyArray<Picture>, AgentError> => {
    if (images.length === 0) return Effect.succeed([])
    if (Option.isSome(files))
      return Effect.provideService(readPictures(provider, images, cwd ?? "."), FileSystem.FileSystem, files.value)
    return Effect.fail(new AgentOptionError({ provider, option: "images", why: "there are no files here" }))
  }
  /** The messages of a call: the conversation so far, and the prompt. */
  const turnOf = Effect.fnUntraced(function* (conversation: Conversation, prompt: string, options: AgentRunOptions) {
    if (prompt.trim() === "") return yield* new EmptyPromptError({ provider })
    yield* checkDirectory(options)
    const settings = yield* settingsOf(endpoint, options, env, conversation.model)
    if (conversation.provider !== provider && !isFresh(conversation)) {
      const why = `it was held with ${conversation.provider}`
      return yield* new AgentOptionError({ provider, option: "conversation", why })
    }
    return chatTurnOf(count, settings, conversation.turns, prompt, yield* picturesOf(options))
  })
  const converse: AgentProviderShape["executeConversation"] = (conversation, prompt, options) =>
    Stream.unwrap(
      Effect.map(turnOf(conversation, prompt, options), (turn) =>
        runTurn(endpoint, client, conversation, prompt, turn, options)
      )
    )
  return {
    name: provider,
    displayName: endpoint.displayName,
    without: endpoint === anyServer ? ["args", "native"] : ["args", "native", "baseUrl"],
    hasOneMessage: true,
    countsTurns: true,
    countsRequests: () => true,
    // each call may name its own server and model, so missing ones are no problem yet
    validate: Effect.suspend(() => {
      const { defaults } = endpoint
      const isNamed = textOf(defaults.baseUrl) !== null || textOf(env["OPENAI_BASE_URL"]) !== null
      return endpoint.problem !== null || isNamed
        ? Effect.asVoid(settingsOf(endpoint, {}, env, defaults.model ?? "any"))
        : Effect.void
    }),
    execute: (prompt, options) => resultAlone(converse(begin(provider), prompt, options)),
    executeConversation: converse
  }
}

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
      ...(headers === undefined
        ? {}
        : {
            headers: Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, expand(value, env)]))
          })
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
