import type { TerminalQuery } from "./TerminalQuery.ts"

/**
 * What a user's terminal was asked and has not answered yet: by leap, by the CLI that it shows, by one that it showed
 * before. Terminals answer in order, and every terminal answers for its primary attributes (DA1): leap asks for them
 * last, so that all that comes before that answer was asked before, however late it comes.
 */
export interface AwaitedReplies {
  /** The DA1 queries that are not answered, oldest first. `gone`: of a CLI that is not shown any more. */
  readonly fences: ReadonlyArray<{ readonly by: "leap" | "cli" | "gone"; readonly at: number }>
  /** When the CLI asked anything else last; null: not since leap's last fence. */
  readonly asked: number | null
}

export const start: AwaitedReplies = { fences: [], asked: null }

/** In this time (milliseconds) an answer comes, or never: no link on which one can type is slower. */
export const answerMs = 5_000

/** leap asks for the primary attributes now. */
export const fence = ({ fences }: AwaitedReplies, now: number): AwaitedReplies => ({
  fences: [...fences, { by: "leap", at: now }],
  asked: null
})

/** The CLI has asked this. */
export const askedByCli = (state: AwaitedReplies, query: TerminalQuery, now: number): AwaitedReplies =>
  query._tag === "PrimaryAttributes"
    ? { ...state, fences: [...state.fences, { by: "cli", at: now }] }
    : { ...state, asked: now }

/** Another CLI is shown from now on. */
export const handOver = ({ asked, fences }: AwaitedReplies): AwaitedReplies => ({
  fences: fences.map((one) => (one.by === "cli" ? { ...one, by: "gone" } : one)),
  asked
})

/** Some answer for the primary attributes has not come, to leap or to a CLI: their order alone tells them apart. */
export const isCounted = ({ fences }: AwaitedReplies): boolean => fences.length > 0

/** leap, or nobody any more, is to have an answer that has not come: it would be typed into the CLI. */
const isAwaited = ({ fences }: AwaitedReplies): boolean => fences.some(({ by }) => by !== "cli")

/** The same, and it may come any moment. */
export const isDue = ({ fences }: AwaitedReplies, now: number): boolean =>
  fences.some(({ at, by }) => by !== "cli" && now - at <= answerMs)

// its first bytes may have been given out before
const attributes = /^(?:\x1b?\[)?\?[\d;]*c$/
const programStatus = /^(?:\x1b?\])?7501;/

/** A reply (latin1) has come. `isCli`: the CLI has asked for it, or nobody has, and gets it. */
export const answer = (
  state: AwaitedReplies,
  reply: string,
  now: number
): { readonly state: AwaitedReplies; readonly isCli: boolean } => {
  // the host answers for the terminal: a CLI's question of this kind does not come here
  if (programStatus.test(reply)) return { state, isCli: !isAwaited(state) }
  if (!attributes.test(reply)) return { state, isCli: !isDue(state, now) }
  // what the CLI asked so long ago did not come to the terminal, or it does not answer: what comes is for the next
  const first = state.fences.findIndex(({ at, by }) => by !== "cli" || now - at <= answerMs)
  return first < 0
    ? { state: { ...state, fences: [] }, isCli: true }
    : { state: { ...state, fences: state.fences.slice(first + 1) }, isCli: state.fences[first]?.by === "cli" }
}

/**
 * What is to be done before the terminal is another program's: `Nothing`, `Wait` for an answer, at the latest until
 * then, or `Ask` for one that comes behind all others.
 */
export type Parting =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Ask" }
  | { readonly _tag: "Wait"; readonly until: number }

export const parting = ({ asked, fences }: AwaitedReplies, now: number): Parting => {
  const own = fences.findLast(({ by }) => by === "leap")
  // a terminal that does not answer is not asked again
  if (own !== undefined && now - own.at >= answerMs) return { _tag: "Nothing" }
  const last = fences.at(-1)
  const isOpen = asked !== null && now - asked < answerMs
  if (isOpen || (last !== undefined && last !== own && now - last.at < answerMs)) return { _tag: "Ask" }
  return own === undefined ? { _tag: "Nothing" } : { _tag: "Wait", until: own.at + answerMs }
}
