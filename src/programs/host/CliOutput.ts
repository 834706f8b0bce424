import { Context, Layer } from "effect"
import * as OutputScanner from "../../domain/terminal/sequences/OutputScanner.ts"
import * as RepeatBound from "../../domain/terminal/sequences/RepeatBound.ts"

/** The CLI's output, taken apart. It remembers the beginning of a sequence whose end is in the next chunk. */
export class CliOutput extends Context.Service<
  CliOutput,
  {
    /** A chunk is text and nothing else: it need not be scanned. */
    readonly isText: (chunk: Uint8Array) => boolean
    /**
     * The segments that a chunk (latin1) completes. What repeats something does so no more often than a screen of this
     * size can hold: viewers' terminals and the emulator get the same, so that a repaint shows what the output did.
     */
    readonly scan: (
      bytes: string,
      screen: { readonly cols: number; readonly rows: number }
    ) => ReadonlyArray<OutputScanner.OutputSegment>
    /** The CLI has ended: the beginning that is remembered is given out as it is. */
    readonly flush: () => ReadonlyArray<OutputScanner.OutputSegment>
    /** The beginning that is remembered, as it came. */
    readonly held: () => string
    /** Bytes that a freshly repainted terminal needs before the output that follows. */
    readonly resume: () => string
  }
>()("leap/programs/host/CliOutput") {}

/**
 * A viewer's window may be larger than the session's screen until the session hears of it, so lines and columns are
 * bounded by what any usual window has.
 */
const windowMost = { rows: 200, cols: 500 }

export const makeCliOutput = (): CliOutput["Service"] => {
  let scan = OutputScanner.start
  let repeats = RepeatBound.start
  const take = ({ segments, state }: ReturnType<typeof OutputScanner.scan>) => {
    scan = state
    return segments
  }
  return {
    isText: (chunk) => OutputScanner.isText(scan, chunk) && RepeatBound.isPlain(repeats, chunk),
    scan: (bytes, { cols, rows }) => {
      const [state, passed] = RepeatBound.pass(repeats, bytes, {
        rows: Math.max(rows, windowMost.rows),
        cols: Math.max(cols, windowMost.cols),
        cells: rows * cols
      })
      repeats = state
      return take(OutputScanner.scan(scan, passed))
    },
    flush: () => {
      const { held } = repeats
      repeats = RepeatBound.start
      return [...take(OutputScanner.scan(scan, held)), ...take(OutputScanner.flush(scan))]
    },
    held: () => {
      const { segments } = OutputScanner.flush(scan)
      return segments.map(({ data }) => data).join("") + repeats.held
    },
    resume: () => OutputScanner.resume(scan)
  }
}

export const layer = Layer.sync(CliOutput, makeCliOutput)
