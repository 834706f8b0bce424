import { Context, type Effect } from "effect"

/** The memory of leap's own process. */
export class Memory extends Context.Service<
  Memory,
  {
    /**
     * Gives back to the system what was needed for a while and is no more. It keeps the process from everything else
     * for some hundredths of a second: for a moment in which nobody waits for it.
     */
    readonly release: Effect.Effect<void>
  }
>()("leap/services/Memory") {}
