import { Context, type Effect } from "effect"
import type { StoreError } from "./StoreError.ts"

/** The documents shipped with this leap, by the names of their pages: `policies`, `troubleshooting`. */
export class HelpPages extends Context.Service<
  HelpPages,
  {
    readonly all: Effect.Effect<ReadonlyMap<string, string>, StoreError>
  }
>()("leap/services/HelpPages") {}
