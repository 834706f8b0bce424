import { Context, type Effect, type Result, Schema } from "effect"

/** A file that several processes change could not be read or written; it stands as it did. */
export class SharedFileError extends Schema.TaggedError<SharedFileError>()("SharedFileError", {
  file: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `${this.file}: ${this.why}`
  }
}

/** Files that several processes change. No change is lost, and a reader sees the file before or after one, never between. */
export class SharedFile extends Context.Service<SharedFile, {
  /** What is in it; null when there is no such file. Links are followed. */
  readonly read: (file: string) => Effect.Effect<Uint8Array | null, SharedFileError>
  /**
   * Puts what `edit` makes of the content in its place, under the file's lock (`<file>.lock`), and gives it back. Links stay
   * links, and the file keeps its mode; a new one is the user's alone. `edit` may run again when a program that does not
   * know the lock writes meanwhile. The directory must be there.
   */
  readonly change: <E>(
    file: string,
    edit: (content: Uint8Array | null) => Result.Result<Uint8Array, E>
  ) => Effect.Effect<Uint8Array, E | SharedFileError>
}>()("leap/services/SharedFile") {}
