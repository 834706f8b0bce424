import { Context, type Effect } from "effect"

/** A file, independent of its names. */
export interface FileIdentity {
  readonly dev: string
  readonly ino: string
}

/** Which processes have files open, as far as the operating system shows this to the user. */
export class OpenFiles extends Context.Service<
  OpenFiles,
  {
    /** Pids of other processes that have one of the files open; null if the system cannot be asked. */
    readonly holders: (files: ReadonlyArray<FileIdentity>) => Effect.Effect<ReadonlyArray<number> | null>
  }
>()("leap/services/OpenFiles") {}
