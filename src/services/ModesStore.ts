import { Context, type Effect, Schema } from "effect"
import type { Modes } from "../domain/Session.ts"
import type { Tag } from "../domain/Tag.ts"

export class ModesStoreError extends Schema.TaggedError<ModesStoreError>()("ModesStoreError", {
  file: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `the modes were not changed: ${this.file}: ${this.why}`
  }
}

/** Each tag's modes, in a file of its own. Changes are made under a lock, so none is lost however many processes make them. */
export class ModesStore extends Context.Service<ModesStore, {
  /** The tag's modes; null when it has none yet. What of a damaged file can be read counts. */
  readonly read: (tag: Tag) => Effect.Effect<Partial<Modes> | null>
  /** Fixes what the tag has not yet at these values, and gives back what holds. */
  readonly freeze: (tag: Tag, defaults: Modes) => Effect.Effect<Modes, ModesStoreError>
  readonly change: (tag: Tag, change: Partial<Modes>, defaults: Modes) => Effect.Effect<Modes, ModesStoreError>
}>()("leap/services/ModesStore") {}
