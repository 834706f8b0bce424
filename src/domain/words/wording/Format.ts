import type { SessionStatus } from "../session/Session.ts"

/** An amount in US dollars: `$1,234.50`, `<$0.01` for less than a cent, `$0.00` for nothing. */
export const formatUsd = (usd: number): string => {
  if (usd > 0 && usd < 0.01) return "<$0.01"
  const [whole = "0", cents = "00"] = Math.max(0, usd).toFixed(2).split(".")
  return `$${whole.replace(/\B(?=(?:\d{3})+$)/g, ",")}.${cents}`
}

/** A number of tokens with three digits: `950`, `15.9k`, `200k`, `1M`. */
export const formatTokens = (tokens: number): string => {
  const short = (value: number): string =>
    value < 99.95 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value))
  if (tokens < 1000) return String(Math.round(tokens))
  return tokens < 999_500 ? `${short(tokens / 1000)}k` : `${short(tokens / 1_000_000)}M`
}

/** `43%`, or the tokens if the window's size is unknown; `–` if nothing is known, `n/a` if the CLI never reports it. */
export const contextShort = ({ context, noContext }: Pick<SessionStatus, "context" | "noContext">): string =>
  context === null
    ? noContext === true
      ? "n/a"
      : "–"
    : context.percent === null
      ? formatTokens(context.usedTokens)
      : `${context.percent}%`

/** The context in full: `43% (86k of 200k tokens)`. */
export const contextLong = ({ percent, usedTokens, window }: NonNullable<SessionStatus["context"]>): string =>
  percent === null || window === null
    ? `${formatTokens(usedTokens)} tokens`
    : `${percent}% (${formatTokens(usedTokens)} of ${formatTokens(window)} tokens)`

type Cost = NonNullable<SessionStatus["cost"]>

const usdText = (usd: number, { estimated, floor }: Cost): string =>
  floor !== undefined
    ? `≥${formatUsd(usd).replace(/^<.*/, "$0.00")}`
    : `${estimated && usd >= 0.01 ? "~" : ""}${formatUsd(usd)}`

/** A cost, "" for none. `~`: leap computed it from its price table. `≥`: a part could not be counted. */
export const costText = (cost: SessionStatus["cost"]): string => (cost === null ? "" : usdText(cost.usd, cost))

/** A cost and the last turn's part of it: `$1.50, last turn $0.20`. */
export const costLong = (cost: Cost): string =>
  `${usdText(cost.usd, cost)}${cost.turnUsd === undefined ? "" : `, last turn ${usdText(cost.turnUsd, cost)}`}`

export const costSource = ({ estimated, floor }: Cost): string =>
  floor !== undefined ? ` (or more: ${floor})` : estimated ? " (by leap's price table)" : ""
