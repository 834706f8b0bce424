import {
  applyReport,
  encodeReport,
  noRecords,
  type StatusReport,
  type StatusRecords
} from "../../words/session/ProgramStatus.ts"
import type { OutputSegment } from "./OutputScanner.ts"

/**
 * What terminals that read program status are told of a session: by its CLI where that speaks the protocol, by leap
 * where it does not, never by both.
 */
export interface ReportRelay {
  /** The CLI has reported its own status. */
  readonly speaks: boolean
  /** The CLI's records. */
  readonly records: StatusRecords
  /** What leap says for the CLI, as a terminal gets it. "" for nothing. */
  readonly own: string
}

export const start: ReportRelay = { speaks: false, records: noRecords, own: "" }

const clear = encodeReport({
  state: "clear",
  id: "",
  kind: null,
  progress: null,
  app: null,
  title: null,
  message: null
})

/** The relay after a report of the CLI's, and what terminals get for it. */
export const pass = (
  relay: ReportRelay,
  { data, report }: Extract<OutputSegment, { _tag: "Report" }>
): readonly [ReportRelay, string] => {
  // the protocol discards it, and so does every terminal
  if (report === null) return [relay, data]
  const records = applyReport(relay.records, report)
  // a full reset: terminals have cleared leap's own record too
  if (data === "") return [{ ...relay, records }, relay.own]
  return [{ speaks: true, records, own: "" }, (relay.own === "" ? "" : clear) + data]
}

/** The relay after leap has something to say of the session, and what terminals get for it. */
export const state = (relay: ReportRelay, report: StatusReport): readonly [ReportRelay, string] => {
  if (relay.speaks) return [relay, ""]
  const own = report.state === "clear" ? "" : encodeReport(report)
  if (own === relay.own) return [relay, ""]
  return [{ ...relay, own }, own === "" ? clear : own]
}

/** What puts a terminal that has no records where the others are. */
export const redraw = (relay: ReportRelay): string =>
  relay.speaks ? relay.records.map(encodeReport).join("") : relay.own
