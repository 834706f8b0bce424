import { Effect } from "effect"
import type { ProcessKey } from "../../../domain/store/hookSpool/HookOrigin.ts"
import type { EnvironmentMark, ProcessTable } from "../../../services/ProcessTable.ts"

/** The wait for killed processes, in milliseconds. */
const killWait = 1_000

/**
 * Ends the processes that a run has left behind, in any group or session: SIGTERM, then SIGKILL after `grace`
 * milliseconds. Twice, because a signalled process may have started others. The processes are `known` as descendants,
 * or have the run's mark in their environment.
 */
export const endOrphans = Effect.fnUntraced(function* (
  table: ProcessTable["Service"],
  mark: EnvironmentMark,
  known: ReadonlyArray<ProcessKey>,
  grace: number
) {
  const { left } = yield* table.end({ _tag: "Family", mark, known }, [
    { signal: "SIGTERM", patience: grace },
    { signal: "SIGKILL", patience: killWait },
    { signal: "SIGKILL", patience: killWait }
  ])
  if (left.length > 0) yield* Effect.logWarning("processes of a headless run could not be ended")
})
