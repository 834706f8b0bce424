import { Effect, Layer } from "effect"
import type { FileLock } from "../../services/FileLock.ts"
import type { System } from "../../services/System.ts"
import type { Paths } from "../../services/Paths.ts"
import type { Providers } from "../../services/Providers.ts"
import { SessionMover } from "../../services/SessionMover.ts"
import type { SessionRecords } from "../../services/SessionRecords.ts"

type Needs = FileLock | System | Paths | Providers | SessionRecords

const load = Effect.promise(() =>
  Promise.all([
    import("./SessionMoverRelocator.ts"),
    import("./RelocatorJournal.ts"),
    import("./RelocationFilesNode.ts"),
    import("../system/OpenFilesNode.ts")
  ])
)

/** The mover with all its parts, loaded on demand: most commands never move a session. */
export const layer: Layer.Layer<SessionMover, never, Needs> = Layer.effect(
  SessionMover,
  Effect.gen(function* () {
    const context = yield* Effect.context<Needs>()
    const mover = yield* Effect.cached(
      Effect.flatMap(load, ([sessionMover, relocator, files, openFiles]) =>
        Effect.provide(
          SessionMover,
          sessionMover.layer.pipe(
            Layer.provideMerge(relocator.layer),
            Layer.provide([files.layer, openFiles.layer, Layer.succeedContext(context)])
          )
        )
      )
    )
    return SessionMover.of({
      move: (session, to) => Effect.flatMap(mover, ({ move }) => move(session, to)),
      unsettled: Effect.flatMap(mover, ({ unsettled }) => unsettled),
      recoverAll: Effect.flatMap(mover, ({ recoverAll }) => recoverAll)
    })
  })
)
