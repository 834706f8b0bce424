import { Context, type Effect } from "effect"

/** The native addon for pseudo-terminals, which may be missing on this system. */
export class PtyAddon extends Context.Service<
  PtyAddon,
  {
    /** Why it cannot be loaded, and what helps; null if it can. */
    readonly problem: Effect.Effect<string | null>
  }
>()("leap/services/PtyAddon") {}
