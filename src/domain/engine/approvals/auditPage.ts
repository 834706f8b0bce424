import type { Verdict } from "../../policy/Decision.ts"
import { summary } from "../../policy/summary.ts"
import { oneLine } from "../../words/text/printable.ts"
import { paint, table } from "../../words/wording/StateLine.ts"
import type { AuditEntry } from "./AuditEntry.ts"
import type { AuditText } from "./readAudit.ts"

export const verdictColours: Readonly<Record<Verdict, number>> = { allow: 32, ask: 33, deny: 31 }

const reasonOf = ({ more, rule, why }: AuditEntry): string =>
  rule === null ? why : more === undefined ? rule : `${rule}: ${more}`

const row = (entry: AuditEntry, colour: boolean): ReadonlyArray<string> => [
  oneLine(entry.at.replace("T", " ").replace(/\.\d+Z$|Z$/, ""), 19),
  paint(entry.verdict, verdictColours[entry.verdict], colour),
  entry.by === "none" ? "-" : entry.by,
  entry.told === "no" ? "-" : entry.told,
  entry.request === null ? oneLine(entry.event, 100) : summary(entry.request, 100),
  oneLine(reasonOf(entry), 160)
]

const auditTable = (entries: ReadonlyArray<AuditEntry>, colour: boolean): string =>
  table([
    ["TIME (UTC)", "VERDICT", "BY", "TOLD", "WHAT", "RULE OR WHY"].map((cell) => paint(cell, 1, colour)),
    ...entries.map((entry) => row(entry, colour))
  ])

/** A query of the log: all entries or the `denied` ones, the `last` of them; null for all. */
export interface AuditQuery {
  readonly denied: boolean
  readonly last: number | null
}

/** The output of a command for a session's audit log; `note`: what cannot be shown. */
export const auditPage = (tag: string, { entries: all, unreadable }: AuditText, { denied, last }: AuditQuery) => {
  const matching = denied ? all.filter((entry) => entry.verdict === "deny") : all
  const entries = last === null ? matching : matching.slice(-last)
  return {
    note:
      unreadable === 0
        ? null
        : `${unreadable === 1 ? "1 line" : `${unreadable} lines`} of the audit log cannot be read; ` +
          "what was decided there is not shown",
    document: { schema: 1, tag, entries },
    text: (colour: boolean): string => {
      if (entries.length > 0) return auditTable(entries, colour)
      return all.length === 0
        ? `nothing is written down of session '${tag}': without rules, only what leap has answered is`
        : "nothing was refused"
    }
  }
}
