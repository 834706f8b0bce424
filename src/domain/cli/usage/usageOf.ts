import { HashMap } from "effect"
import { costOf, findPrice, type PriceTable } from "./Prices.ts"
import type { Tokens, Usage } from "./Usage.ts"
import { type Billed, nothingBilled, plus, sizeOf, type UsageReader } from "./UsageReader.ts"
import type { Ledger, UsageState } from "./UsageState.ts"

interface Estimate {
  /** Null: no request has a price. `floor`: as in `Usage`. */
  readonly usd: number | null
  readonly floor: string | null
}

const estimate = (ledger: Ledger, prices: PriceTable): Estimate => {
  let usd: number | null = null
  let unpriced: string | null | undefined
  for (const { model, prompt, tokens } of HashMap.values(ledger)) {
    if (sizeOf(tokens) === 0) continue
    const cost = costOf(prices, model, tokens, prompt)
    if (cost === null) unpriced = model
    else usd = (usd ?? 0) + cost
  }
  const floor = unpriced === undefined ? null : `no price is known of ${unpriced ?? "the model of some requests"}`
  return { usd, floor }
}

/** Removes the noise of binary fractions. */
const rounded = (usd: number): number => Number(usd.toFixed(9))

const unreportedParts = (
  { reportedAt, reportedCost, reportedOwn }: UsageState,
  parts: ReadonlyArray<UsageState>
): ReadonlyArray<UsageState> =>
  reportedCost === null || reportedOwn
    ? parts
    : parts.filter(({ oldest }) => oldest !== null && reportedAt !== null && oldest > reportedAt)

const costIn = (state: UsageState, others: ReadonlyArray<UsageState>, prices: PriceTable): Usage["cost"] => {
  const { ledger, reportedCost, sinceReport, uncounted } = state
  const own = estimate(reportedCost === null ? ledger : sinceReport, prices)
  const parts = unreportedParts(state, [...state.parts.values(), ...others]).map((part) => ({
    cost: costIn(part, [], prices),
    used: part.total !== null && sizeOf(part.total) > 0
  }))
  const known = [reportedCost, own.usd, ...parts.map(({ cost }) => cost?.usd ?? null)].filter((usd) => usd !== null)
  if (known.length === 0) return null
  const unknownPart = parts.some(({ cost, used }) => cost === null && used) ? "a subagent's model has no price" : null
  const floor =
    own.floor ?? uncounted ?? unknownPart ?? parts.map(({ cost }) => cost?.floor).find((why) => why !== undefined)
  const estimated = reportedCost === null || (own.usd ?? 0) > 0 || parts.some(({ cost }) => cost?.estimated === true)
  return {
    usd: rounded(known.reduce((sum, usd) => sum + usd, 0)),
    estimated,
    ...(floor === undefined || floor === null ? {} : { floor })
  }
}

const totalIn = (state: UsageState, others: ReadonlyArray<UsageState>): Billed | null =>
  [...state.parts.values(), ...others].reduce(
    (sum, { total }) => (total === null ? sum : plus(sum ?? nothingBilled, total)),
    state.total
  )

const tokensOf = (tokens: Billed | null): Tokens | null =>
  tokens === null
    ? null
    : { input: tokens.input, cacheRead: tokens.cacheRead, cacheWrite: tokens.cacheWrite, output: tokens.output }

export interface UsageSources {
  readonly reported: UsageState
  /** `whole`: the transcript was read from beginning to end; partial sums do not count. `parts`: its subagents' use. */
  readonly transcript: UsageState
  readonly whole: boolean
  readonly parts?: ReadonlyArray<UsageState>
  /** For each of `parts`, its id in the transcript, or the name of its own file, which contains the id. */
  readonly partNames?: ReadonlyArray<string>
}

/** Marks the cost as incomplete if a named part has no transcript here. A fork names parts of its origin. */
const withLost = (state: UsageState, names: ReadonlyArray<string>): UsageState =>
  state.named.every((id) => names.some((name) => name === id || (name.endsWith(".jsonl") && name.includes(id))))
    ? state
    : { ...state, uncounted: "the transcripts of some of its subagents are not there" }

const ownUsd = (
  state: UsageState,
  earlier: UsageState,
  parts: ReadonlyArray<UsageState>,
  prices: PriceTable
): number => {
  const usdOf = ({ ledger }: UsageState): number => estimate(ledger, prices).usd ?? 0
  return usdOf(state) - usdOf(earlier) + parts.reduce((sum, part) => sum + usdOf(part), 0)
}

const beforeIn = (
  { partNames = [], parts = [], reported, transcript, whole }: UsageSources,
  prices: PriceTable
): Usage["before"] | undefined => {
  if (transcript.joinedAt === null || !whole) return undefined
  const { joinedAt } = transcript
  const earlier = transcript.earlier ?? transcript
  const isThen = ({ youngest }: UsageState): boolean => youngest !== null && youngest < joinedAt
  const then = parts.filter(isThen)
  const session = tokensOf(totalIn(earlier, then))
  if (reported.reportedCost !== null) return { session, usd: reported.firstCost }
  const known = costIn(earlier, then, prices)?.usd ?? null
  if (transcript.reportedCost === null || withLost(earlier, partNames) === earlier) return { session, usd: known }
  // The transcript of a part of the earlier use is missing here. The CLI's total includes that part.
  const all = costIn(transcript, parts, prices)?.usd ?? 0
  const here = parts.filter((part) => !isThen(part))
  return { session, usd: rounded(Math.max(known ?? 0, all - ownUsd(transcript, earlier, here, prices))) }
}

/** A session's usage. Hooks come first for the model, the context and the cost, the transcript for the rest. */
export const usageOf = (
  reader: UsageReader,
  sources: UsageSources,
  prices: PriceTable,
  aside: unknown = null
): Usage => {
  const { partNames = [], parts = [], reported, transcript, whole } = sources
  const model = reported.model ?? transcript.model
  const contextTokens = reported.context ?? transcript.context
  const window =
    reported.window ??
    transcript.window ??
    (model === null && contextTokens === null
      ? null
      : reader.window({
          model,
          used: contextTokens,
          cwd: transcript.cwd ?? reported.cwd,
          listed: findPrice(prices, model)?.window ?? null,
          aside
        }))
  const sums = whole && (transcript.total !== null || transcript.reportedCost !== null) ? transcript : reported
  // Figures of its parts alone are not the session's usage.
  const isKnown = sums === transcript || sums.total !== null
  const before = beforeIn(sources, prices)
  return {
    model,
    contextTokens,
    window,
    lastTurn: tokensOf(transcript.last ?? reported.last),
    session: isKnown ? tokensOf(totalIn(sums, sums === transcript ? parts : [])) : null,
    cost:
      reported.reportedCost !== null
        ? costIn(reported, [], prices)
        : isKnown
          ? costIn(withLost(sums, partNames), sums === transcript ? parts : [], prices)
          : null,
    lastPrompt: (transcript.prompt ?? reported.prompt)?.text ?? null,
    lastResponse: (transcript.response ?? reported.response)?.text ?? null,
    ...(before === undefined ? {} : { before })
  }
}

/** The session's cost when its last turn began (`from`; null: not known). */
interface TurnCost {
  /** The start of that turn, in milliseconds since the epoch; null before the first. */
  readonly startedAt: number | null
  readonly from: number | null
}

export const noTurnCost: TurnCost = { startedAt: null, from: null }

/** The cost when the last turn began. `before`, the session's cost so far, counts only for a new turn. */
export const turnBegun = (known: TurnCost, startedAt: number | null, before: number | null): TurnCost =>
  known.startedAt === startedAt ? known : { startedAt, from: before }

/** The last turn's cost so far, if both figures are known. A CLI that restarts its count reports less than before. */
export const spentInTurn = ({ from }: TurnCost, usd: number | null): number | null =>
  from === null || usd === null || usd < from ? null : Number((usd - from).toFixed(9))
