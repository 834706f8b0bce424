import { Schema } from "effect"
import { Decision, Verdict } from "../../policy/Decision.ts"
import { ToolRequest } from "../../policy/ToolRequest.ts"
import { ProposedEdit } from "../../words/session/Proposal.ts"
import type { Policy } from "../../store/settings/PolicySettings.ts"
import type { Judge } from "./decideUncertain.ts"

/** Events about the CLI's permission requests. `at`: milliseconds since the epoch. Recordings use these names. */
export const ApprovalEvent = Schema.TaggedUnion({
  /**
   * A hook of the CLI reports a request. `id` is the hook's sequence number; `heeds` are the verdicts that the CLI
   * accepts as this hook's answer. `inspected`: it can be decided without following its paths' links.
   */
  PermissionRequested: {
    at: Schema.Finite,
    id: Schema.Int,
    event: Schema.String,
    request: ToolRequest,
    heeds: Schema.Array(Verdict),
    inspected: Schema.Boolean,
    edit: Schema.optionalKey(ProposedEdit)
  },
  /** The request with the targets of its paths' links; `certain`: all of them could be followed. */
  PermissionInspected: { at: Schema.Finite, id: Schema.Int, request: ToolRequest, certain: Schema.Boolean },
  /** The decision of rules and mode: the answer to a `Decide`. `id` null: for a request that no hook has reported. */
  PermissionDecided: { at: Schema.Finite, id: Schema.NullOr(Schema.Int), decision: Decision },
  /** `taken`: the CLI has the answer to this hook. `late`: the hook had given up waiting. */
  PermissionReplied: { at: Schema.Finite, id: Schema.Int, outcome: Schema.Literals(["taken", "late"]) },
  /** The keys that answer a dialog were pressed. `why`: what went wrong; null if they answered the dialog. */
  DialogAnswered: { at: Schema.Finite, why: Schema.NullOr(Schema.String) },
  /**
   * The rules have changed, or whether the audit log can be written (`auditable`). `rules`: there are some.
   * `restrictions`: how many deny and ask rules may concern this session and are enforced only by its hooks.
   */
  PolicyChanged: {
    at: Schema.Finite,
    rules: Schema.Boolean,
    auditable: Schema.Boolean,
    restrictions: Schema.optionalKey(Schema.Int)
  }
})
export type ApprovalEvent = typeof ApprovalEvent.Type

/** Changes around the hooks. Recordings lack them: they have `PolicyChanged`, the effect of the first two. */
export type HookRulesEvent =
  | {
      readonly _tag: "RulesRead"
      readonly at: number
      readonly policy: Policy
      readonly judge: Judge
      readonly restrictions: number
    }
  | { readonly _tag: "AuditChanged"; readonly at: number; readonly auditable: boolean }
  /** The hooks' instructions were written, or could not be. */
  | { readonly _tag: "HooksPlaced"; readonly at: number; readonly placed: boolean }
