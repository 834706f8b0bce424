import { Context, type Effect, type Scope, type Stream } from "effect"

/** Some lines of a file, in order. */
export interface TailPiece {
  /** These are the first lines of a file that is new, was cut short or was replaced: lines before them are void. */
  readonly anew: boolean
  readonly lines: ReadonlyArray<string>
  /** The file's end was reached. */
  readonly atEnd: boolean
}

/** Reads files that another program writes, as it writes them: bounded, and without a failure. */
export class FileTail extends Context.Service<FileTail, {
  /**
   * Whole lines that are appended from now on; of a file that is not there yet, all. A file that was cut short or replaced is
   * read anew. A line longer than a megabyte is left out.
   */
  readonly follow: (path: string) => Effect.Effect<Stream.Stream<string>, never, Scope.Scope>
  /**
   * All whole lines, from the file's first on, piece by piece as fast as they are taken: what the file holds already with a
   * pause behind each piece, then what is appended. Nothing comes twice and nothing is left out but overlong lines.
   */
  readonly read: (path: string) => Stream.Stream<TailPiece>
  /** Whole lines of at most the last `bytes` of a file, when it is longer than that; none else, and none of no file. */
  readonly last: (path: string, bytes: number) => Effect.Effect<ReadonlyArray<string>>
  /** The text of a file of at most `bytes`; null for a longer one and for none. */
  readonly document: (path: string, bytes: number) => Effect.Effect<string | null>
}>()("leap/services/FileTail") {}
