import { Context, type Effect } from "effect"

/** What makes pseudo-terminals here: a native part, which may be missing for this system. */
export class PtyAddon extends Context.Service<
  PtyAddon,
  {
    /** Why it cannot be loaded, and what helps; null where it can. */
    readonly problem: Effect.Effect<string | null>
  }
>()("leap/services/PtyAddon") {}
