import { Effect } from "effect"
import type { Edit, Plan } from "../domain/relocation/Plan.ts"
import type { SessionRecord } from "../domain/sessions/SessionRecord.ts"
import type { OpenFiles } from "./OpenFiles.ts"
import type { RelocationFiles } from "./RelocationFiles.ts"
import type { BookkeepingError, RelocationRefusedError } from "./Relocator.ts"

/** A session that is to live in another directory. */
export interface MoveRequest {
  readonly session: Pick<SessionRecord, "cli" | "base" | "sessionId" | "transcriptPath">
  /** The directory that it lives in; links are resolved as far as it still exists. */
  readonly from: string
  /** An existing directory, links resolved. */
  readonly to: string
  /** The environment the CLI runs in: it tells where the CLI keeps its data. */
  readonly env: Readonly<Record<string, string>>
}

/** What a move comes to for one CLI. */
export interface PlannedMove {
  readonly plan: Plan
  /** Where the session's transcript will be; null where the CLI has none, or it stays where it is. */
  readonly transcriptPath: string | null
}

/** How one CLI's sessions change their directory. */
export interface RelocationProtocol {
  /** Looks, changes nothing, and says what has to change; everything that an edit needs later is in its detail. */
  readonly plan: (request: MoveRequest) => Effect.Effect<PlannedMove, RelocationRefusedError, RelocationFiles | OpenFiles>
  /** Carries out, or takes back, one edit of this CLI's plans, under the CLI's own rules of locking. Either may be asked for again. */
  readonly apply: (edit: Edit) => Effect.Effect<void, BookkeepingError, RelocationFiles>
  readonly revert: (edit: Edit) => Effect.Effect<void, BookkeepingError, RelocationFiles>
}

/** A protocol that is loaded when a session is first moved: no other command waits for it. */
export const loadedWhenAsked = (load: () => Promise<RelocationProtocol>): RelocationProtocol => {
  const loaded = Effect.promise(load)
  return {
    plan: (request) => Effect.flatMap(loaded, ({ plan }) => plan(request)),
    apply: (edit) => Effect.flatMap(loaded, ({ apply }) => apply(edit)),
    revert: (edit) => Effect.flatMap(loaded, ({ revert }) => revert(edit))
  }
}
