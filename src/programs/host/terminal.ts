import { fromLatin1, toLatin1 } from "../../domain/Bytes.ts"
import * as OutputScanner from "../../domain/OutputScanner.ts"
import { type StatusReport, supportQuery } from "../../domain/ProgramStatus.ts"
import type { TerminalQuery } from "../../domain/TerminalQuery.ts"
import type { ScreenHandle } from "../../services/Screen.ts"
import type { Viewers } from "./viewers.ts"

export interface TerminalOptions {
  readonly screen: ScreenHandle
  readonly viewers: Viewers
  /** Bytes (latin1) for the CLI. */
  readonly write: (data: string) => void
  readonly answer: (query: TerminalQuery) => string
  readonly report: (report: StatusReport) => void
}

/**
 * The terminal that the CLI sees. Every byte reaches the emulator, in order, so that a cursor position asked for is
 * answered from the screen as it was then. The program-status query is always answered here, and first, because programs
 * send a device-attributes query behind it; other queries are answered here while no viewer's terminal can.
 */
export const makeTerminal = (options: TerminalOptions) => {
  let scan = OutputScanner.start
  return {
    output: (chunk: Uint8Array): void => {
      const bytes = toLatin1(chunk)
      const { segments, state } = OutputScanner.scan(scan, bytes)
      scan = state
      // the common chunk has nothing in it but text: hand it over as it came
      if (segments.length === 1 && segments[0]!._tag === "Text" && segments[0]!.data === bytes) {
        options.screen.feed(chunk)
      } else {
        for (const segment of segments) {
          options.screen.feed(fromLatin1(segment.data))
          if (segment._tag === "ReportQuery") options.write(supportQuery)
          if (segment._tag === "Report" && segment.report !== null) options.report(segment.report)
          if (segment._tag === "Query" && !options.viewers.hasPrimary()) options.write(options.answer(segment.query))
        }
      }
      options.viewers.output(segments)
    },
    /** The CLI has ended: what was held back as the beginning of a sequence is given out. */
    end: (): void => {
      const { segments, state } = OutputScanner.flush(scan)
      scan = state
      for (const segment of segments) options.screen.feed(fromLatin1(segment.data))
      options.viewers.output(segments)
    },
    /** Bytes that a freshly repainted terminal needs before the output that follows. */
    resume: (): string => OutputScanner.resume(scan)
  }
}
