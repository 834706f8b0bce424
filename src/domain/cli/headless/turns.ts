import { Struct } from "effect"
import { ruleText } from "../../policy/RuleText.ts"
import { textOf } from "../../words/reading/Fields.ts"
import { type Spent, spentIn } from "../usage/Budget.ts"
import type { Tokens } from "../usage/Usage.ts"
import type { AgentResult } from "./AgentResult.ts"
import type { AgentOptions } from "./AgentOptions.ts"
import type { Conversation, Restrictions, Turn } from "./Conversation.ts"

/** The start of a conversation. */
export interface Beginning {
  readonly systemPrompt?: string | null
  readonly cwd?: string | null
  readonly model?: string | null
  /** An existing session of the CLI. */
  readonly sessionId?: string | null
}

/** A conversation without turns, except for its system prompt. */
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

/** The conversation with one more turn. */
export const addTurn = (conversation: Conversation, turn: Turn): Conversation => ({
  ...conversation,
  turns: [...conversation.turns, turn],
  totalTokens: conversation.totalTokens + (turn.tokens ?? 0)
})

/** The last turn; null: none yet. */
export const lastTurn = (conversation: Conversation): Turn | null => conversation.turns.at(-1) ?? null

/** The last answer; empty: none. */
export const lastAnswer = (conversation: Conversation): string =>
  conversation.turns.findLast(({ role }) => role === "assistant")?.text ?? ""

/** The system prompt, or null. */
export const systemPromptOf = (conversation: Conversation): string | null =>
  conversation.turns.find(({ role }) => role === "system")?.text ?? null

/** The turns without the system prompt. */
export const withoutSystem = (turns: ReadonlyArray<Turn>): ReadonlyArray<Turn> =>
  turns.filter(({ role }) => role !== "system")

/** The conversation with this system prompt instead of its own; null changes nothing. */
export const withSystemPrompt = (conversation: Conversation, systemPrompt: string | null): Conversation =>
  systemPrompt === null || systemPrompt === systemPromptOf(conversation)
    ? conversation
    : {
        ...conversation,
        turns: [...begin(conversation.provider, { systemPrompt }).turns, ...withoutSystem(conversation.turns)]
      }

/** The conversation with the restrictions of a turn's options; those that they do not name stay. */
export const withRestrictions = (
  conversation: Conversation,
  { deniedTools, deny, network, sandbox }: Pick<AgentOptions, keyof Restrictions>
): Conversation => {
  const restrictions: Restrictions = {
    ...conversation.restrictions,
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(network === undefined ? {} : { network }),
    ...(deniedTools === undefined ? {} : { deniedTools }),
    ...(deny === undefined ? {} : { deny })
  }
  return Object.keys(restrictions).length === 0 ? conversation : { ...conversation, restrictions }
}

/** Restrictions as a command line names them; those that are lifted are none. */
export const restrictionTexts = ({ deniedTools, deny = [], network, sandbox }: Restrictions): ReadonlyArray<string> => [
  ...(sandbox === undefined ? [] : [`--sandbox ${sandbox}`]),
  ...(network === undefined ? [] : [`--network ${network}`]),
  ...(deniedTools === undefined ? [] : [`--denied-tools ${String(deniedTools)}`]),
  ...deny.map((rule) => `--${ruleText("deny", rule)}`)
]

/** Says which restrictions of earlier turns hold in this one, because it does not name them; null: none. */
export const inheritedRestrictions = (
  { restrictions = {} }: Pick<Conversation, "restrictions">,
  own: Pick<AgentOptions, keyof Restrictions>
): string | null => {
  const named = Struct.keys(own).filter((key) => own[key] !== undefined)
  const said = restrictionTexts(Struct.omit(restrictions, named))
  return said.length === 0 ? null : `as in the turns before: ${said.join(", ")}`
}

/** Whether there was no prompt yet. */
export const isFresh = (conversation: Conversation): boolean =>
  conversation.turns.every(({ role }) => role === "system")

/** The use of a conversation so far; if an earlier leap stored it, only its tokens are known. */
export const spentBy = ({ spent, totalTokens }: Pick<Conversation, "spent" | "totalTokens">): Spent =>
  spent ?? { tokens: totalTokens, usd: 0, floor: totalTokens > 0 }

/** The use of a conversation, with that of a turn of it. */
export const spentAfter = (conversation: Conversation, { cost, tokens }: AgentResult): Spent =>
  spentIn([spentBy(conversation), { tokens: tokens.total, usd: cost?.usd ?? 0, floor: cost === null }])

/** The conversation after a turn; a fork continues in the turn's session. The tokens of all entries add up. */
export const after = (
  conversation: Conversation,
  turn: {
    readonly prompt: string
    readonly result: AgentResult
    readonly cwd?: string | null
    readonly counted?: Tokens | null
    readonly fork?: boolean
  }
): Conversation => {
  const { tokens } = turn.result
  const longer = [
    { role: "user", text: turn.prompt, tokens: tokens.total - tokens.output } as const,
    { role: "assistant", text: turn.result.text, tokens: tokens.output } as const
  ].reduce<Conversation>(addTurn, conversation)
  const { counted: _, ...kept } = longer
  const sessionId = turn.result.sessionId ?? conversation.sessionId
  return {
    ...kept,
    sessionId,
    cwd: conversation.cwd ?? turn.cwd ?? null,
    model: turn.result.model ?? conversation.model,
    stoppedBy: null,
    spent: spentAfter(conversation, turn.result),
    ...(turn.counted === null || turn.counted === undefined ? {} : { counted: turn.counted }),
    ...(turn.fork === true && conversation.sessionId !== null && sessionId !== conversation.sessionId
      ? { forkedFrom: conversation.sessionId }
      : {})
  }
}

/** The conversation after a failed turn. A fresh one forgets a session that the CLI does not know (`lost`). */
export const afterFailure = (
  conversation: Conversation,
  sessionId: string | null,
  {
    cwd = null,
    lost = false,
    spent
  }: { readonly cwd?: string | null; readonly lost?: boolean; readonly spent?: Spent | undefined } = {}
): Conversation => ({
  ...conversation,
  ...(spent === undefined ? {} : { spent }),
  sessionId: lost && isFresh(conversation) ? null : (conversation.sessionId ?? sessionId),
  cwd: conversation.cwd ?? cwd,
  stoppedBy: "error"
})

/** A copy with the same history and no session: its next turn sends the history to a fresh one. */
export const copied = (conversation: Conversation): Conversation => {
  const { counted: _, ...kept } = conversation
  return {
    ...kept,
    sessionId: null,
    stoppedBy: null,
    ...(conversation.sessionId === null ? {} : { forkedFrom: conversation.sessionId })
  }
}

const names = { user: "User", assistant: "Assistant", tool: "Tool" } as const

/** The history and the new prompt as one prompt; files that the model named in the history are not read (`inert`). */
export const promptWithHistory = (
  conversation: Conversation,
  prompt: string,
  inert: (text: string) => string = (text) => text
): string => {
  const entries = conversation.turns.flatMap(({ role, text }) =>
    role === "system" || text.trim() === "" ? [] : [`${names[role]}: ${inert(text.replaceAll("\0", ""))}`]
  )
  return entries.length === 0
    ? prompt
    : ["This conversation began elsewhere. So far:", ...entries, `Go on with it. User: ${prompt}`].join("\n\n")
}
