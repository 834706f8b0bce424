import { Effect, Option, Stream } from "effect"
import type { Conversation } from "../../domain/cli/headless/Conversation.ts"
import * as turns from "../../domain/cli/headless/turns.ts"
import type {
  AgentError,
  AgentProviderShape,
  AgentRunOptions,
  ConversationResult
} from "../../services/AgentProvider.ts"
import { Output } from "../../services/Output.ts"
import { System } from "../../services/System.ts"
import { type RenderOptions, renderRun } from "./renderRun.ts"
import type { Account } from "./account.ts"
import type { StateFile } from "./chats.ts"

export interface ChatOptions extends Pick<RenderOptions<never, never>, "format" | "json" | "progress" | "streams"> {
  readonly state: StateFile
  readonly options: AgentRunOptions & { readonly fork?: boolean }
  /** The account of budgets, where the settings have some. */
  readonly account: Account | null
  /** If the CLI has lost the session, start a new one with the conversation so far. */
  readonly retell: boolean
}

type Run = ReturnType<AgentProviderShape["executeConversation"]>

const isLost = (error: AgentError): boolean => error._tag === "AgentReportedError" && error.problem.kind === "session"

/** Runs the turn in the conversation's session; if that is gone, in a new one that gets the conversation. */
const retold = (
  agent: AgentProviderShape,
  conversation: Conversation,
  prompt: string,
  options: ChatOptions["options"]
): Run =>
  agent.executeConversation(conversation, prompt, options).pipe(
    // an unknown session is not a failure yet
    Stream.filter((item) => item._tag !== "Failed" || item.problem.kind !== "session"),
    Stream.catchIf(isLost, () =>
      Stream.prepend(agent.executeConversation(turns.copied(conversation), prompt, { ...options, fork: false }), [
        { _tag: "Notice", text: "its session is gone: another one is told the conversation so far" } as const
      ])
    )
  )

/** Runs one turn and saves its outcome; of a failed or interrupted turn it saves the session id. */
export const chatTurn = Effect.fn("agents.chatTurn")(function* (
  agent: AgentProviderShape,
  conversation: Conversation,
  prompt: string,
  { account, format, json, options, progress, retell, state, streams }: ChatOptions
) {
  const system = yield* System
  const output = yield* Output
  const cwd = Option.getOrNull(yield* system.directory(options.cwd ?? conversation.cwd ?? system.cwd))
  const saveFailed = (sessionId: string | null, lost = false) =>
    Effect.ignore(state.save(turns.afterFailure(conversation, sessionId, { cwd, lost, spent: account?.spent() })))
  const canRetell = conversation.sessionId !== null && !turns.isFresh(conversation)
  const run =
    retell && canRetell
      ? retold(agent, conversation, prompt, options)
      : agent.executeConversation(conversation, prompt, options)
  const { incomplete, result } = yield* renderRun(run, {
    format,
    json,
    progress,
    streams,
    resultOf: ({ result }: ConversationResult) => result,
    document: ({ conversation: { turns, totalTokens }, result }) => ({
      schema: 1,
      ...result,
      conversation: { turns: turns.length, totalTokens }
    }),
    save: ({ conversation }) => state.save(conversation),
    onInterrupt: ({ sessionId }) => saveFailed(sessionId)
  }).pipe(
    Effect.tapError(
      Effect.fnUntraced(function* (error) {
        if (!("sessionId" in error)) return
        const lost = isLost(error)
        // another provider may have failed in its place
        yield* saveFailed(error.provider === conversation.provider ? error.sessionId : null, lost)
        if (lost && canRetell && !retell)
          yield* output.note("leap: --retell begins another session with the conversation so far")
      })
    )
  )
  return { conversation: result.conversation, incomplete }
})
