import { needName } from "../../words/attention/dismissing.ts"
import { needLine } from "../../words/attention/needWords.ts"
import { waitingNow } from "../../words/attention/waitingNow.ts"
import type { SessionStatus } from "../../words/session/Session.ts"
import { oneLine } from "../../words/text/printable.ts"
import { logEntries, type LogEntry, type LogSource } from "./LogEntry.ts"
import { logLines } from "./logLine.ts"
import { isoTime, localTime, runningLives } from "./recordTimes.ts"
import { fold, type ReportBy, type ReportRow, type ReportSource, type Span } from "./Report.ts"
import { costText, formatTokens } from "../../words/wording/Format.ts"
import { paint, table } from "../../words/wording/StateLine.ts"
import { durationText } from "./durationText.ts"

const span = (ms: number): string => (ms === 0 ? "-" : durationText(ms))
const number = (count: number): string => (count === 0 ? "-" : String(count))

const turnsText = ({ failed, interrupted, turns }: ReportRow): string => {
  const broken = [interrupted > 0 ? `${interrupted} interrupted` : "", failed > 0 ? `${failed} failed` : ""]
  const note = broken.filter((part) => part !== "").join(", ")
  return note === "" ? number(turns) : `${turns} (${note})`
}

const waitText = ({ dialogs, longestWaitMs, waitedMs }: ReportRow): string =>
  dialogs === 0 && waitedMs === 0
    ? "-"
    : `${durationText(waitedMs)} (${dialogs}, longest ${durationText(longestWaitMs)})`

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

export interface Page {
  readonly document: object
  readonly text: () => string
}

const day = 86_400_000

/** How far back these commands look by default, in milliseconds; a search covers the whole record. */
export const lookBack = { log: day, search: 3_650 * day, report: 7 * day } as const

/** How many lines of the log are shown by default, and at most. */
export const logLength = { usual: 200, most: 100_000 } as const

const inIso = (entry: LogEntry) => ({
  ...entry,
  at: isoTime(entry.at),
  ...("until" in entry ? { until: entry.until === null ? null : isoTime(entry.until) } : {})
})

export const logPage = (
  source: LogSource,
  { from, limit }: { readonly from: number; readonly limit: number },
  statuses: ReadonlyArray<SessionStatus>,
  colour: boolean
): Page => {
  const entries = logEntries(source, from, runningLives(statuses)).slice(-limit)
  return {
    document: { schema: 1, entries: entries.map(inIso) },
    text: () =>
      entries.length === 0
        ? "nothing is recorded of this time: --since reaches further back (--since 7d)"
        : logLines(entries, localTime, colour).join("\n")
  }
}

interface FoundText {
  readonly at: number
  readonly tag: string
  readonly kind: string
  readonly excerpt: string
  readonly sessionId: string | null
}

/** `texts`: the newest first; on the page the newest is last. */
export const foundPage = (texts: ReadonlyArray<FoundText>): Page => {
  const inOrder = [...texts].reverse()
  return {
    document: { schema: 1, found: inOrder.map(({ at, ...text }) => ({ at: isoTime(at), ...text })) },
    text: () =>
      inOrder.length === 0
        ? "nothing is recorded with these words"
        : inOrder
            .map(({ at, excerpt, kind, tag }) => `${localTime(at)}  ${tag}  ${kind}: ${oneLine(excerpt, 300)}`)
            .join("\n")
  }
}

export interface ReportOptions {
  readonly by: ReportBy
  readonly spans: ReadonlyArray<Span>
  /** Of the spans. */
  readonly names: ReadonlyArray<string>
  readonly now: number
  readonly statuses: ReadonlyArray<SessionStatus>
  readonly colour: boolean
}

export const reportPage = (source: ReportSource, { by, colour, names, now, spans, statuses }: ReportOptions): Page => {
  const folded = fold(source, { by, spans, names, now, runs: runningLives(statuses) })
  const waiting = waitingNow(statuses, (status) => status).flatMap(({ needs, session: { tag } }) =>
    needs.map((need) => ({ tag, ...need }))
  )
  return {
    document: {
      schema: 1,
      since: isoTime(spans[0]?.from ?? now),
      until: isoTime(now),
      by,
      ...folded,
      needs: waiting.map(({ tag, ...need }) => ({ tag, ...needName(need), until: need.until }))
    },
    text: () =>
      [
        folded.rows.length === 0
          ? "nothing is recorded of this time: --since reaches further back (--since 30d)"
          : reportText(folded, by, colour),
        ...waiting.map((need) => `${oneLine(need.tag, 40)} needs you: ${needLine(need)}`)
      ].join("\n")
  }
}
