import { oneLine } from "../../words/text/printable.ts"
import { table } from "../../words/wording/StateLine.ts"
import type { AgentResult } from "./AgentResult.ts"

export interface FanOutRow {
  readonly provider: string
  readonly exitCode: number
  readonly ms: number
  readonly tokens: AgentResult["tokens"] | null
  readonly cost: AgentResult["cost"]
  readonly text: string
}

const about = (isEstimated: boolean, text: string): string => `${isEstimated ? "~" : ""}${text}`

export const fanOutTable = (rows: ReadonlyArray<FanOutRow>, columns: number): string => {
  const cells = [
    ["PROVIDER", "EXIT", "TIME", "TOKENS", "COST", "ANSWER"],
    ...rows.map(({ cost, exitCode, ms, provider, text, tokens }) => [
      provider,
      String(exitCode),
      `${(ms / 1_000).toFixed(1)} s`,
      tokens === null ? "-" : about(tokens.estimated, String(tokens.total)),
      cost === null ? "-" : about(cost.estimated, `$${cost.usd.toFixed(4)}`),
      text
    ])
  ]
  const widths = cells[0]?.slice(0, -1).map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0))) ?? []
  const left = Math.max(20, columns - widths.reduce((sum, width) => sum + width + 2, 0))
  return table(cells.map((row) => [...row.slice(0, -1), oneLine(row.at(-1) ?? "", left)]))
}
