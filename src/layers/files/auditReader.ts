import { type AuditText, auditText, readAudit } from "../../domain/engine/approvals/readAudit.ts"
import type { JsonForm } from "../../domain/words/reading/JsonForm.ts"
import auditForm from "#generated/auditForm.json" with { type: "json" }

/** What an audit log and the older one beside it say. Loaded by those who read one: hosts write theirs. */
export const auditIn = (current: string, older: string): AuditText =>
  readAudit(auditForm as unknown as JsonForm, auditText(current, older))
