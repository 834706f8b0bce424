import { Context, type Effect, type Result, Schema } from "effect"

/** A file that several processes change could not be read or written; it was not changed. */
export class SharedFileError extends Schema.TaggedError<SharedFileError>()("SharedFileError", {
  file: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `${this.file}: ${this.why}`
  }
}

/**
 * Files that several processes change. No change is lost, and a reader gets the file from before or after a change,
 * never from between.
 */
export class SharedFile extends Context.Service<
  SharedFile,
  {
    /** The content; null when there is no such file. Links are followed. */
    readonly read: (file: string) => Effect.Effect<Uint8Array | null, SharedFileError>
    /**
     * Replaces the content by what `edit` makes of it, under the file's lock (`<file>.lock`), and returns it. Links
     * stay links, and the file keeps its mode; a new file is readable by the user only. `edit` may run again when a
     * program that ignores the lock writes meanwhile. The directory must exist.
     */
    readonly change: <E>(
      file: string,
      edit: (content: Uint8Array | null) => Result.Result<Uint8Array, E>
    ) => Effect.Effect<Uint8Array, E | SharedFileError>
  }
>()("leap/services/SharedFile") {}
