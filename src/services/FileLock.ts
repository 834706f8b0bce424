import { Context, type Duration, type Effect, Schema, type Scope } from "effect"

/** Another process has the lock. */
export class FileBusyError extends Schema.TaggedError<FileBusyError>()("FileBusyError", {
  path: Schema.String
}) {
  override get message() {
    return `another process holds ${this.path}; try again in a moment`
  }
}

/** The lock cannot be taken at all. `mend`: what helps where the file is leap's own. */
export class FileLockError extends Schema.TaggedError<FileLockError>()("FileLockError", {
  path: Schema.String,
  why: Schema.String,
  /** The system's name for what went wrong; absent where it has none. */
  code: Schema.optionalKey(Schema.String),
  mend: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    return `could not lock ${this.path}: ${this.why}`
  }
}

/**
 * A lock that the kernel holds for this process and releases when the process ends, in whatever way. The lock has a
 * file of its own, which serves no other purpose and is deleted with its release.
 */
export class FileLock extends Context.Service<
  FileLock,
  {
    /**
     * Holds the lock until the scope closes. Waits at most this long for another process to release it; by default not
     * at all.
     */
    readonly acquire: (
      path: string,
      patience?: Duration.Input
    ) => Effect.Effect<void, FileBusyError | FileLockError, Scope.Scope>
  }
>()("leap/services/FileLock") {}
