import { type Effect, Schema } from "effect"

/** A file operation failed; with the operating system's code, where it gave one, and its message. */
export class QueueFileError extends Schema.TaggedError<QueueFileError>()("QueueFileError", {
  code: Schema.NullOr(Schema.String),
  why: Schema.String
}) {
  override get message() {
    return this.why
  }
}

/** An open file of the queue store. */
export interface QueueFile {
  /** One write call; may write less than requested. */
  readonly write: (data: Uint8Array) => Effect.Effect<number, QueueFileError>
  readonly sync: Effect.Effect<void, QueueFileError>
  readonly truncate: (size: number) => Effect.Effect<void, QueueFileError>
  readonly chmod: (mode: number) => Effect.Effect<void, QueueFileError>
  readonly close: Effect.Effect<void, QueueFileError>
}

/** The file operations of the queue store, kept few so that a test can make each of them fail. */
export interface QueueFiles {
  readonly read: (path: string) => Effect.Effect<Uint8Array, QueueFileError>
  /** For appending; created (0600) when it is not there, emptied with `fresh`. */
  readonly open: (path: string, fresh: boolean) => Effect.Effect<QueueFile, QueueFileError>
  readonly rename: (from: string, to: string) => Effect.Effect<void, QueueFileError>
  readonly remove: (path: string) => Effect.Effect<void, QueueFileError>
  /** Makes the directory's entries durable. */
  readonly syncDirectory: (path: string) => Effect.Effect<void, QueueFileError>
}
