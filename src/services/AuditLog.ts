import { Context, type Effect, Schema } from "effect"
import type { AuditEntry } from "../domain/approvals/AuditEntry.ts"
import type { Tag } from "../domain/session/Tag.ts"

export class AuditLogError extends Schema.TaggedError<AuditLogError>()("AuditLogError", {
  file: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `the audit log ${this.file} cannot be used: ${this.why}`
  }
}

/** Each tag's decisions: append-only, one line each. A torn last line is skipped when the log is read. */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly append: (tag: Tag, entry: AuditEntry) => Effect.Effect<void, AuditLogError>
    /** Oldest first. */
    readonly read: (tag: Tag) => Effect.Effect<ReadonlyArray<AuditEntry>, AuditLogError>
    /** How many lines of it cannot be read. */
    readonly unreadable: (tag: Tag) => Effect.Effect<number, AuditLogError>
  }
>()("leap/services/AuditLog") {}
