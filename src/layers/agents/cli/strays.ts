import { Effect } from "effect"
import type { ProcessKey } from "../../../domain/places/spool/HookOrigin.ts"
import type { EnvironmentMark, ProcessTable } from "../../../services/ProcessTable.ts"

/** How long processes that were killed are waited for, in milliseconds. */
const killWait = 1_000

/**
 * Ends the processes that a run has left behind, in whatever group or session of its own they are: SIGTERM, then after
 * `grace` milliseconds SIGKILL, twice, since a process that was signalled may have started others meanwhile. They are
 * `known` by having descended from it, or have its mark in their environment.
 */
export const endStrays = Effect.fnUntraced(function* (
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
