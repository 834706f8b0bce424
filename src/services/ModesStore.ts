import { Context, type Effect } from "effect"
import type { Modes } from "../domain/words/session/Session.ts"
import type { Tag } from "../domain/words/session/Tag.ts"
import type { StoreError } from "./StoreError.ts"

/** The modes of each tag, one file for each. Changes are made under a lock, so that concurrent processes lose none. */
export class ModesStore extends Context.Service<
  ModesStore,
  {
    /** The tag's modes; null for none yet, or if they cannot be read. In a damaged file the readable part counts. */
    readonly read: (tag: Tag) => Effect.Effect<Partial<Modes> | null>
    /** Stores these values for the modes that the tag has not set yet, and returns the resulting modes. */
    readonly freeze: (tag: Tag, defaults: Modes) => Effect.Effect<Modes, StoreError>
    readonly change: (tag: Tag, change: Partial<Modes>, defaults: Modes) => Effect.Effect<Modes, StoreError>
  }
>()("leap/services/ModesStore") {}
