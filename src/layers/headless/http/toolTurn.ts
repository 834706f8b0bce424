import { Clock, Effect, Option, Stream } from "effect"
import type { HttpClient } from "effect/http"
import type { AgentEvent } from "../../../domain/cli/headless/AgentEvent.ts"
import type { AgentResult } from "../../../domain/cli/headless/AgentResult.ts"
import { toolsIn } from "../../../domain/cli/headless/cliOptions.ts"
import type { Conversation } from "../../../domain/cli/headless/Conversation.ts"
import { addReasoning, toolEnd } from "../../../domain/cli/headless/decoderState.ts"
import type { ChatTurn } from "../../../domain/cli/headless/http/ChatTurn.ts"
import type { HttpAnswer } from "../../../domain/cli/headless/http/HttpAttempt.ts"
import { callId, type ToolCall } from "../../../domain/cli/headless/http/ToolCalls.ts"
import {
  argumentsOf,
  type CallResult,
  isAllowed,
  namedTools,
  toolsParameter,
  withResults
} from "../../../domain/cli/headless/http/Tools.ts"
import { serverRequest } from "../../../domain/cli/provider/serverRequest.ts"
import { maskAnswer } from "../../../domain/cli/headless/Masking.ts"
import type { McpServers } from "../../../domain/cli/headless/McpServers.ts"
import { hostsIn } from "../../../domain/cli/headless/Network.ts"
import { sumOf } from "../../../domain/cli/headless/sumOf.ts"
import { addTokens } from "../../../domain/cli/headless/tokens.ts"
import { addTurn } from "../../../domain/cli/headless/turns.ts"
import {
  AgentOptionError,
  type AgentRun,
  type AgentRunOptions,
  type ConversationResult,
  type Permit
} from "../../../services/AgentProvider.ts"
import { bothPermits, permitOf } from "../../../services/policy/policyPermit.ts"
import { System } from "../../../services/System.ts"
import { type CallableTool, serverTools } from "./serverTools.ts"

/** Makes one request of a turn; `prompt` null: it is not the first. `goesOn`: whether an answer is not the last. */
export type MakeRequest = <R>(
  turn: ChatTurn,
  conversation: Conversation,
  prompt: string | null,
  goesOn: (answer: HttpAnswer) => boolean,
  resultOf: (answer: HttpAnswer, ended: ConversationResult) => R
) => AgentRun<R>

interface Answered extends ConversationResult {
  readonly answer: HttpAnswer
}

export interface ToolTurn {
  readonly provider: string
  readonly client: HttpClient.HttpClient
  readonly servers: McpServers
  readonly conversation: Conversation
  readonly prompt: string
  readonly turn: ChatTurn
  readonly options: AgentRunOptions
  /** When the run must be over, in milliseconds since the epoch; null: no limit. */
  readonly deadline: number | null
  readonly request: MakeRequest
}

/** The most requests of a turn; a model that asks on and on is stopped. */
const mostRequests = 200

const goesOn = ({ calls }: Pick<HttpAnswer, "calls">): boolean => calls.length > 0

/** Restrictions that leap cannot hold a server to: it does what it does, whatever it is asked. */
const unheld = (provider: string, { network, sandbox }: AgentRunOptions): AgentOptionError | null => {
  const option =
    sandbox !== undefined && sandbox !== "off" ? "sandbox" : hostsIn(network) === null ? null : ("network" as const)
  const why = "it cannot hold MCP servers, which write and reach out by themselves: leave it or --mcp-config out"
  return option === null ? null : new AgentOptionError({ provider, option, why })
}

/** Decides by the rules of the run and of the user; what needs a permission and has none is refused. */
const decideBy = (permit: Permit, { provider, options }: ToolTurn, cwd: string) =>
  Effect.fnUntraced(function* (name: string, tool: CallableTool, input: Readonly<Record<string, unknown>>) {
    const asking = { cli: provider, base: provider, cwd }
    const { verdict, why } = yield* permit.decide(serverRequest(name, input, cwd), asking)
    const isGranted = options.skipPermissions === true || isAllowed(toolsIn(options.allowedTools), name, tool)
    if (verdict === "allow" || (verdict === "ask" && isGranted)) return null
    return verdict === "deny" ? why : `it needs a permission: --allowed-tools ${name}, or a rule that allows it`
  })

/** A turn whose model calls tools of MCP servers: requests, and the calls between them, until it has answered. */
export const toolTurn = Effect.fnUntraced(function* (run: ToolTurn) {
  const { client, deadline, options, provider, servers } = run
  const refused = unheld(provider, options)
  if (refused !== null) return yield* refused
  const system = yield* Effect.serviceOption(System)
  if (Option.isNone(system))
    return yield* new AgentOptionError({ provider, option: "mcpServers", why: "no rules here" })
  const cwd = options.cwd ?? system.value.cwd
  const tools = namedTools(yield* serverTools(provider, servers, cwd, client))
  const { allow = [], deny = [], deniedTools } = options
  const policy = { deny: [...deny, ...toolsIn(deniedTools).map((tool) => ({ tool }))], ask: [], allow }
  const decide = decideBy(bothPermits(options.permit, permitOf(policy, system.value)), run, cwd)
  const { fields, idleTimeout, secrets } = run.turn.settings
  const parameter = tools.size === 0 ? {} : toolsParameter(tools)
  const first: ChatTurn = {
    ...run.turn,
    settings: { ...run.turn.settings, fields: { ...fields, ...parameter } }
  }

  const answerOf = Effect.fnUntraced(function* (call: ToolCall) {
    const failed = (text: string): CallResult => ({ text, ok: false, refused: null })
    const tool = tools.get(call.name)
    if (tool === undefined) return failed(`there is no tool '${call.name}'`)
    const input = argumentsOf(call)
    if (input === null) return failed("its arguments are no JSON object")
    const why = yield* decide(call.name, tool, input)
    if (why !== null) return { text: `refused: ${why}`, ok: false, refused: why }
    const left = deadline === null ? idleTimeout : deadline - (yield* Clock.currentTimeMillis)
    const { ok, text } = yield* tool.call(input, Math.max(1, Math.min(idleTimeout, left)))
    return { text: maskAnswer(text, secrets.answers), ok, refused: null }
  })
  const called = Effect.fnUntraced(function* (call: ToolCall) {
    const began = yield* Clock.currentTimeMillis
    const result: CallResult = yield* answerOf(call)
    const durationMs = (yield* Clock.currentTimeMillis) - began
    const ended = { id: callId(call), tool: call.name, ok: result.ok, agent: null, durationMs }
    const told: ReadonlyArray<AgentEvent> = [
      ...(result.refused === null ? [] : [{ _tag: "Refused", tool: call.name, why: result.refused } as const]),
      toolEnd(ended, result.text)
    ]
    return { result, told }
  })

  /** The requests from this one on; `before`: the sum of the earlier ones. */
  const from = (
    turn: ChatTurn,
    conversation: Conversation,
    before: AgentResult | null,
    count: number
  ): AgentRun<ConversationResult> =>
    Stream.flatMap(
      run.request(turn, conversation, before === null ? run.prompt : null, goesOn, (answer, ended) => ({
        answer,
        ...ended
      })),
      (item): AgentRun<ConversationResult> => {
        switch (item._tag) {
          // each request tells it, and the last one's is the turn's
          case "Answered":
            return Stream.empty
          case "Started":
            return before === null ? Stream.make(item) : Stream.empty
          case "Used":
            return Stream.make(
              before === null
                ? item
                : {
                    ...item,
                    tokens: addTokens(before.tokens, item.tokens),
                    reasoning: addReasoning(before.reasoning ?? null, item.reasoning ?? null)
                  }
            )
          case "Result":
            return after(turn, item.result, before, count)
          default:
            return Stream.make(item)
        }
      }
    )
  const after = (
    turn: ChatTurn,
    { answer, conversation, result: own }: Answered,
    before: AgentResult | null,
    count: number
  ): AgentRun<ConversationResult> => {
    const result = before === null ? own : sumOf(before, own)
    const told =
      count < mostRequests ? [] : [{ _tag: "Notice", text: `it was asked ${count} times, and no more` } as const]
    if (!goesOn(answer) || told.length > 0)
      return Stream.make(
        ...told,
        { _tag: "Answered", text: answer.text } as const,
        {
          _tag: "Result",
          result: { result, conversation }
        } as const
      )
    const results: Array<CallResult> = []
    return Stream.fromIterable(answer.calls).pipe(
      Stream.mapEffect(called),
      Stream.tap(({ result }) => Effect.sync(() => results.push(result))),
      Stream.flatMap(({ told }) => Stream.fromIterable(told)),
      Stream.concat(
        Stream.suspend(() => {
          const refusals = answer.calls.flatMap(({ name }, at) => {
            const why = results[at]?.refused ?? null
            return why === null ? [] : [{ tool: name, why }]
          })
          const turns = answer.calls.map((call, at) => {
            const text = results[at]?.text ?? ""
            return { role: "tool", text, tokens: null, extra: { tool_call_id: callId(call) } } as const
          })
          const next = withResults(turn, answer, results)
          const kept = { ...result, refused: [...result.refused, ...refusals] }
          return from(next, turns.reduce(addTurn, conversation), kept, count + 1)
        })
      )
    )
  }
  return from(first, run.conversation, null, 1)
})
