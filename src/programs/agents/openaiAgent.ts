import { DateTime, Effect, Option, Result, Stream } from "effect"
import { HttpClient } from "effect/http"
import type { AgentEvent } from "../../domain/agents/AgentEvent.ts"
import { jsonIn } from "../../domain/agents/answer.ts"
import type { AgentResult } from "../../domain/agents/AgentResult.ts"
import type { Conversation, Turn } from "../../domain/agents/Conversation.ts"
import { contextOf, type Messages, messagesOf } from "../../domain/agents/http/ChatRequest.ts"
import { bytesOf, estimated, runTokens } from "../../domain/agents/http/ChatUsage.ts"
import { type Environment, type HttpSettings, httpSettings } from "../../domain/agents/http/HttpSettings.ts"
import { maskAnswer } from "../../domain/agents/Masking.ts"
import { callsToSend } from "../../domain/agents/http/ToolCalls.ts"
import { addTurn, isFresh } from "../../domain/agents/turns.ts"
import { type AgentError, AgentOptionError, AgentProtocolError, type AgentProviderShape, type AgentRun, EmptyPromptError } from "../../services/AgentProvider.ts"
import { type Answer, httpRun } from "./httpRun.ts"

/** The provider's name. */
export const openaiAgentName = "openai_compatible"

const provider = openaiAgentName

/** A request that is to be made. */
interface Asked {
  readonly settings: HttpSettings
  readonly messages: Messages
  readonly sent: number
}

const settingsOf = (prompt: string, options: unknown, env: Environment, model: string | null): Effect.Effect<HttpSettings, AgentError> =>
  Effect.gen(function*() {
    if (prompt.trim() === "") return yield* new EmptyPromptError({ provider })
    const settings = httpSettings(options, env, model)
    if (Result.isFailure(settings)) return yield* new AgentOptionError({ provider, ...settings.failure })
    const { ignored } = settings.success
    if (ignored.length > 0) yield* Effect.logDebug(`${provider}: has nothing for ${ignored.join(", ")}`)
    return settings.success
  })

const askedOf = (settings: HttpSettings, turns: ReadonlyArray<Turn>, prompt: string): Asked => {
  const messages = messagesOf(turns, settings.systemPrompt, prompt)
  const texts = messages.messages.map(({ content }) => typeof content === "string" ? content : "")
  return { settings, messages, sent: texts.reduce((sum, text) => sum + bytesOf(text), 0) }
}

/** The answer as a result; an error where it is not the JSON that was asked for. */
const resultOf = (asked: Asked, answer: Answer, startedAt: DateTime.Utc): Effect.Effect<AgentResult, AgentError> =>
  Effect.gen(function*() {
    const json = asked.settings.json ? jsonIn(answer.text) : Option.some(null)
    if (Option.isNone(json)) {
      const why = `the answer ${answer.text.trim() === "" ? "is empty, and should be JSON" : "is not the one JSON value that was asked for"}`
      return yield* new AgentProtocolError({ provider, why, sessionId: null, text: answer.text, stderr: "" })
    }
    return {
      provider,
      text: answer.text,
      answers: [answer.text],
      json: json.value,
      sessionId: null,
      model: answer.model,
      tokens: runTokens(answer.usage, asked.sent, answer.bytes),
      cost: answer.usage === null || answer.usage.usd === null ? null : { usd: answer.usage.usd, estimated: false },
      turns: 1,
      refused: [],
      stopReason: answer.finish,
      startedAt: DateTime.formatIso(startedAt),
      completedAt: DateTime.formatIso(yield* DateTime.now)
    }
  })

/** Makes the request; its last item is what `finish` makes of the answer. */
const running = <A>(
  client: HttpClient.HttpClient, asked: Asked, finish: (answer: Answer, result: AgentResult) => A
): AgentRun<A> =>
  Stream.unwrap(Effect.map(DateTime.now, (startedAt) => {
    const left: ReadonlyArray<AgentEvent> = asked.messages.left.map((what) => ({ _tag: "Notice", text: `not sent again: ${what}` }))
    return Stream.concat(
      Stream.fromIterable(left),
      httpRun({
        provider, client, settings: asked.settings, messages: asked.messages.messages,
        finish: (answer) => Effect.map(resultOf(asked, answer, startedAt), (result) => ({ _tag: "Result" as const, result: finish(answer, result) }))
      })
    )
  }))

/** The conversation with this turn. What the API counts for the history was counted when it was said. */
const after = (conversation: Conversation, prompt: string, asked: Asked, answer: Answer, result: AgentResult): Conversation => {
  const { settings } = asked
  const before = contextOf(conversation.turns)
  const { usage } = answer
  const system: ReadonlyArray<Turn> = settings.systemPrompt !== null && conversation.turns.length === 0
    ? [{ role: "system", text: maskAnswer(settings.systemPrompt, settings.secrets.answers), tokens: null }]
    : []
  const user = usage === null ? estimated(bytesOf(prompt)) : before === null ? null : Math.max(0, usage.total - usage.tokens.output - before)
  const extra = {
    ...usage === null ? {} : { context: usage.context },
    ...answer.calls.length === 0 ? {} : { tool_calls: callsToSend(answer.calls) }
  }
  const turns: ReadonlyArray<Turn> = [
    ...system,
    { role: "user", text: maskAnswer(prompt, settings.secrets.answers), tokens: user },
    { role: "assistant", text: answer.text, tokens: result.tokens.output, ...Object.keys(extra).length === 0 ? {} : { extra } }
  ]
  return { ...turns.reduce(addTurn, conversation), model: settings.model, stoppedBy: null }
}

/**
 * Any server with OpenAI's chat completions, over HTTP. `env` has what the options leave open: `OPENAI_BASE_URL`, `OPENAI_MODEL`,
 * `OPENAI_API_KEY`. It offers no tools; a call that the model makes all the same is an event and the stop reason `tool_calls`.
 */
export const openaiAgent = (env: Environment): Effect.Effect<AgentProviderShape, never, HttpClient.HttpClient> =>
  Effect.map(HttpClient.HttpClient, (client): AgentProviderShape => ({
    name: provider,
    displayName: "OpenAI-compatible HTTP",
    // where the server is may be told by each call
    validate: Effect.void,
    execute: (prompt, options) =>
      Stream.unwrap(Effect.map(settingsOf(prompt, options, env, null), (settings) =>
        running(client, askedOf(settings, [], prompt), (_, result) => result))),
    executeConversation: (conversation, prompt, options) =>
      Stream.unwrap(Effect.gen(function*() {
        const settings = yield* settingsOf(prompt, options, env, conversation.model)
        if (conversation.provider !== provider && !isFresh(conversation)) {
          return yield* new AgentOptionError({ provider, option: "conversation", why: `it was held with ${conversation.provider}` })
        }
        const asked = askedOf(settings, conversation.turns, prompt)
        return running(client, asked, (answer, result) => ({ result, conversation: after(conversation, prompt, asked, answer, result) }))
      }))
  }))
