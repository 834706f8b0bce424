import type { TerminalQuery } from "../sequences/TerminalQuery.ts"

/**
 * The queries that a user's terminal has not answered yet: from leap, from the CLI on show, or from an earlier CLI.
 * Terminals answer in order, and every terminal answers the query of its primary attributes (DA1). leap sends that one
 * last, so every answer before its answer belongs to an earlier query, however late it comes.
 */
export interface AwaitedReplies {
  /** The unanswered DA1 queries, oldest first. `gone`: from a CLI that is no longer shown. */
  readonly fences: ReadonlyArray<{ readonly by: "leap" | "cli" | "gone"; readonly at: number }>
  /** When the CLI last asked anything else; null: not since leap's last fence. */
  readonly asked: number | null
}

export const start: AwaitedReplies = { fences: [], asked: null }

/** Milliseconds after which no answer will come: no link on which one can type is slower. */
export const answerMs = 5_000

export const fence = ({ fences }: AwaitedReplies, now: number): AwaitedReplies => ({
  fences: [...fences, { by: "leap", at: now }],
  asked: null
})

export const askedByCli = (state: AwaitedReplies, query: TerminalQuery, now: number): AwaitedReplies =>
  query._tag === "PrimaryAttributes"
    ? { ...state, fences: [...state.fences, { by: "cli", at: now }] }
    : { ...state, asked: now }

export const handOver = ({ asked, fences }: AwaitedReplies): AwaitedReplies => ({
  fences: fences.map((one) => (one.by === "cli" ? { ...one, by: "gone" } : one)),
  asked
})

/** Some DA1 answer is pending, for leap or for a CLI: only their order tells them apart. */
export const isCounted = ({ fences }: AwaitedReplies): boolean => fences.length > 0

/** A pending answer is for leap or for a CLI that is gone: it must not be typed into the CLI. */
const isAwaited = ({ fences }: AwaitedReplies): boolean => fences.some(({ by }) => by !== "cli")

/** Like {@link isAwaited}, and the answer may come at any moment. */
export const isDue = ({ fences }: AwaitedReplies, now: number): boolean =>
  fences.some(({ at, by }) => by !== "cli" && now - at <= answerMs)

// The first bytes may have been passed on earlier.
const attributes = /^(?:\x1b?\[)?\?[\d;]*c$/
const programStatus = /^(?:\x1b?\])?7501;/

/** Whether a reply (latin1) says that the terminal reads program status. */
export const isProgramStatus = (reply: string): boolean => programStatus.test(reply)

/** Handles a reply (latin1). `isCli`: the CLI gets it, because the CLI asked, or because nobody did. */
export const answer = (
  state: AwaitedReplies,
  reply: string,
  now: number
): { readonly state: AwaitedReplies; readonly isCli: boolean } => {
  // The host answers these for the terminal, so a CLI's own query never comes here.
  if (isProgramStatus(reply)) return { state, isCli: !isAwaited(state) }
  if (!attributes.test(reply)) return { state, isCli: !isDue(state, now) }
  // A CLI's query this old never reached the terminal, or the terminal does not answer: the reply is for the next one.
  const first = state.fences.findIndex(({ at, by }) => by !== "cli" || now - at <= answerMs)
  return first < 0
    ? { state: { ...state, fences: [] }, isCli: true }
    : { state: { ...state, fences: state.fences.slice(first + 1) }, isCli: state.fences[first]?.by === "cli" }
}

/** What to do before another program gets the terminal: `Ask` sends a last query, `Wait` awaits its answer. */
export type Parting =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Ask" }
  | { readonly _tag: "Wait"; readonly until: number }

export const parting = ({ asked, fences }: AwaitedReplies, now: number): Parting => {
  const own = fences.findLast(({ by }) => by === "leap")
  // A terminal that does not answer is not asked again.
  if (own !== undefined && now - own.at >= answerMs) return { _tag: "Nothing" }
  const last = fences.at(-1)
  const isOpen = asked !== null && now - asked < answerMs
  if (isOpen || (last !== undefined && last !== own && now - last.at < answerMs)) return { _tag: "Ask" }
  return own === undefined ? { _tag: "Nothing" } : { _tag: "Wait", until: own.at + answerMs }
}
