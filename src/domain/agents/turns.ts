import { textOf } from "../usage/Fields.ts"
import type { Tokens } from "../usage/Usage.ts"
import type { AgentResult, RunTokens } from "./AgentResult.ts"
import type { Conversation, Turn } from "./Conversation.ts"

/** How a conversation begins. */
export interface Beginning {
  readonly systemPrompt?: string | null
  readonly cwd?: string | null
  readonly model?: string | null
  /** A session of the CLI that is there already. */
  readonly sessionId?: string | null
}

/** A conversation that nothing was said in yet, but for its system prompt. */
export const begin = (provider: string, { cwd, model, sessionId, systemPrompt }: Beginning = {}): Conversation => ({
  schema: 1,
  provider,
  sessionId: textOf(sessionId),
  cwd: textOf(cwd),
  model: textOf(model),
  turns: textOf(systemPrompt) === null ? [] : [{ role: "system", text: systemPrompt ?? "", tokens: null }],
  totalTokens: 0,
  stoppedBy: null
})

/** The conversation with one turn more. */
export const addTurn = (conversation: Conversation, turn: Turn): Conversation => ({
  ...conversation, turns: [...conversation.turns, turn], totalTokens: conversation.totalTokens + (turn.tokens ?? 0)
})

export const lastTurn = (conversation: Conversation): Turn | null => conversation.turns.at(-1) ?? null

/** What the model said last; empty when it has not said anything. */
export const lastAnswer = (conversation: Conversation): string => conversation.turns.findLast(({ role }) => role === "assistant")?.text ?? ""

/** The system prompt that it began with, or null. */
export const systemPromptOf = (conversation: Conversation): string | null => conversation.turns.find(({ role }) => role === "system")?.text ?? null

/** Whether the model was asked anything yet. */
export const isFresh = (conversation: Conversation): boolean => conversation.turns.every(({ role }) => role === "system")

/** Tokens by the rule of thumb: a token for each 4 bytes of UTF-8. */
export const estimateTokens = (...texts: ReadonlyArray<string>): number =>
  Math.floor(texts.reduce((bytes, text) => bytes + new TextEncoder().encode(text).length, 0) / 4)

/** What a run used as far as its texts tell. */
export const estimated = (heard: ReadonlyArray<string>, answer: string): RunTokens => {
  const input = estimateTokens(...heard)
  const output = estimateTokens(answer)
  return { input, cacheRead: 0, cacheWrite: 0, output, total: input + output, estimated: true }
}

/**
 * The conversation after a turn. A session id that was known stays known where the turn told none; a fork goes on in the
 * session that the turn told. What a turn cost is in its two entries, so that the sum over all of them is the conversation's.
 */
export const after = (
  conversation: Conversation,
  turn: { readonly prompt: string; readonly result: AgentResult; readonly cwd?: string | null; readonly counted?: Tokens | null; readonly fork?: boolean }
): Conversation => {
  const { tokens } = turn.result
  const spoken = [
    { role: "user", text: turn.prompt, tokens: tokens.total - tokens.output } as const,
    { role: "assistant", text: turn.result.text, tokens: tokens.output } as const
  ].reduce<Conversation>(addTurn, conversation)
  const { counted: _, ...kept } = spoken
  const sessionId = turn.result.sessionId ?? conversation.sessionId
  return {
    ...kept,
    sessionId,
    cwd: conversation.cwd ?? turn.cwd ?? null,
    model: turn.result.model ?? conversation.model,
    stoppedBy: null,
    ...turn.counted === null || turn.counted === undefined ? {} : { counted: turn.counted },
    ...turn.fork === true && conversation.sessionId !== null && sessionId !== conversation.sessionId ? { forkedFrom: conversation.sessionId } : {}
  }
}

/**
 * The conversation when a turn of it failed: what was learnt of its session is kept, the turn is not. `lost`: the CLI does not
 * know that session; where nothing was answered in it yet, the next turn begins another one.
 */
export const afterFailure = (
  conversation: Conversation, sessionId: string | null, { cwd = null, lost = false }: { readonly cwd?: string | null; readonly lost?: boolean } = {}
): Conversation => ({
  ...conversation,
  sessionId: lost && isFresh(conversation) ? null : conversation.sessionId ?? sessionId,
  cwd: conversation.cwd ?? cwd,
  stoppedBy: "error"
})

/** A copy that shares the past and no session: its next turn tells a fresh one what was said. */
export const copied = (conversation: Conversation): Conversation => {
  const { counted: _, ...kept } = conversation
  return { ...kept, sessionId: null, stoppedBy: null, ...conversation.sessionId === null ? {} : { forkedFrom: conversation.sessionId } }
}

const names = { user: "User", assistant: "Assistant", tool: "Tool" } as const

/** What was said so far and the new prompt as one prompt, for a session that knows nothing of it. */
export const retold = (conversation: Conversation, prompt: string): string => {
  const said = conversation.turns.flatMap(({ role, text }) => role === "system" || text.trim() === "" ? [] : [`${names[role]}: ${text}`])
  return said.length === 0 ? prompt : ["This conversation began elsewhere. So far:", ...said, `Go on with it. User: ${prompt}`].join("\n\n")
}
