import type { Verdict } from "./policy/Decision.ts"
import type { ToolRequest } from "./policy/ToolRequest.ts"
import type { Dialog } from "./Screen.ts"

/** What a CLI heeds from one event's hook. */
export interface EventDecision {
  readonly event: string
  readonly verdicts: ReadonlyArray<Verdict>
}

/** How one CLI asks for leave, and how it takes an answer from leap. */
export interface PermissionProtocol {
  /**
   * The events for whose hook the CLI waits, and the verdicts it heeds from each: what may wait for leap, and nothing else.
   * An `ask` in it makes the CLI ask where it would not have: it is for a rule that says so, never for a mode.
   */
  readonly decisions: ReadonlyArray<EventDecision>
  /**
   * The request in a hook's payload; null for an event that asks for nothing. `decides`: the CLI waits for this hook's
   * answer and heeds it for these verdicts; what else it is to do it learns at its dialog.
   */
  readonly request: (event: string, payload: unknown) => { readonly request: ToolRequest; readonly decides: ReadonlyArray<Verdict> } | null
  /** The line on the hook's standard output that tells the CLI; null where it cannot be told so. */
  readonly reply: (event: string, verdict: Verdict, why: string) => string | null
  /** The answer (for `InputProtocol.answer`) that grants a dialog's request once and nothing wider; null when none is certain. */
  readonly plainYes: (dialog: Dialog) => string | null
}

/** A CLI that leap cannot answer for. */
export const noPermissions: PermissionProtocol = { decisions: [], request: () => null, reply: () => null, plainYes: () => null }
