import { Context, type Effect, type Scope, type Stream } from "effect"

/** Follows a file that another program appends lines to. */
export class FileTail extends Context.Service<FileTail, {
  /**
   * Whole lines that are appended from now on; of a file that is not there yet, all. A file that was cut short or replaced is
   * read anew. A line longer than a megabyte is left out.
   */
  readonly follow: (path: string) => Effect.Effect<Stream.Stream<string>, never, Scope.Scope>
}>()("leap/services/FileTail") {}
