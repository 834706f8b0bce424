import { Context, type Effect, type Scope, type Stream } from "effect"

export interface TailChunk {
  /** The file is new, was truncated or was replaced, and these are its first lines. All earlier lines are void. */
  readonly restarted: boolean
  readonly lines: ReadonlyArray<string>
  readonly atEnd: boolean
}

/** Reads files while another program writes them; bounded in memory, and never fails. */
export class FileTail extends Context.Service<
  FileTail,
  {
    /**
     * Complete lines appended from now on, or all lines of a file that does not exist yet. A truncated or replaced file
     * is read from its start. Lines over a megabyte are skipped.
     */
    readonly follow: (path: string) => Effect.Effect<Stream.Stream<string>, never, Scope.Scope>
    /**
     * All complete lines from the first on, chunk by chunk at the reader's pace: first the existing content, with a
     * pause after each chunk, then what is appended. No line comes twice, and only overlong lines are skipped.
     */
    readonly read: (path: string) => Stream.Stream<TailChunk>
    /** The complete lines within the last `bytes` of a longer file; empty for a shorter file and for a missing one. */
    readonly last: (path: string, bytes: number) => Effect.Effect<ReadonlyArray<string>>
    /** The files with this ending in a directory and below it: a bounded number; none if it is missing. */
    readonly within: (directory: string, ending: string) => Effect.Effect<ReadonlyArray<string>>
    /** The text of a file of at most `bytes`; null for a longer file and for a missing one. */
    readonly document: (path: string, bytes: number) => Effect.Effect<string | null>
  }
>()("leap/services/FileTail") {}
