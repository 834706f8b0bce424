import {
  applyReport,
  encodeReport,
  noRecords,
  type StatusReport,
  type StatusRecords
} from "../../words/session/ProgramStatus.ts"
import type { OutputSegment } from "../sequences/OutputScanner.ts"

/** Program status for terminals that read it: the CLI's own reports if it has any, otherwise leap's, never both. */
export interface ReportRelay {
  readonly speaks: boolean
  readonly records: StatusRecords
  /** leap's report for the CLI, encoded for a terminal. "" for nothing. */
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

export const pass = (
  relay: ReportRelay,
  { data, report }: Extract<OutputSegment, { _tag: "Report" }>
): readonly [ReportRelay, string] => {
  // By the protocol every terminal discards this report.
  if (report === null) return [relay, data]
  const records = applyReport(relay.records, report)
  // A full reset: terminals have cleared leap's own record too.
  if (data === "") return [{ ...relay, records }, relay.own]
  return [{ speaks: true, records, own: "" }, (relay.own === "" ? "" : clear) + data]
}

export const state = (relay: ReportRelay, report: StatusReport): readonly [ReportRelay, string] => {
  if (relay.speaks) return [relay, ""]
  const own = report.state === "clear" ? "" : encodeReport(report)
  if (own === relay.own) return [relay, ""]
  return [{ ...relay, own }, own === "" ? clear : own]
}

export const redraw = (relay: ReportRelay): string =>
  relay.speaks ? relay.records.map(encodeReport).join("") : relay.own
