import { Context, Layer } from "effect"
import * as OutputScanner from "../../domain/terminal/sequences/OutputScanner.ts"
import * as RepeatBound from "../../domain/terminal/sequences/RepeatBound.ts"

/** Splits the CLI's output into segments. It buffers an incomplete sequence until the next chunk. */
export class CliOutput extends Context.Service<
  CliOutput,
  {
    readonly isText: (chunk: Uint8Array) => boolean
    /**
     * The segments that a chunk (latin1) completes. Repetitions are limited to what a screen of this size can hold.
     * Viewers and the emulator get the same segments, so that a repaint matches the output.
     */
    readonly scan: (
      bytes: string,
      screen: { readonly cols: number; readonly rows: number }
    ) => ReadonlyArray<OutputScanner.OutputSegment>
    /** Returns the buffered beginning when the CLI has ended. */
    readonly flush: () => ReadonlyArray<OutputScanner.OutputSegment>
    readonly held: () => string
    /** Bytes that a freshly repainted terminal needs before further output. */
    readonly resume: () => string
  }
>()("leap/programs/host/CliOutput") {}

/** A viewer's window may exceed the session's screen until the session learns of it, so the bound is large. */
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
