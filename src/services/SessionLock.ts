import { Context, type Effect, type Scope } from "effect"
import type { StoreError } from "./StoreError.ts"

/** A session's lock, held by this process. */
export interface HeldLock {
  /** Whether the file that has the lock's name now is the one that is locked: a cleaner may have removed it. */
  readonly isCurrent: Effect.Effect<boolean>
  /** Locks the file that has the lock's name now, too, and makes one where there is none. */
  readonly renew: Effect.Effect<void, StoreError>
}

/** Who holds a session's lock: its process, null where the system does not show which, or whether anybody does. */
export interface LockHolder {
  readonly pid: number | null
}

/**
 * A lock that the kernel holds for this process and releases when the process ends, in whatever way: it, and nothing
 * that a host has written, says whether a session's host lives.
 */
export class SessionLock extends Context.Service<
  SessionLock,
  {
    readonly acquire: (path: string) => Effect.Effect<HeldLock, StoreError, Scope.Scope>
    /** Who holds it now; null where nobody does. Takes nothing. */
    readonly holder: (path: string) => Effect.Effect<LockHolder | null>
  }
>()("leap/services/SessionLock") {}
