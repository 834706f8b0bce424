import { oneLine } from "../../words/text/printable.ts"
import { costText, formatTokens } from "../../words/wording/Format.ts"
import { paint, table } from "../../words/wording/StateLine.ts"
import { lasted } from "./lasted.ts"
import type { ReportBy, ReportRow } from "./Report.ts"

const span = (ms: number): string => (ms === 0 ? "-" : lasted(ms))
const number = (count: number): string => (count === 0 ? "-" : String(count))

const turnsText = ({ failed, interrupted, turns }: ReportRow): string => {
  const broken = [interrupted > 0 ? `${interrupted} interrupted` : "", failed > 0 ? `${failed} failed` : ""]
  const note = broken.filter((part) => part !== "").join(", ")
  return note === "" ? number(turns) : `${turns} (${note})`
}

const waitText = ({ dialogs, longestWaitMs, waitedMs }: ReportRow): string =>
  dialogs === 0 && waitedMs === 0 ? "-" : `${lasted(waitedMs)} (${dialogs}, longest ${lasted(longestWaitMs)})`

const decidedText = ({ allowed, denied }: ReportRow): string =>
  denied === 0 ? number(allowed) : `${allowed} (${denied} refused)`

const tokensText = ({ tokens }: ReportRow): string =>
  tokens.input + tokens.cached + tokens.output === 0
    ? "-"
    : `${formatTokens(tokens.input + tokens.cached)} in, ${formatTokens(tokens.output)} out`

const cells = (row: ReportRow, key: string): ReadonlyArray<string> => [
  key,
  number(row.sessions),
  turnsText(row),
  span(row.workedMs),
  waitText(row),
  decidedText(row),
  number(row.messages),
  tokensText(row),
  row.usd === null
    ? "-"
    : costText({
        usd: row.usd,
        estimated: row.estimated,
        ...(row.floor === true ? { floor: "" } : {})
      })
]

const headings: Readonly<Record<ReportBy, string>> = { tag: "SESSION", cli: "CLI", day: "DAY" }

/** What was done, as a table with its sum below. */
export const reportText = (
  { rows, total }: { readonly rows: ReadonlyArray<ReportRow>; readonly total: ReportRow },
  by: ReportBy,
  colour: boolean
): string =>
  table([
    [headings[by], "RUNS", "TURNS", "WORKED", "WAITED FOR YOU", "ALLOWED BY RULES", "MESSAGES", "TOKENS", "COST"].map(
      (cell) => paint(cell, 1, colour)
    ),
    ...rows.map((row) => cells(row, oneLine(row.key, 40))),
    ...(rows.length > 1 ? [cells(total, "total").map((cell) => paint(cell, 1, colour))] : [])
  ])
