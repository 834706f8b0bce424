import { holdLeftovers } from "../../domain/engine/queue/Leftovers.ts"
import { Context, Effect, Layer, Option } from "effect"
import { cutOffIn, keptLimit } from "../../domain/engine/continuation/LimitContinuation.ts"
import * as SessionMachine from "../../domain/engine/machine/SessionMachine.ts"
import * as Queue from "../../domain/engine/queue/Queue.ts"
import type { Modes } from "../../domain/words/session/Session.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { ModesStore } from "../../services/ModesStore.ts"
import { type QueueLog, QueueStore } from "../../services/QueueStore.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { SessionContext } from "./SessionContext.ts"
import { localTimeZone } from "../../services/localTimeZone.ts"

export class RestoredSession extends Context.Service<
  RestoredSession,
  {
    /** The queue's log on disk, open as long as the session lives. */
    readonly log: QueueLog
    /** The memory before the first event. It holds the messages left over from an earlier host. */
    readonly memory: SessionMachine.SessionMemory
  }
>()("leap/programs/host/RestoredSession") {}

/** The tag's stored modes. A tag without modes takes the current global defaults and keeps them. */
const restoreModes = Effect.fn("restoreModes")(function* (tag: Tag) {
  const store = yield* ModesStore
  const { settings } = yield* (yield* UserSettings).read
  return yield* store.freeze(tag, settings.modes).pipe(
    // A full disk does not prevent the start: the modes then last as long as this host.
    Effect.catch((error) =>
      Effect.logWarning(error.message).pipe(
        Effect.andThen(store.read(tag)),
        Effect.map((own): Modes => ({ ...settings.modes, ...own }))
      )
    )
  )
})

const restore = Effect.gen(function* () {
  const { paths, spec, startedAt, tag } = yield* SessionContext
  const log = yield* (yield* QueueStore).open(paths.queue)
  if (log.damaged > 0)
    yield* Effect.logWarning(`${log.damaged} damaged lines of the queue's log are kept in ${paths.queue}.damaged`)
  const left = Queue.replayLog(log.records)
  const queue = Queue.replayLog(holdLeftovers(left, startedAt), left)
  yield* log.compact(Queue.compact(queue))
  const { settings } = yield* (yield* UserSettings).read
  const last = yield* (yield* StatusStore).read(paths.status)
  const limit = keptLimit(Option.getOrNull(last), spec.resumes?.sessionId ?? null, startedAt)
  const memory = SessionMachine.start({
    at: startedAt,
    modes: yield* restoreModes(tag),
    queue,
    unknownLayout: settings.unknownLayout,
    night: settings.night,
    limit,
    cutOff: limit === null ? [] : cutOffIn(left),
    zone: yield* localTimeZone,
    ...(spec.resumes === undefined ? {} : { resumes: spec.resumes })
  })
  return RestoredSession.of({ log, memory })
})

export const layer = Layer.effect(RestoredSession, restore)
