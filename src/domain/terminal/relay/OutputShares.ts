import { fromLatin1 } from "../../words/text/Bytes.ts"
import type { OutputSegment } from "../sequences/OutputScanner.ts"
import * as ReportRelay from "./ReportRelay.ts"

export interface OutputShares {
  readonly relay: ReportRelay.ReportRelay
  /** `answers`: the terminal that answers queries. `programStatus`: the terminal reads program status. */
  readonly of: (answers: boolean, programStatus: boolean) => Uint8Array
  /** The reports alone, for a terminal whose screen is redrawn. */
  readonly reports: string
}

/** The shares of some output. The host has answered queries for program status on behalf of the terminals. */
export const dealOut = (relay: ReportRelay.ReportRelay, segments: ReadonlyArray<OutputSegment>): OutputShares => {
  const data = { plain: "", status: "", queries: "", both: "", reports: "" }
  for (const segment of segments) {
    switch (segment._tag) {
      case "Text":
        data.plain += segment.data
        data.status += segment.data
        data.queries += segment.data
        data.both += segment.data
        break
      case "Query":
        data.queries += segment.data
        data.both += segment.data
        break
      case "Report": {
        const [next, report] = ReportRelay.pass(relay, segment)
        relay = next
        data.status += report
        data.both += report
        data.reports += report
        break
      }
      case "ReportQuery":
        break
    }
  }
  const bytes = new Map<string, Uint8Array>()
  return {
    relay,
    reports: data.reports,
    of: (answers, programStatus) => {
      const text = answers ? (programStatus ? data.both : data.queries) : programStatus ? data.status : data.plain
      const made = bytes.get(text) ?? fromLatin1(text)
      bytes.set(text, made)
      return made
    }
  }
}
