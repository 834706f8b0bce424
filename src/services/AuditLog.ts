import { Context, type Effect } from "effect"
import type { AuditEntry } from "../domain/engine/approvals/AuditEntry.ts"
import type { AuditText } from "../domain/engine/approvals/readAudit.ts"
import type { Tag } from "../domain/words/session/Tag.ts"
import type { StoreError } from "./StoreError.ts"

/** The decisions of each tag: append-only, one line each. The reader skips a torn last line. */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly append: (tag: Tag, entry: AuditEntry) => Effect.Effect<void, StoreError>
    /** Oldest first, and the number of unreadable lines. */
    readonly read: (tag: Tag) => Effect.Effect<AuditText, StoreError>
  }
>()("leap/services/AuditLog") {}
