import type { Decision } from "../../policy/Decision.ts"
import type { ToolRequest } from "../../policy/ToolRequest.ts"
import type { Dialog } from "../../words/session/Screen.ts"
import type { ApprovalEvent } from "./ApprovalEvent.ts"
import type { AuditEntry } from "./AuditEntry.ts"

/**
 * `Decide` is answered immediately by `PermissionDecided`, and `Restate` by the event in it. The outcomes of the others
 * come later, as events.
 */
export type ApprovalCommand =
  /** Decide on a request by the current rules and mode; null: on a request that no hook has reported. */
  | {
      readonly _tag: "Decide"
      readonly id: number | null
      readonly request: ToolRequest | null
      readonly certain: boolean
    }
  /** Let a waiting hook end with this line on its standard output; null: without a decision. */
  | { readonly _tag: "Reply"; readonly id: number; readonly line: string | null }
  /** Press the keys for `answer`, if this very dialog is still on screen. */
  | { readonly _tag: "AnswerDialog"; readonly dialog: Dialog; readonly answer: string }
  | { readonly _tag: "Audit"; readonly at: number; readonly entry: AuditNote }
  /** Report that the rules or the state of the audit log changed, in the form that recordings keep. */
  | { readonly _tag: "Restate"; readonly event: ApprovalEvent }
  /** Write the hooks' instructions where they read them; `HooksPlaced` reports whether that succeeded. */
  | ({ readonly _tag: "AwaitHooks" } & Awaited)

/** The events for which the CLI's hooks wait, and the lines that they say by themselves where leap is silent. */
export interface Awaited {
  readonly events: ReadonlyArray<string>
  readonly silent: Readonly<Record<string, string>>
}

export type AuditNote = Pick<AuditEntry, "event" | "request" | "verdict" | "by" | "rule" | "why" | "more" | "told">

/** The audit note of a decision. If no rule decided, the mode allowed it, or nobody decided. */
export const auditNote = (
  event: string,
  request: ToolRequest | null,
  { more, rule, verdict, why }: Decision,
  told: AuditNote["told"]
): AuditNote => ({
  event,
  request,
  verdict,
  by: rule !== null ? "rule" : verdict === "allow" ? "mode" : "none",
  rule,
  why,
  ...(more === undefined ? {} : { more }),
  told
})
