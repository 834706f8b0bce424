import { Context, type Duration, type Effect, type Scope } from "effect"

/** Follows one directory, even while it is missing and after it was replaced. */
export interface DirectoryWatcher {
  /**
   * Waits until something in the directory may have changed since the last call, or the time is up. A caller that reads
   * the directory once at first and again after every return misses no change.
   */
  readonly changed: (atMost: Duration.Input) => Effect.Effect<void>
  /**
   * As `changed`, where the time only makes up for a notice that was lost. Once this process has said that something
   * stirs, the time runs from the next stir on: while nothing does, nobody is woken.
   */
  readonly changedUnlessLost: (safety: Duration.Input) => Effect.Effect<void>
}

/** Reports changes in directories. */
export class DirectoryWatch extends Context.Service<
  DirectoryWatch,
  {
    /**
     * `isUrgent`: names whose change cannot wait. Of other names it is told within a third of a second, with what else
     * has changed by then; without it, every change is told at once.
     */
    readonly watch: (
      path: string,
      isUrgent?: (name: string) => boolean
    ) => Effect.Effect<DirectoryWatcher, never, Scope.Scope>
    /**
     * Completes when the directory that is there now is deleted, or another is in its place, or so it is with all of
     * these files in it that are there now: who deletes a directory in which others write may leave a part of it, and
     * who cleans it up takes one file alone. Never where there is no directory, or none of the files.
     */
    readonly gone: (path: string, files: ReadonlyArray<string>) => Effect.Effect<void>
    /** The program stirs whose files are watched: from here on a change may come whose notice gets lost. */
    readonly stir: () => void
  }
>()("leap/services/DirectoryWatch") {}
