/** An open file of the queue store. */
export interface QueueFile {
  /** One write call; may write less than asked. */
  readonly write: (data: Uint8Array) => Promise<number>
  readonly sync: () => Promise<void>
  readonly truncate: (size: number) => Promise<void>
  readonly chmod: (mode: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** The file operations that the queue store is made of: the few that a test has to be able to fail. */
export interface QueueFiles {
  readonly read: (path: string) => Promise<Uint8Array>
  /** For appending; created (0600) when it is not there, emptied with `fresh`. */
  readonly open: (path: string, fresh: boolean) => Promise<QueueFile>
  readonly rename: (from: string, to: string) => Promise<void>
  readonly remove: (path: string) => Promise<void>
  /** Makes the directory's entries durable. */
  readonly syncDirectory: (path: string) => Promise<void>
}
