import { Effect } from "effect"
import type { Edit, Plan } from "../domain/store/relocation/Plan.ts"
import type { SessionRecord } from "../domain/store/conversations/SessionRecord.ts"
import type { OpenFiles } from "./OpenFiles.ts"
import type { RelocationFiles } from "./RelocationFiles.ts"
import type { RelocationError } from "./Relocator.ts"
import type { StoreError } from "./StoreError.ts"

/** A request to move a session to another directory. */
export interface MoveRequest {
  readonly session: Pick<SessionRecord, "cli" | "base" | "sessionId" | "transcriptPath">
  /** The current directory of the session; links are resolved as far as the path still exists. */
  readonly from: string
  /** An existing directory, with links resolved. */
  readonly to: string
  /** The environment the CLI runs in, which determines where the CLI keeps its data. */
  readonly env: Readonly<Record<string, string>>
}

/** The plan of a move for one CLI, and its result. */
export interface PlannedMove {
  readonly plan: Plan
  /** Where the session's transcript will be; null if the CLI has none, or if it stays in place. */
  readonly transcriptPath: string | null
}

/** How sessions of one CLI are moved to another directory. */
export interface RelocationProtocol {
  /** Inspects and plans, and changes nothing. The detail of each edit holds everything that applying it needs. */
  readonly plan: (request: MoveRequest) => Effect.Effect<PlannedMove, RelocationError, RelocationFiles | OpenFiles>
  /** Applies, or reverts, one edit of this CLI's plans, by the CLI's own rules of locking. Both are idempotent. */
  readonly apply: (edit: Edit) => Effect.Effect<void, StoreError, RelocationFiles>
  readonly revert: (edit: Edit) => Effect.Effect<void, StoreError, RelocationFiles>
}

/** A protocol that is loaded when a session is first moved, so that no other command waits for it. */
export const lazyRelocation = (load: () => Promise<RelocationProtocol>): RelocationProtocol => {
  const loaded = Effect.promise(load)
  return {
    plan: (request) => Effect.flatMap(loaded, ({ plan }) => plan(request)),
    apply: (edit) => Effect.flatMap(loaded, ({ apply }) => apply(edit)),
    revert: (edit) => Effect.flatMap(loaded, ({ revert }) => revert(edit))
  }
}
