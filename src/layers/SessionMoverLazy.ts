import { Effect, Layer } from "effect"
import type { FileLock } from "../services/FileLock.ts"
import type { Machine } from "../services/Machine.ts"
import type { Paths } from "../services/Paths.ts"
import type { Providers } from "../services/Providers.ts"
import { SessionMover } from "../services/SessionMover.ts"
import type { SessionRecords } from "../services/SessionRecords.ts"

type Needs = FileLock | Machine | Paths | Providers | SessionRecords

const load = Effect.promise(() =>
  Promise.all([
    import("./SessionMoverRelocator.ts"), import("./RelocatorJournal.ts"), import("./RelocationFilesNode.ts"), import("./OpenFilesProc.ts")
  ])
)

/** The mover with all that it is made of, loaded when a session is first to be moved: most commands never move one. */
export const layer: Layer.Layer<SessionMover, never, Needs> = Layer.effect(
  SessionMover,
  Effect.gen(function*() {
    const context = yield* Effect.context<Needs>()
    const mover = yield* Effect.cached(Effect.flatMap(load, ([sessionMover, relocator, files, openFiles]) =>
      Effect.provide(
        SessionMover,
        sessionMover.layer.pipe(
          Layer.provideMerge(relocator.layer),
          Layer.provide([files.layer, openFiles.layer, Layer.succeedContext(context)])
        )
      )))
    return SessionMover.of({
      move: (session, to) => Effect.flatMap(mover, ({ move }) => move(session, to)),
      unsettled: Effect.flatMap(mover, ({ unsettled }) => unsettled),
      recoverAll: Effect.flatMap(mover, ({ recoverAll }) => recoverAll)
    })
  })
)
