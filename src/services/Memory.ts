import { Context, type Effect } from "effect"

/** The memory of leap's own process. */
export class Memory extends Context.Service<
  Memory,
  {
    /** Returns unused memory to the system. Blocks for some hundredths of a second, so call it when nobody waits. */
    readonly release: Effect.Effect<void>
  }
>()("leap/services/Memory") {}
