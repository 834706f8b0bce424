import { Option, Result } from "effect"
import type { Picture } from "../AgentCli.ts"
import type { AgentResult } from "../AgentResult.ts"
import { jsonIn, quotedStart } from "../jsonAnswer.ts"
import type { Conversation, Turn } from "../Conversation.ts"
import { maskAnswer } from "../Masking.ts"
import type { RunFailure } from "../RunFailure.ts"
import { stopReasonOf } from "../StopReason.ts"
import { countAll, type CountTokens } from "../tokens.ts"
import { addTurn, spentAfter, withSystemPrompt } from "../turns.ts"
import { contextOf, type Messages, messagesOf, promptToSend } from "./ChatRequest.ts"
import { runTokens } from "./ChatUsage.ts"
import type { HttpAnswer } from "./HttpAttempt.ts"
import type { HttpSettings } from "./HttpSettings.ts"
import { callsToSend } from "./ToolCalls.ts"

export interface ChatTurn {
  readonly settings: HttpSettings
  readonly messages: Messages
  readonly count: CountTokens
  readonly sentTokens: number
}

export const chatTurnOf = (
  count: CountTokens,
  settings: HttpSettings,
  turns: ReadonlyArray<Turn>,
  prompt: string,
  pictures: ReadonlyArray<Picture> = []
): ChatTurn => {
  const sent = promptToSend(prompt, settings.json, settings.schema)
  const messages = messagesOf(turns, settings.systemPrompt, sent, pictures)
  const texts = messages.messages.map(({ content }) => (typeof content === "string" ? content : sent))
  return { settings, messages, count, sentTokens: countAll(count, texts) }
}

/** The answer as a result; fails if it is the last (not `goesOn`) and not JSON though the options demand that. */
export const chatResult = (
  provider: string,
  turn: ChatTurn,
  answer: HttpAnswer,
  time: Pick<AgentResult, "startedAt" | "completedAt">,
  goesOn = false
): Result.Result<AgentResult, RunFailure> => {
  const json = turn.settings.json && !goesOn ? jsonIn(answer.text) : Option.some(null)
  if (Option.isNone(json)) {
    const isEmpty = answer.text.trim() === ""
    const instead = `not the one JSON value that was asked for${quotedStart(answer.text)}`
    const why = `the answer is ${isEmpty ? "empty, and should be JSON" : instead}`
    return Result.fail({
      reason: { _tag: "NotUnderstood", why },
      partial: { sessionId: null, text: answer.text, stderr: "" }
    })
  }
  const usd = answer.usage?.usd ?? null
  return Result.succeed({
    provider,
    text: answer.text,
    answers: [answer.text],
    json: json.value,
    sessionId: null,
    model: answer.model,
    tokens: runTokens(answer.usage, turn.sentTokens, answer.tokens),
    reasoning: answer.usage?.reasoning ?? null,
    models: null,
    cost: usd === null ? null : { usd, estimated: false },
    turns: 1,
    refused: [],
    stopReason: answer.refused ? "refusal" : stopReasonOf(answer.finish),
    ...time
  })
}

/**
 * The conversation after this turn; `prompt` null: after a further request of it. The API counts the history with each turn: here it counts once in the tokens of the
 * turns, and in what was spent as often as it was sent.
 */
export const afterChatTurn = (
  conversation: Conversation,
  prompt: string | null,
  turn: ChatTurn,
  answer: HttpAnswer,
  result: AgentResult
): Conversation => {
  const { settings } = turn
  const before = contextOf(conversation.turns)
  const { usage } = answer
  const { secrets, systemPrompt } = settings
  const stored = withSystemPrompt(
    conversation,
    systemPrompt === null ? null : maskAnswer(systemPrompt, secrets.answers)
  )
  const userTokens = (text: string) =>
    usage === null
      ? Math.floor(turn.count(text))
      : before === null
        ? null
        : Math.max(0, usage.total - usage.tokens.output - before)
  const extra = {
    ...(usage === null ? {} : { context: usage.context }),
    ...(answer.calls.length === 0 ? {} : { tool_calls: callsToSend(answer.calls) })
  }
  const turns: ReadonlyArray<Turn> = [
    ...(prompt === null
      ? []
      : [{ role: "user", text: maskAnswer(prompt, settings.secrets.answers), tokens: userTokens(prompt) } as const]),
    {
      role: "assistant",
      text: answer.text,
      tokens: result.tokens.output,
      ...(Object.keys(extra).length === 0 ? {} : { extra })
    }
  ]
  return {
    ...turns.reduce(addTurn, stored),
    model: settings.model,
    stoppedBy: null,
    spent: spentAfter(conversation, result)
  }
}
