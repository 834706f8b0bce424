import { type AuditText, auditText, readAudit } from "../../domain/engine/approvals/readAudit.ts"
import auditForm from "#generated/auditForm.mts"

/** The entries of an audit log and of the older one. Hosts do not load this file, since they only write. */
export const auditIn = (current: string, older: string): AuditText => readAudit(auditForm, auditText(current, older))
