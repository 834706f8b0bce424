import { Context, Layer } from "effect"
import * as OutputScanner from "../../domain/terminal/OutputScanner.ts"

/** The CLI's output, taken apart. It remembers the beginning of a sequence whose end is in the next chunk. */
export class CliOutput extends Context.Service<
  CliOutput,
  {
    /** A chunk is text and nothing else: it need not be scanned. */
    readonly isText: (chunk: Uint8Array) => boolean
    /** The segments that a chunk (latin1) completes. */
    readonly scan: (bytes: string) => ReadonlyArray<OutputScanner.OutputSegment>
    /** The CLI has ended: the beginning that is remembered is given out as it is. */
    readonly flush: () => ReadonlyArray<OutputScanner.OutputSegment>
    /** The beginning that is remembered, as it came. */
    readonly held: () => string
    /** Bytes that a freshly repainted terminal needs before the output that follows. */
    readonly resume: () => string
  }
>()("leap/programs/host/CliOutput") {}

export const makeCliOutput = (): CliOutput["Service"] => {
  let scan = OutputScanner.start
  const take = ({ segments, state }: ReturnType<typeof OutputScanner.scan>) => {
    scan = state
    return segments
  }
  return {
    isText: (chunk) => OutputScanner.isText(scan, chunk),
    scan: (bytes) => take(OutputScanner.scan(scan, bytes)),
    flush: () => take(OutputScanner.flush(scan)),
    held: () =>
      OutputScanner.flush(scan)
        .segments.map(({ data }) => data)
        .join(""),
    resume: () => OutputScanner.resume(scan)
  }
}

export const layer = Layer.sync(CliOutput, makeCliOutput)
