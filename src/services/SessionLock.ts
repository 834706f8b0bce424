import { Context, type Effect, Schema, type Scope } from "effect"

/** Another host owns the session. */
export class SessionBusyError extends Schema.TaggedError<SessionBusyError>()("SessionBusyError", {
  path: Schema.String
}) {
  override get message() {
    return `it runs already: another leap host owns it (${this.path})`
  }
}

/** The lock of a session cannot be taken, for another reason than that somebody has it. */
export class SessionLockError extends Schema.TaggedError<SessionLockError>()("SessionLockError", {
  path: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `could not lock ${this.path}: ${this.why}`
  }
}

/** A lock that the kernel holds for this process and releases when the process ends, in whatever way. */
export class SessionLock extends Context.Service<
  SessionLock,
  {
    readonly acquire: (path: string) => Effect.Effect<void, SessionBusyError | SessionLockError, Scope.Scope>
  }
>()("leap/services/SessionLock") {}
