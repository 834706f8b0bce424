import { Effect, Stream } from "effect"
import type { AgentEvent } from "../../../src/domain/cli/headless/AgentEvent.ts"
import type { AgentResult } from "../../../src/domain/cli/headless/AgentResult.ts"
import type { Conversation } from "../../../src/domain/cli/headless/Conversation.ts"
import * as turns from "../../../src/domain/cli/headless/turns.ts"
import {
  type AgentError,
  type AgentProviderShape,
  AgentReportedError,
  type AgentRun,
  type AgentRunOptions
} from "../../../src/services/AgentProvider.ts"

/** One turn of a scripted provider: its events, then its answer or its failure. */
export interface ScriptedTurn {
  readonly events?: ReadonlyArray<AgentEvent>
  readonly answer: string | AgentError
  readonly cost?: number
}

export const aResult = (provider: string, text: string, more: Partial<AgentResult> = {}): AgentResult => ({
  provider,
  text,
  answers: [text],
  json: null,
  sessionId: "S",
  model: null,
  tokens: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, total: 2, estimated: false },
  cost: null,
  turns: 1,
  refused: [],
  stopReason: "end_turn",
  startedAt: "",
  completedAt: "",
  ...more
})

export const limitError = (provider: string, kind: AgentReportedError["problem"]["kind"] = "rate_limited") =>
  new AgentReportedError({
    provider,
    problem: { kind, message: "slow down", retryAfter: null },
    exit: 1,
    sessionId: null,
    text: "",
    stderr: ""
  })

/** What a scripted provider was asked. */
export interface Asked {
  readonly prompt: string
  readonly options: AgentRunOptions
  readonly conversation: Conversation | null
}

/** A provider that gives these turns, one after the other, and keeps what it was asked. */
export const scripted = (
  name: string,
  script: ReadonlyArray<ScriptedTurn>,
  more: Partial<AgentProviderShape> = {}
): { readonly agent: AgentProviderShape; readonly asked: ReadonlyArray<Asked> } => {
  const asked: Array<Asked> = []
  const turn = (one: Asked): AgentRun<AgentResult> =>
    Stream.suspend(() => {
      const { answer, cost, events = [] } = script[asked.push(one) - 1] ?? { answer: "nothing more" }
      const end: AgentRun<AgentResult> =
        typeof answer === "string"
          ? Stream.make({
              _tag: "Result",
              result: aResult(name, answer, cost === undefined ? {} : { cost: { usd: cost, estimated: false } })
            } as const)
          : Stream.fail(answer)
      return Stream.concat(Stream.fromIterable(events), end)
    })
  const agent: AgentProviderShape = {
    name,
    displayName: name.toUpperCase(),
    validate: Effect.void,
    execute: (prompt, options) => turn({ prompt, options, conversation: null }),
    executeConversation: (conversation, prompt, options) =>
      turn({ prompt, options, conversation }).pipe(
        Stream.map((item) =>
          item._tag === "Result"
            ? ({
                _tag: "Result",
                result: {
                  result: item.result,
                  conversation: turns.after(conversation, { prompt, result: item.result })
                }
              } as const)
            : item
        )
      ),
    ...more
  }
  return { agent, asked }
}
