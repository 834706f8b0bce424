import { Context, type Duration, type Effect, type Scope } from "effect"
import type { StoreError } from "./StoreError.ts"

/**
 * A lock that the kernel holds for this process and releases when the process ends, in whatever way. The lock has a
 * file of its own, which serves no other purpose and is deleted with its release.
 */
export class FileLock extends Context.Service<
  FileLock,
  {
    /** Holds the lock until the scope closes. Waits at most `timeout` for it; by default not at all. */
    readonly acquire: (path: string, timeout?: Duration.Input) => Effect.Effect<void, StoreError, Scope.Scope>
  }
>()("leap/services/FileLock") {}
