import { Context, type Effect } from "effect"
import type { ProcessKey } from "../domain/HookOrigin.ts"
import type { ProcessRecord } from "../domain/ProcessRecord.ts"

/** The processes of this machine, as the operating system shows them now. */
export class ProcessTable extends Context.Service<ProcessTable, {
  /** The process and its ancestors, nearest first, up to the first that is gone; empty when it is gone itself. */
  readonly ancestry: (pid: number) => Effect.Effect<ReadonlyArray<ProcessRecord>>
  /** Whether this very process lives, not just one with its pid. */
  readonly isAlive: (process: ProcessKey) => Effect.Effect<boolean>
}>()("leap/services/ProcessTable") {}
