import type { Effect } from "effect"
import type { FileFault } from "./FileFault.ts"

/** An open file of the queue store. */
export interface QueueFile {
  /** One write call; may write less than requested. */
  readonly write: (data: Uint8Array) => Effect.Effect<number, FileFault>
  readonly sync: Effect.Effect<void, FileFault>
  readonly truncate: (size: number) => Effect.Effect<void, FileFault>
  readonly chmod: (mode: number) => Effect.Effect<void, FileFault>
  readonly close: Effect.Effect<void, FileFault>
}

/** The file operations of the queue store, kept few so that a test can make each of them fail. */
export interface QueueFiles {
  readonly read: (path: string) => Effect.Effect<Uint8Array, FileFault>
  /** For appending; created (0600) when it is not there, emptied with `fresh`. */
  readonly open: (path: string, fresh: boolean) => Effect.Effect<QueueFile, FileFault>
  readonly rename: (from: string, to: string) => Effect.Effect<void, FileFault>
  readonly remove: (path: string) => Effect.Effect<void, FileFault>
  /** Makes the directory's entries durable. */
  readonly syncDirectory: (path: string) => Effect.Effect<void, FileFault>
}
