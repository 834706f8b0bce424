import { Context, type Effect, Schema } from "effect"
import type { AuditEntry } from "../domain/engine/approvals/AuditEntry.ts"
import type { AuditText } from "../domain/engine/approvals/readAudit.ts"
import type { Tag } from "../domain/words/session/Tag.ts"

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
    /** Oldest first, and how many lines cannot be read. */
    readonly read: (tag: Tag) => Effect.Effect<AuditText, AuditLogError>
  }
>()("leap/services/AuditLog") {}
