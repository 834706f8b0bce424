import { Context, type Duration, type Effect, type Scope } from "effect"

/** Follows one directory, also while it is missing and after it was replaced. */
export interface DirectoryWatcher {
  /**
   * Waits until something in the directory may have changed since the last time, or the time is up. Whoever looks at the
   * directory first and after every return misses nothing.
   */
  readonly changed: (atMost: Duration.Input) => Effect.Effect<void>
}

/** Notices changes in directories. */
export class DirectoryWatch extends Context.Service<DirectoryWatch, {
  readonly watch: (path: string) => Effect.Effect<DirectoryWatcher, never, Scope.Scope>
}>()("leap/services/DirectoryWatch") {}
