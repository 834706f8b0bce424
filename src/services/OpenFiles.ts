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
    /** Pids of other processes that have one of the files open. */
    readonly holders: (files: ReadonlyArray<FileIdentity>) => Effect.Effect<ReadonlyArray<number>>
  }
>()("leap/services/OpenFiles") {}
