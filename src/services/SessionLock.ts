import { Context, type Effect, type Scope } from "effect"
import type { StoreError } from "./StoreError.ts"

/** A session's lock that this process holds. */
export interface HeldLock {
  /** Whether the lock's path still names the locked file; a cleaner may have removed it. */
  readonly isCurrent: Effect.Effect<boolean>
  /** Also locks the file that has the lock's path now; creates it if it is missing. */
  readonly renew: Effect.Effect<void, StoreError>
}

/** The process that holds a session's lock; null if the system does not show it. */
export interface LockHolder {
  readonly pid: number | null
}

/**
 * A lock that the kernel holds for this process and releases when the process ends, in whatever way. Only this lock,
 * never a written file, decides whether a session's host lives.
 */
export class SessionLock extends Context.Service<
  SessionLock,
  {
    readonly acquire: (path: string) => Effect.Effect<HeldLock, StoreError, Scope.Scope>
    /** The current holder; null for none. Does not lock. */
    readonly holder: (path: string) => Effect.Effect<LockHolder | null>
  }
>()("leap/services/SessionLock") {}
