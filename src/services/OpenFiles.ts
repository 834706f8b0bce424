import { Context, type Effect } from "effect"

/** A file, independent of its names. */
export interface FileIdentity {
  readonly dev: string
  readonly ino: string
}

/** A process that works in a directory. */
export interface Worker {
  readonly pid: number
  readonly name: string
}

/** Which processes have files open and work in directories, as far as the operating system shows this to the user. */
export class OpenFiles extends Context.Service<
  OpenFiles,
  {
    /** Pids of other processes that have one of the files open; null if the system cannot be asked. */
    readonly holders: (files: ReadonlyArray<FileIdentity>) => Effect.Effect<ReadonlyArray<number> | null>
    /** Processes with this working directory, or one in it; null if the system cannot be asked. */
    readonly workers: (directory: string) => Effect.Effect<ReadonlyArray<Worker> | null>
  }
>()("leap/services/OpenFiles") {}
