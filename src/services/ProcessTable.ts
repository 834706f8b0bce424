import { Context, type Effect } from "effect"
import type { ProcessKey } from "../domain/HookOrigin.ts"
import type { ProcessRecord } from "../domain/ProcessRecord.ts"

/** The processes of this machine, as the operating system shows them now. */
export class ProcessTable extends Context.Service<ProcessTable, {
  /** The process and its ancestors, nearest first, up to the first that is gone; empty when it is gone itself. */
  readonly ancestry: (pid: number) => Effect.Effect<ReadonlyArray<ProcessRecord>>
  /** Whether this very process lives, not just one with its pid. */
  readonly isAlive: (process: ProcessKey) => Effect.Effect<boolean>
  /**
   * The process (null: none in particular) and every one with this variable in its environment, with all that descend from
   * them; the caller and the dead are not among them. Where the system shows nobody's environment, only what descends.
   */
  readonly family: (pid: number | null, variable: string, value: string) => Effect.Effect<ReadonlyArray<ProcessKey>>
  /** Sends a signal to this very process, 0 to none but to look; false when it is dead or another's by now. */
  readonly signal: (process: ProcessKey, signal: "SIGTERM" | "SIGKILL" | 0) => Effect.Effect<boolean>
}>()("leap/services/ProcessTable") {}
