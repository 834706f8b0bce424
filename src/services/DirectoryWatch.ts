import { Context, type Duration, type Effect, type Scope } from "effect"

/** Follows one directory, even while it is missing and after it was replaced. */
export interface DirectoryWatcher {
  /**
   * Waits until something in the directory may have changed since the last call, or the time is up. A caller that reads
   * the directory once at first and again after every return misses no change.
   */
  readonly changed: (atMost: Duration.Input) => Effect.Effect<void>
  /**
   * Like `changed`, but the time limit only covers lost notifications. Once this process calls `stir`, the limit runs
   * only from the next `stir` on, so an idle process never wakes up.
   */
  readonly changedUnlessLost: (safety: Duration.Input) => Effect.Effect<void>
}

/** Reports changes in directories. */
export class DirectoryWatch extends Context.Service<
  DirectoryWatch,
  {
    /**
     * `isUrgent`: names whose changes are reported at once. Changes of other names are collected for up to a third of a
     * second. Without it, every change is reported at once.
     */
    readonly watch: (
      path: string,
      isUrgent?: (name: string) => boolean
    ) => Effect.Effect<DirectoryWatcher, never, Scope.Scope>
    /**
     * Completes when the directory is deleted or replaced, or when all of these files that exist now are. Both are
     * watched, because somebody who deletes a directory in use may leave part of it, and a cleaner deletes single
     * files. Never completes if the directory, or all of the files, do not exist.
     */
    readonly gone: (path: string, files: ReadonlyArray<string>) => Effect.Effect<void>
    /** Announces activity of the program whose files are watched: from now on a notification may get lost. */
    readonly stir: () => void
  }
>()("leap/services/DirectoryWatch") {}
