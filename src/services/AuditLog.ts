import { Context, type Effect } from "effect"
import type { AuditEntry } from "../domain/engine/approvals/AuditEntry.ts"
import type { AuditText } from "../domain/engine/approvals/readAudit.ts"
import type { Tag } from "../domain/words/session/Tag.ts"
import type { StoreError } from "./StoreError.ts"

/** Each tag's decisions: append-only, one line each. A torn last line is skipped when the log is read. */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly append: (tag: Tag, entry: AuditEntry) => Effect.Effect<void, StoreError>
    /** Oldest first, and how many lines cannot be read. */
    readonly read: (tag: Tag) => Effect.Effect<AuditText, StoreError>
  }
>()("leap/services/AuditLog") {}
