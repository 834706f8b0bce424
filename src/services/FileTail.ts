import { Context, type Effect, type Scope, type Stream } from "effect"

/** Some lines of a file, in order. */
export interface TailChunk {
  /** These are the first lines of a file that is new, was truncated or was replaced: all earlier lines are void. */
  readonly restarted: boolean
  readonly lines: ReadonlyArray<string>
  /** The file's end was reached. */
  readonly atEnd: boolean
}

/** Reads files while another program writes them; bounded in memory, and never fails. */
export class FileTail extends Context.Service<
  FileTail,
  {
    /**
     * Whole lines that are appended from now on; all lines of a file that does not exist yet. A file that was truncated
     * or replaced is read from its start. A line longer than a megabyte is left out.
     */
    readonly follow: (path: string) => Effect.Effect<Stream.Stream<string>, never, Scope.Scope>
    /**
     * All whole lines from the first on, chunk by chunk as fast as they are taken: first the existing content, with a
     * pause after each chunk, then what is appended. No line comes twice, and only overlong lines are left out.
     */
    readonly read: (path: string) => Stream.Stream<TailChunk>
    /**
     * The whole lines within the last `bytes` of a file that is longer than that; empty for a shorter file and for a
     * missing one.
     */
    readonly last: (path: string, bytes: number) => Effect.Effect<ReadonlyArray<string>>
    /** The files with this ending in a directory and below it: a bounded number; none where it is missing. */
    readonly within: (directory: string, ending: string) => Effect.Effect<ReadonlyArray<string>>
    /** The text of a file of at most `bytes`; null for a longer file and for a missing one. */
    readonly document: (path: string, bytes: number) => Effect.Effect<string | null>
  }
>()("leap/services/FileTail") {}
