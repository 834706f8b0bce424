import { needName } from "../../words/attention/needName.ts"
import { needLine } from "../../words/attention/needWords.ts"
import { waitingNow } from "../../words/attention/waitingNow.ts"
import type { SessionStatus } from "../../words/session/Session.ts"
import { oneLine } from "../../words/text/printable.ts"
import type { LogEntry } from "./LogEntry.ts"
import { logLines } from "./logLine.ts"
import { isoTime, localTime } from "./recordTimes.ts"
import type { fold, ReportBy } from "./Report.ts"
import { reportText } from "./reportText.ts"

/** What a command prints: as JSON, and as text. */
export interface Page {
  readonly document: object
  readonly text: () => string
}

const day = 86_400_000

/** How far back these commands look where nobody says, in milliseconds: of a search all that is recorded. */
export const lookBack = { log: day, search: 3_650 * day, report: 7 * day } as const

/** How many lines of the log are shown where nobody says, and at most. */
export const logLength = { usual: 200, most: 100_000 } as const

/** With its times in ISO 8601. */
const inIso = (entry: LogEntry) => ({
  ...entry,
  at: isoTime(entry.at),
  ...("until" in entry ? { until: entry.until === null ? null : isoTime(entry.until) } : {})
})

export const logPage = (entries: ReadonlyArray<LogEntry>, colour: boolean): Page => ({
  document: { schema: 1, entries: entries.map(inIso) },
  text: () =>
    entries.length === 0
      ? "nothing is recorded of this time: --since reaches further back (--since 7d)"
      : logLines(entries, localTime, colour).join("\n")
})

/** A text in which what was searched for stands. */
interface FoundText {
  readonly at: number
  readonly tag: string
  readonly kind: string
  readonly excerpt: string
}

/** `texts`: the newest first; the page has it last. */
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

export const reportPage = (
  folded: ReturnType<typeof fold>,
  {
    by,
    colour,
    now,
    since,
    statuses
  }: {
    readonly by: ReportBy
    readonly colour: boolean
    readonly now: number
    readonly since: number
    readonly statuses: ReadonlyArray<SessionStatus>
  }
): Page => {
  const waiting = waitingNow(statuses, (status) => status).flatMap(({ needs, session: { tag } }) =>
    needs.map((need) => ({ tag, ...need }))
  )
  return {
    document: {
      schema: 1,
      since: isoTime(since),
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
