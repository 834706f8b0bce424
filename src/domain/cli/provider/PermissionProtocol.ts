import type { Verdict } from "../../rules/policy/Decision.ts"
import type { ToolRequest } from "../../rules/policy/ToolRequest.ts"
import type { Dialog } from "../../words/session/Screen.ts"

/** The verdicts that a CLI accepts from one event's hook. */
export interface EventDecision {
  readonly event: string
  readonly verdicts: ReadonlyArray<Verdict>
}

/** Where a CLI's own records say in which directory a request's command runs. */
export interface RecordedPlace {
  readonly file: string
  /** They say it of every such request, sooner or later. */
  readonly sure: boolean
  /** A line without this in it says nothing of it, and need not be read. */
  readonly mark: string
  /** The directory, as these records say it; null while they do not. */
  readonly directoryIn: (records: ReadonlyArray<unknown>) => string | null
}

/** How one CLI requests permissions, and how it takes an answer from leap. */
export interface PermissionProtocol {
  /**
   * The events for whose hook the CLI waits, and the verdicts it accepts from each. Only these hooks may wait for leap.
   * An `ask` makes the CLI ask where it would not have asked, so it is used only for a rule with that verdict, never
   * for a mode.
   */
  readonly decisions: ReadonlyArray<EventDecision>
  /** The request in a hook's payload, null for none; `heeds`: the verdicts that the CLI takes from this hook. */
  readonly request: (
    event: string,
    payload: unknown
  ) => { readonly request: ToolRequest; readonly heeds: ReadonlyArray<Verdict> } | null
  /** For a request that may leave out where its command runs; null for all others. Absent where all of them say it. */
  readonly place?: (event: string, payload: unknown) => RecordedPlace | null
  /** Whether the CLI, started with these arguments, runs tools without asking its user; absent where nobody knows. */
  readonly asksNobody?: (args: ReadonlyArray<string>) => boolean
  /** The line for the hook's standard output that gives the CLI this verdict; null where no such line exists. */
  readonly reply: (event: string, verdict: Verdict, why: string) => string | null
  /** The answer (for `InputProtocol.answer`) that grants a request once and no more; null when none is certain to. */
  readonly plainYes: (dialog: Dialog) => string | null
}

/** The protocol of a CLI whose requests leap cannot answer. */
export const noPermissions: PermissionProtocol = {
  decisions: [],
  request: () => null,
  reply: () => null,
  plainYes: () => null
}
