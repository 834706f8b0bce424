import { Effect, Equal, Layer, Result } from "effect"
import { readModes, writeModes } from "../../domain/store/settings/modesFile.ts"
import type { Modes } from "../../domain/words/session/Session.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { ModesStore } from "../../services/ModesStore.ts"
import { Paths } from "../../services/Paths.ts"
import { SharedFile } from "../../services/SharedFile.ts"
import { StoreError } from "../../services/StoreError.ts"

const make = Effect.gen(function* () {
  const paths = yield* Paths
  const shared = yield* SharedFile
  const fileOf = (tag: Tag): string => paths.session(tag).modes

  const update = (tag: Tag, wanted: (now: Partial<Modes>) => Modes) =>
    Effect.suspend(() => {
      const file = fileOf(tag)
      let modes: Modes | undefined
      return shared
        .change(file, (content) => {
          const now = content === null ? {} : readModes(content)
          modes = wanted(now)
          // A file that already has these modes stays unchanged, whatever else it contains.
          const isCurrent = content !== null && Equal.equals(now, modes)
          return Result.succeed(isCurrent ? content : writeModes(content, modes))
        })
        .pipe(
          Effect.map((content) => modes ?? wanted(readModes(content))),
          Effect.mapError((error) => new StoreError({ ...error, store: "modes" }))
        )
    })

  return ModesStore.of({
    read: Effect.fn("ModesStore.read")(function* (tag: Tag) {
      const content = yield* shared
        .read(fileOf(tag))
        .pipe(
          Effect.catch((error) =>
            Effect.as(Effect.logWarning(`the modes of session '${tag}' cannot be read: ${error.message}`), null)
          )
        )
      return content === null ? null : readModes(content)
    }),
    freeze: Effect.fn("ModesStore.freeze")((tag: Tag, defaults: Modes) =>
      update(tag, (now) => ({ ...defaults, ...now }))
    ),
    change: Effect.fn("ModesStore.change")((tag: Tag, change: Partial<Modes>, defaults: Modes) =>
      update(tag, (now) => ({ ...defaults, ...now, ...change }))
    )
  })
})

/** One file for each tag, in its session's directory. */
export const layer: Layer.Layer<ModesStore, never, Paths | SharedFile> = Layer.effect(ModesStore, make)
