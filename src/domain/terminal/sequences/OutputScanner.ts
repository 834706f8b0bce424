import { parseReport, type StatusReport } from "../../words/session/ProgramStatus.ts"
import { type TerminalQuery, queryOf } from "./TerminalQuery.ts"
import * as VtScanner from "./VtScanner.ts"

export type { TerminalQuery } from "./TerminalQuery.ts"

/** A part of a CLI's output (latin1). All segments and the carried bytes together are the output. */
export type OutputSegment =
  | { readonly _tag: "Text"; readonly data: string }
  /** A query of the CLI to its terminal, which exactly one terminal must answer. */
  | { readonly _tag: "Query"; readonly data: string; readonly query: TerminalQuery }
  /** The CLI asks whether its terminal reads program-status reports. */
  | { readonly _tag: "ReportQuery"; readonly data: string }
  /** A program-status report; null if the protocol discards it. A full reset (RIS) gives a report without data. */
  | { readonly _tag: "Report"; readonly data: string; readonly report: StatusReport | null }

export interface OutputScanState {
  readonly vt: VtScanner.VtState
  readonly utf8: string
}

export interface ScannedOutput {
  readonly state: OutputScanState
  readonly segments: ReadonlyArray<OutputSegment>
}

export const start: OutputScanState = { vt: VtScanner.start, utf8: "" }

const cleared: OutputSegment = {
  _tag: "Report",
  data: "",
  report: { state: "clear", id: "", kind: null, progress: null, app: null, title: null, message: null }
}
const wordsOnly: VtScanner.ScanOptions = { controls: false }

/** The number of bytes at the end of a text that begin an incomplete UTF-8 character. */
export const incomplete = (text: string): number => {
  for (let back = 1; back <= 3 && back <= text.length; back++) {
    const code = text.charCodeAt(text.length - back)
    if (code < 0x80) return 0
    if (code >= 0xc0) return (code >= 0xf0 ? 4 : code >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}

/** Whether a chunk is only text and ends with a complete character: then it is one segment, like most of a flood. */
export const isText = ({ utf8, vt }: OutputScanState, chunk: Uint8Array): boolean => {
  if (vt.phase !== "Ground" || utf8 !== "" || chunk.includes(0x1b)) return false
  const tail = String.fromCharCode(...chunk.subarray(-3))
  return incomplete(tail) === 0
}

/**
 * Splits output into plain text, terminal queries and program-status reports. Segments end between sequences and
 * between characters, so the screen may be redrawn between any two calls; see {@link resume} for the one exception.
 */
export const scan = (state: OutputScanState, chunk: string): ScannedOutput => {
  const segments: Array<OutputSegment> = []
  let text = ""
  const close = (): void => {
    if (text !== "") segments.push({ _tag: "Text", data: text })
    text = ""
  }
  const input = state.utf8 === "" ? chunk : state.utf8 + chunk
  const plain = state.vt.phase === "Ground" && VtScanner.drawsOnly(input)
  const scanned = plain ? undefined : VtScanner.scan(state.vt, input, wordsOnly)
  if (scanned === undefined) text = input
  else {
    for (const token of scanned.tokens) {
      if (token._tag === "Osc" && token.body.startsWith("7501;")) {
        close()
        const body = token.body.slice(5)
        segments.push(
          body === "?"
            ? { _tag: "ReportQuery", data: token.raw }
            : { _tag: "Report", data: token.raw, report: parseReport(body) }
        )
        continue
      }
      const query = queryOf(token)
      if (query === null) {
        text += token.raw
        if (token._tag === "Escape" && token.final === "c" && token.intermediates === "") {
          close()
          segments.push(cleared)
        }
      } else {
        close()
        segments.push({ _tag: "Query", data: token.raw, query })
      }
    }
  }
  const vt = scanned === undefined ? state.vt : scanned.state
  const held = vt.phase === "Ground" ? incomplete(text) : 0
  const utf8 = held === 0 ? "" : text.slice(text.length - held)
  if (held > 0) text = text.slice(0, text.length - held)
  close()
  return { state: { vt, utf8 }, segments }
}

/** Passes on the held bytes. The rest of a sequence flushed this way counts as plain text. */
export const flush = (state: OutputScanState): ScannedOutput => {
  const flushed = VtScanner.flush(state.vt)
  const data = state.utf8 + flushed.tokens.map((token) => token.raw).join("")
  return { state: { vt: flushed.state, utf8: "" }, segments: data === "" ? [] : [{ _tag: "Text", data }] }
}

/**
 * Bytes that put a freshly drawn terminal into the middle of a long sequence (an image, a clipboard) whose start was
 * passed on earlier: without them its rest would be drawn as text. Nearly always empty.
 */
export const resume = (state: OutputScanState): string => {
  if (!state.vt.passing) return ""
  switch (state.vt.phase) {
    case "Ground":
      return ""
    case "Escape":
      return "\x1b"
    case "Intermediate":
      return "\x1b "
    case "Csi":
      // A parameter after an intermediate breaks the grammar: terminals ignore everything up to the final byte.
      return "\x1b[ 0"
    case "Osc":
    case "OscEscape":
      // Only an OSC may be ended by BEL. Its number has no meaning.
      return "\x1b]7999;"
    default:
      return "\x1bX"
  }
}
