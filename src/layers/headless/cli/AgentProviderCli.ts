import { Context, Effect, Layer, Option, Result, Stream, Struct } from "effect"
import type { AgentCli } from "../../../domain/cli/headless/AgentCli.ts"
import { schemaInstruction } from "../../../domain/cli/headless/AnswerSchema.ts"
import { isRestricted } from "../../../domain/cli/headless/AgentOptions.ts"
import type { Conversation } from "../../../domain/cli/headless/Conversation.ts"
import { firstInvalidOption, httpOptions } from "../../../domain/cli/headless/cliOptions.ts"
import * as turns from "../../../domain/cli/headless/turns.ts"
import {
  AgentOptionError,
  AgentProvider,
  type AgentProviderShape,
  type AgentRunOptions,
  EmptyPromptError
} from "../../../services/AgentProvider.ts"
import { missingDirectory } from "../../../domain/words/wording/missingDirectory.ts"
import { bothPermits, permitOf } from "../../../services/policy/policyPermit.ts"
import { System } from "../../../services/System.ts"
import { Prices } from "../../../services/Prices.ts"
import { TokenCounter } from "../../../services/TokenCounter.ts"
import { isLimited, withLimits } from "../withLimits.ts"
import { withRestrictionsTold } from "../withRestrictionsTold.ts"
import { mapResult, resultAlone, withNotices } from "../agentRun.ts"
import { withSchema } from "../withSchema.ts"
import { overlay } from "../../../domain/cli/provider/Environment.ts"
import { readPictures } from "../readPictures.ts"
import { withAgentCounts } from "./agentCounts.ts"
import { withRequestCounts } from "./requestCounts.ts"
import { type CliLaunch, findProgram } from "./cliLaunch.ts"
import { cliRun, type CliTurn, type CliTurnResult, type Requirements } from "./runCli.ts"

export type { CliLaunch, Requirements }

const directoryOf = Effect.fnUntraced(function* (provider: string, cwd: string | undefined) {
  const system = yield* System
  const found = yield* system.directory(cwd ?? system.cwd)
  if (Option.isSome(found)) return cwd === undefined ? system.cwd : found.value
  const exists = Option.isSome(yield* system.directory(system.cwd))
  const why = cwd === undefined ? missingDirectory(null, { path: system.cwd, exists }) : `'${cwd}' is no directory`
  return yield* new AgentOptionError({ provider, option: "cwd", why })
})

/** Options also come from programs with unchecked types. */
const checkCall = Effect.fnUntraced(function* (provider: string, prompt: string, options: AgentRunOptions) {
  if (prompt.trim() === "") return yield* new EmptyPromptError({ provider })
  const problem = firstInvalidOption(options)
  if (problem !== null) return yield* new AgentOptionError({ provider, ...problem })
})

/** The call with the options that the CLI itself enforces, and with the permit for its tools. */
const heldCall = Effect.fnUntraced(function* <State>(cli: AgentCli<State>, { permit, ...given }: AgentRunOptions) {
  // most runs have none, and need none of what decides by rules
  if (!isRestricted(given)) return { options: given, permit }
  const { heldRun } = yield* Effect.promise(() => import("../../../domain/cli/headless/runRules.ts"))
  const held = heldRun(cli, given)
  if (Result.isFailure(held)) return yield* new AgentOptionError({ provider: cli.id, ...held.failure })
  const { options, rules } = held.success
  if (rules === null) return { options, permit }
  return { options, permit: bothPermits(permit, permitOf(rules.policy, yield* System, rules)) }
})

const picturesOf = Effect.fnUntraced(function* <State>(
  cli: AgentCli<State>,
  { images = [] }: AgentRunOptions,
  cwd: string
) {
  if (images.length === 0) return []
  if (cli.takesPictures !== true) {
    const why = `${cli.displayName} takes no pictures without its terminal interface`
    return yield* new AgentOptionError({ provider: cli.id, option: "images", why })
  }
  return yield* readPictures(cli.id, images, cwd)
})

/** A run, with each request's usage if a limit is watched. */
const countedRun = <State>(cli: AgentCli<State>, launch: CliLaunch, turn: CliTurn, isWatched: boolean) => {
  const run = cliRun(cli, launch, turn)
  if (!isWatched) return run
  const { agentRequests, requests } = cli
  const { sessionId } = turn.call
  return Stream.unwrap(
    Effect.map(System, (system) => {
      const env = overlay(system.env, { ...launch.env })
      const counted = requests === undefined ? run : withRequestCounts(run, requests, env, sessionId !== null)
      return agentRequests === undefined ? counted : withAgentCounts(counted, agentRequests, env, sessionId)
    })
  )
}

const executeConversation = Effect.fnUntraced(function* <State>(
  cli: AgentCli<State>,
  launch: CliLaunch,
  given: Conversation,
  prompt: string,
  { fork = false, ...own }: AgentRunOptions & { readonly fork?: boolean }
) {
  const restricted = turns.withRestrictions(given, own)
  const options = { ...own, ...restricted.restrictions }
  const provider = cli.id
  const refuse = (option: string, why: string) => new AgentOptionError({ provider, option, why })
  yield* checkCall(provider, prompt, options)
  if (given.provider !== provider)
    return yield* refuse("conversation", `it was begun with ${given.provider}, not with ${provider}`)
  const cwd = yield* directoryOf(provider, options.cwd ?? given.cwd ?? undefined)
  if (cli.bound && given.sessionId !== null && given.cwd !== null && cwd !== given.cwd)
    return yield* refuse("cwd", `${cli.displayName} finds this conversation only in ${given.cwd}`)
  const pictures = yield* picturesOf(cli, options, cwd)
  const systemPrompt = options.systemPrompt ?? turns.systemPromptOf(given)
  const conversation = turns.withSystemPrompt(restricted, systemPrompt)
  const { schema } = options
  const isKept = schema === undefined || cli.keepsSchema?.(schema) === true
  const sent = isKept ? prompt : `${prompt}\n\n${schemaInstruction(schema)}`
  const held = yield* heldCall(cli, options)
  const call = {
    // Without a session id the CLI begins a session, so the prompt includes the conversation so far.
    prompt: conversation.sessionId === null ? turns.promptWithHistory(conversation, sent, cli.inert) : sent,
    options: systemPrompt === null ? held.options : { ...held.options, systemPrompt },
    sessionId: conversation.sessionId,
    isNewSystem: conversation.sessionId === null || conversation !== restricted,
    pictures,
    fork: fork && conversation.sessionId !== null,
    counted: conversation.counted ?? null
  }
  const concluded = ({ mask, outcome: { counted }, result }: CliTurnResult) => ({
    result: { ...result, sessionId: result.sessionId ?? conversation.sessionId },
    conversation: turns.after(conversation, { prompt: mask(prompt), result, cwd, counted, fork: call.fork })
  })
  const prompts = [...conversation.turns.map(({ text }) => text), prompt]
  const inherited = turns.inheritedRestrictions(given, own)
  const run = countedRun(cli, launch, { call, prompts, cwd, permit: held.permit }, isLimited(cli, own))
  return withNotices(mapResult(run, concluded), inherited === null ? [] : [inherited])
})

/** Makes a headless provider of a CLI. */
export const make = Effect.fn("AgentProviderCli.make")(function* <State>(cli: AgentCli<State>, launch: CliLaunch = {}) {
  // Includes AgentHooks, if provided.
  const context = yield* Effect.context<Requirements>()
  const converse: AgentProviderShape["executeConversation"] = (conversation, prompt, options) =>
    Stream.provideContext(Stream.unwrap(executeConversation(cli, launch, conversation, prompt, options)), context)
  const own: AgentProviderShape = {
    name: cli.id,
    displayName: cli.displayName,
    ...Struct.pick(cli, ["aliases", "keepsSchema", "keepsCost", "countsTurns", "answerTool", "inert"]),
    without: httpOptions,
    countsRequests: ({ args = [] }) =>
      cli.requests !== undefined &&
      ![...(launch.args ?? []), ...(launch.flags ?? []), ...args].some((word) => word === cli.requests?.unless),
    ...(cli.unasked === undefined ? {} : { providerTools: [cli.unasked.tool] }),
    validate: System.use(({ env }) => findProgram(cli, launch, overlay(env, { ...launch.env }))).pipe(
      Effect.asVoid,
      Effect.provideContext(context)
    ),
    execute: (prompt, options) =>
      resultAlone(converse(turns.begin(cli.id, { systemPrompt: options.systemPrompt ?? null }), prompt, options)),
    executeConversation: converse
  }
  return AgentProvider.of(
    withSchema(withLimits(withRestrictionsTold(own), Context.get(context, Prices), (yield* TokenCounter).count))
  )
})

/** One CLI without a terminal. */
export const layer = <State>(
  cli: AgentCli<State>,
  launch: CliLaunch = {}
): Layer.Layer<AgentProvider, never, Requirements> => Layer.effect(AgentProvider, make(cli, launch))
