import type { Verdict } from "../../policy/Decision.ts"
import type { ToolRequest } from "../../policy/ToolRequest.ts"
import type { ProposedEdit } from "../../words/session/Proposal.ts"
import type { Dialog } from "../../words/session/Screen.ts"

export interface EventDecision {
  readonly event: string
  readonly verdicts: ReadonlyArray<Verdict>
}

export interface RecordedPlace {
  readonly file: string
  /** Every such request gets a record, sooner or later. */
  readonly sure: boolean
  /** A line without this mark names no directory and need not be read. */
  readonly mark: string
  /** The directory in these records; null: not yet named. */
  readonly directoryIn: (records: ReadonlyArray<unknown>) => string | null
}

export interface PermissionProtocol {
  /**
   * The events for whose hook the CLI waits, and the verdicts it accepts from each. Only these hooks may wait for leap.
   * An `ask` makes the CLI ask where it would not have asked, so it is used only for a rule with that verdict, never
   * for a mode.
   */
  readonly decisions: ReadonlyArray<EventDecision>
  /** The request in a hook's payload, null: none; `heeds`: the verdicts with which this request may be answered. */
  readonly request: (
    event: string,
    payload: unknown
  ) => { readonly request: ToolRequest; readonly heeds: ReadonlyArray<Verdict> } | null
  /** What the edit in a hook's payload, of this request, would change; null if the payload does not say it. */
  readonly edit?: (event: string, payload: unknown, request: ToolRequest) => ProposedEdit | null
  /**
   * For a request that may omit the directory of its command; null for all others. Absent if every request names it.
   */
  readonly place?: (event: string, payload: unknown) => RecordedPlace | null
  /** Whether the CLI, started with these arguments, runs tools without asking its user; absent: unknown. */
  readonly asksNobody?: (args: ReadonlyArray<string>) => boolean
  /** The hook's output line that gives the CLI this verdict; null: no such line exists. */
  readonly reply: (event: string, verdict: Verdict, why: string) => string | null
  /** The answer (for `InputProtocol.answer`) that grants a request exactly once; null: none is certain to. */
  readonly plainYes: (dialog: Dialog) => string | null
}

export const noPermissions: PermissionProtocol = {
  decisions: [],
  request: () => null,
  reply: () => null,
  plainYes: () => null
}
